/**
 * `postern serve`, put together: informers feed the view, the view feeds the gate and the controllers, the leader writes.
 * The order of the start is the order of what depends on what: a certificate, the policies, then the port; registrations
 * only once calls would be answered. The order of the end is the other way round.
 */
import {
  canaryAnswer,
  createPolicyStatusController,
  createWatchdog,
  createWebhookConfigController,
} from "#controllers";
import type { ControllerPorts, Watchdog, WebhookConfigController } from "#controllers";
import { createClusterView } from "#cluster";
import type { ClusterView } from "#cluster";
import { createFileCertificates, createSecretCertificates } from "#certificates";
import type { CertificateSource } from "#certificates";
import { reviewPolicyObject } from "#catalog";
import {
  createDiscovery,
  createInformer,
  createKubeClient,
  createLeaderElection,
  createObjects,
  loadClusterConfig,
} from "#kube";
import type { CallPurpose, KubeClient, LeaderElection, ObjectClient, ResourceType } from "#kube";
import type { Clock, World } from "#platform";
import { systemClock, wait } from "#platform";
import { createEvents, createLog, createMetrics, createMetricsServer } from "#telemetry";
import type { Events, Log, Metrics } from "#telemetry";
import { createClusterLookups, createGate } from "#webhook";
import type { AuditedRequest, Gate } from "#webhook";
import { gaugeBeforeScrape } from "./gauges.ts";
import { createObserver } from "./observer.ts";
import { isBeingRemoved } from "./removal.ts";
import { createAnswerTally } from "./replica/answer-tally.ts";
import type { AnswerTally } from "./replica/answer-tally.ts";
import { createReplicaLease } from "./replica/replica-lease.ts";
import { createReplicaReporter } from "./replica/replica-reporter.ts";
import type { ReplicaState } from "./replica/replica-state.ts";
import type { ServeOptions } from "./serve-options.ts";

/** Answers under way get this long when the process is told to stop. */
const GRACE_MS = 10_000;
/** From the moment that a pod is told to stop until no Service leads to it any more. */
const DRAIN_MS = 5000;

type Kept = "leases" | "secrets" | "events" | "deployments";

const resourceTypes: Readonly<Record<Kept, ResourceType>> = {
  leases: { group: "coordination.k8s.io", version: "v1", resource: "leases" },
  secrets: { group: "", version: "v1", resource: "secrets" },
  events: { group: "", version: "v1", resource: "events" },
  deployments: { group: "apps", version: "v1", resource: "deployments" },
};

/**
 * Runs until the signal; then ends in order.
 * @param version of Postern, for what it says of itself
 * @throws Fault where it cannot begin: configuration, certificate files, a port that is taken
 */
export async function serve(
  world: World,
  options: ServeOptions,
  about: { readonly version: string; readonly stop: AbortSignal },
): Promise<void> {
  const daemon = await Daemon.create(world, options, about.version);
  await daemon.start(about.stop);
  await new Promise<void>((done) => {
    if (about.stop.aborted) done();
    about.stop.addEventListener("abort", () => done(), { once: true });
  });
  await daemon.stop();
}

class Daemon {
  readonly #options: ServeOptions;
  readonly #version: string;
  readonly #clock: Clock = systemClock;
  readonly #startedMs: number = systemClock.nowMs();
  readonly #world: World;
  readonly #log: Log;
  readonly #client: KubeClient;
  readonly #metrics: Metrics = createMetrics();
  readonly #tally: AnswerTally = createAnswerTally();
  readonly #view: ClusterView;
  readonly #certificates: CertificateSource;
  readonly #election: LeaderElection;
  readonly #registrations: WebhookConfigController;
  readonly #statuses: ReturnType<typeof createPolicyStatusController>;
  readonly #watchdog: Watchdog;
  readonly #events: Events;
  readonly #reporter: ReturnType<typeof createReplicaReporter>;
  #gate: Gate | undefined;
  #leaving = false;
  #metricsServer: ReturnType<typeof createMetricsServer> | undefined;

  static async create(world: World, options: ServeOptions, version: string): Promise<Daemon> {
    const { kubeconfig, context } = options;
    const config = await loadClusterConfig({ env: world.env, nowMs: world.nowMs, kubeconfig, context });
    const client = createKubeClient(config, {
      userAgent: `postern/${version}`,
      nowMs: systemClock.nowMs,
      random: systemClock.random,
    });
    const log = createLog(options.logLevel);
    log.info("starting", { version, server: config.server, source: config.source, replica: options.replica });
    return new Daemon(world, options, { version, client, log });
  }

  constructor(
    world: World,
    options: ServeOptions,
    parts: { readonly version: string; readonly client: KubeClient; readonly log: Log },
  ) {
    this.#world = world;
    this.#options = options;
    this.#version = parts.version;
    this.#client = parts.client;
    this.#log = parts.log;
    this.#view = this.#createView();
    this.#election = this.#createElection();
    this.#certificates = this.#createCertificates();
    this.#events = createEvents({
      events: this.#objects("events", "event"),
      namespace: options.namespace,
      component: "postern",
      instance: options.replica,
      clock: this.#clock,
    });
    const ports = this.#controllerPorts();
    this.#registrations = createWebhookConfigController(
      ports,
      { ...options, timeoutSeconds: options.webhookTimeoutSeconds },
      this.#clock,
    );
    this.#statuses = createPolicyStatusController(
      {
        ...ports,
        gaps: () =>
          this.#registrations.state().phase === "waiting" ? undefined : this.#registrations.state().gaps,
      },
      this.#clock,
    );
    this.#watchdog = this.#createWatchdog();
    this.#reporter = createReplicaReporter({
      lease: createReplicaLease({
        leases: this.#objects("leases", "leader"),
        namespace: options.namespace,
        replica: options.replica,
        nowMs: this.#clock.nowMs,
      }),
      state: () => this.#state(),
      clock: this.#clock,
      log: this.#log,
    });
    this.#connect();
  }

  async start(stop: AbortSignal): Promise<void> {
    await this.#startMetrics();
    await this.#certificates.start();
    const certificate = this.#certificates.current();
    if (certificate === undefined || stop.aborted) return;
    const gate = this.#createGate(certificate.certPem, certificate.keyPem);
    this.#gate = gate;
    const port = await gate.start();
    this.#log.info("listening", { port });
    // The port is open while the policies are still being listed: readiness says so, and a call gets an HTTP error.
    await this.#view.start();
    this.#log.info("ready", {
      policies: this.#view.policies().entries.length,
      afterMs: this.#clock.nowMs() - this.#startedMs,
    });
    this.#reporter.start();
    this.#election.start();
    this.#registrations.start();
    this.#statuses.start();
    if (!this.#options.without.includes("watchdog")) this.#watchdog.start();
  }

  async stop(): Promise<void> {
    this.#log.info("stopping");
    this.#leaving = true;
    await this.#watchdog.stop();
    await this.#statuses.stop();
    await this.#registrations.stop();
    if (await this.#isBeingRemoved()) await this.#cleanUp();
    // Endpoints are slower than signals: calls go on coming for a while, and are answered.
    if (this.#options.deployment !== undefined) await wait(this.#clock, DRAIN_MS);
    await this.#gate?.stop(GRACE_MS);
    await this.#reporter.stop();
    await this.#election.release();
    this.#view.stop();
    this.#certificates.stop();
    this.#metricsServer?.stop();
    this.#client.close();
    this.#log.info("stopped");
  }

  #objects(name: Kept, purpose: CallPurpose): ObjectClient {
    return createObjects(this.#client, resourceTypes[name], purpose);
  }

  #createView(): ClusterView {
    const { namespace, configMapName } = this.#options;
    return createClusterView({
      namespace,
      configMapName,
      clock: this.#clock,
      informers: (kind) =>
        createInformer(
          this.#client,
          {
            ...kind,
            onProblem: (error) => this.#log.warn(`${kind.title} cannot be watched`, { error: error.message }),
          },
          this.#clock,
        ),
    });
  }

  #createElection(): LeaderElection {
    return createLeaderElection(
      this.#objects("leases", "leader"),
      {
        namespace: this.#options.namespace,
        name: "postern",
        identity: this.#options.replica,
        onStarted: () => {
          this.#log.info("this replica leads");
          this.#wakeUp();
        },
        onStopped: () => this.#log.info("this replica no longer leads"),
      },
      this.#clock,
    );
  }

  #createCertificates(): CertificateSource {
    const { tlsFiles, namespace, endpoint } = this.#options;
    const onProblem = (error: unknown): void =>
      this.#log.warn("the certificate could not be looked after", {
        error: error instanceof Error ? error.message : String(error),
      });
    if (tlsFiles !== undefined) return createFileCertificates({ ...tlsFiles, clock: this.#clock, onProblem });
    return createSecretCertificates({
      secrets: this.#objects("secrets", "control"),
      namespace,
      name: "postern-tls",
      hosts:
        endpoint.kind === "url"
          ? [new URL(endpoint.url).hostname.replace(/^\[|\]$/g, "")]
          : [`${endpoint.name}.${namespace}.svc`, `${endpoint.name}.${namespace}`, endpoint.name],
      isLeader: () => this.#election.isLeader(),
      clock: this.#clock,
      onProblem,
    });
  }

  #controllerPorts(): ControllerPorts {
    return {
      client: this.#client,
      discovery: createDiscovery(this.#client),
      policies: () => this.#view.policies(),
      configuration: () => this.#view.configuration(),
      caBundle: () => this.#certificates.current()?.caPem,
      isLeader: () => this.#election.isLeader(),
      log: this.#log,
      nowMs: this.#clock.nowMs,
    };
  }

  #createWatchdog(): Watchdog {
    return createWatchdog(
      {
        canary: async () => {
          const result = await this.#registrations.canary();
          if (result.ok)
            this.#metrics.set("postern_last_canary_timestamp_seconds", [], this.#clock.nowMs() / 1000);
          return result;
        },
        isLeader: () => this.#election.isLeader(),
        lastAnswerMs: () => this.#tally.lastAnswerMs(),
        open: this.#options.openWhenDead ? () => this.#registrations.open() : undefined,
        tell: (type, reason, message) => {
          const about = {
            apiVersion: "v1",
            kind: "Namespace",
            name: this.#options.namespace,
            namespace: "",
            uid: "",
          };
          this.#events.emit(about, type, reason, message);
        },
        log: this.#log,
      },
      this.#clock,
    );
  }

  #createGate(certPem: string, keyPem: string): Gate {
    const { host, port, maxConcurrent, maxQueued, lookupTimeoutMs } = this.#options;
    const lookups = createClusterLookups({
      client: this.#client,
      configMap: (namespace, name) => this.#view.configMap(namespace, name),
      clock: () => performance.now(),
    });
    return createGate(
      { host, port, certPem, keyPem, maxConcurrent, maxQueued, lookupTimeoutMs },
      {
        policies: () => this.#view.policies(),
        isExcluded: (request, roles) => this.#view.isExcluded(request, roles),
        namespaceLabels: (namespace) => this.#view.namespaceLabels(namespace),
        rolesOf: (user) => this.#view.rolesOf(user),
        lookup: (lookup, timeoutMs) => lookups.answer(lookup, timeoutMs),
        review: reviewPolicyObject,
        canary: canaryAnswer,
        // Calls are answered to the end; what readiness is asked for is whether new ones should come.
        readiness: () => this.#view.readiness(),
        leaving: () => this.#leaving,
        audited: (results) => this.#countAudited(results),
        observer: createObserver({
          metrics: this.#metrics,
          log: this.#log,
          tally: this.#tally,
          nowMs: this.#clock.nowMs,
        }),
        nowMs: this.#world.nowMs,
        seed: this.#world.seed,
      },
    );
  }

  #countAudited({ verdicts }: AuditedRequest): void {
    for (const { verdict } of verdicts) {
      for (const { status } of verdict.rules)
        this.#metrics.add("postern_policy_results_total", [verdict.policy, status]);
    }
  }

  async #startMetrics(): Promise<void> {
    gaugeBeforeScrape(this.#metrics, {
      policies: () => this.#view.policies(),
      freshness: () => this.#view.freshness(),
      ready: () => this.#view.readiness().ready,
      isLeader: () => this.#election.isLeader(),
      registration: () => this.#registrations.state(),
      certificate: () => this.#certificates.current(),
      watch: () => this.#watchdog.state(),
      calls: () => this.#client.counts(),
      gate: () => this.#gate,
      tally: this.#tally,
      eventsDropped: () => this.#events.dropped(),
      nowMs: this.#clock.nowMs,
    });
    if (this.#options.metricsPort === 0) return;
    this.#metricsServer = createMetricsServer({
      host: this.#options.host,
      port: this.#options.metricsPort,
      metrics: this.#metrics,
      readiness: () => (this.#leaving ? { ready: false, reasons: ["stopping"] } : this.#view.readiness()),
    });
    await this.#metricsServer.start();
  }

  /** Who hears of what. */
  #connect(): void {
    this.#view.onChange(() => this.#wakeUp());
    this.#registrations.onChange(() => {
      this.#statuses.enqueue();
      this.#reporter.changed();
    });
    this.#certificates.onChange(({ certPem, keyPem }) => {
      this.#gate?.replaceCertificate(certPem, keyPem);
      this.#registrations.enqueue();
    });
  }

  #wakeUp(): void {
    this.#registrations.enqueue();
    this.#statuses.enqueue();
    this.#reporter.changed();
  }

  async #isBeingRemoved(): Promise<boolean> {
    if (this.#options.removeOnExit) return true;
    const { namespace, deployment } = this.#options;
    if (deployment === undefined) return false;
    try {
      return await isBeingRemoved(this.#objects("deployments", "control"), namespace, deployment);
    } catch (error) {
      this.#log.warn("it is not known whether Postern is being removed: the registrations stay", {
        error: String(error),
      });
      return false;
    }
  }

  async #cleanUp(): Promise<void> {
    try {
      await this.#registrations.cleanUp();
      this.#log.info("the registrations are gone: nothing calls this gate any more");
    } catch (error) {
      const help = "kubectl delete validatingwebhookconfigurations -l postern.dev/managed-by=postern";
      this.#log.error("the registrations could not be taken away", { error: String(error), help });
    }
  }

  #state(): ReplicaState {
    const { ready, reasons } = this.#view.readiness();
    const { entries } = this.#view.policies();
    const leader = this.#election.isLeader();
    const { phase, problems } = this.#registrations.state();
    const expires = this.#certificates.current()?.notAfterMs;
    const lastAnswerMs = this.#tally.lastAnswerMs();
    const time = (ms: number): string => new Date(ms).toISOString();
    return {
      version: this.#version,
      startedAt: time(this.#startedMs),
      ready,
      reasons,
      leader,
      policies: {
        inForce: entries.filter(({ program }) => program !== undefined).length,
        notReady: entries.filter(({ readiness }) => !readiness.ready).length,
      },
      answers: this.#tally.counts(),
      ...(lastAnswerMs === undefined ? {} : { lastAnswerAt: time(lastAnswerMs) }),
      ...(expires === undefined ? {} : { certificateExpires: time(expires) }),
      ...(leader ? { registration: { phase, problems } } : {}),
      lastFaults: this.#tally.lastFaults(),
    };
  }
}
