/**
 * One leader at a time, by a Lease, as client-go elects: whoever writes the Lease holds it until it has not been renewed
 * for its duration. Nobody trusts another's clock: a Lease counts from when this process first saw it as it is. Writes
 * are guarded by resourceVersion, so two cannot take it at once; a leader that could not renew in time stops being one
 * before the Lease can pass to somebody else.
 * SPEC: client-go tools/leaderelection (leaderelection.go, resourcelock/leaselock.go).
 */
import type { JsonObject } from "#json";
import { isObject } from "#json";
import type { Clock } from "#platform";
import { wait } from "#platform";
import type { LeaderElection, LeaderOptions, ObjectClient } from "./contract.ts";
import { KubeError, isNotFound } from "./kube-error.ts";

const LEASE_MS = 15_000;
const RENEW_MS = 10_000;
const RETRY_MS = 2000;
const JITTER = 1.2;

/** @param leases purpose `leader` */
export function createLeaderElection(
  leases: ObjectClient,
  options: LeaderOptions,
  clock: Clock,
): LeaderElection {
  return new Election(leases, options, clock);
}

class Election implements LeaderElection {
  readonly #leases: ObjectClient;
  readonly #options: LeaderOptions;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #renewMs: number;
  readonly #retryMs: number;
  readonly #stopped = new AbortController();
  #leading = false;
  /** The Lease as it was last seen, and when it was first seen like that. */
  #seen: { readonly lease: JsonObject; readonly mark: string; readonly sinceMs: number } | undefined;
  #renewedMs = 0;
  #running: Promise<void> | undefined;

  constructor(leases: ObjectClient, options: LeaderOptions, clock: Clock) {
    this.#leases = leases;
    this.#options = options;
    this.#clock = clock;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
    this.#renewMs = options.renewMs ?? RENEW_MS;
    this.#retryMs = options.retryMs ?? RETRY_MS;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** False from the moment that a renewal is overdue, also where the loop that finds out is late. */
  isLeader(): boolean {
    return this.#leading && this.#clock.nowMs() - this.#renewedMs < this.#renewMs;
  }

  async release(): Promise<void> {
    const held = this.#leading;
    this.#stopped.abort();
    await this.#running;
    if (!held || this.#seen === undefined) return;
    try {
      await this.#write(this.#seen.lease, { holder: "", seconds: 1 });
    } catch (error) {
      // It runs out by itself.
      if (!(error instanceof KubeError)) throw error;
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const got = await this.#tryToHold();
      if (got && !this.#leading) {
        this.#leading = true;
        this.#options.onStarted();
      }
      if (this.#leading && !this.isLeader()) this.#lose();
      const pauseMs = this.#leading ? this.#retryMs : this.#retryMs * (1 + this.#clock.random() * JITTER);
      await wait(this.#clock, pauseMs, signal);
    }
    if (this.#leading) this.#lose();
  }

  #lose(): void {
    this.#leading = false;
    this.#options.onStopped();
  }

  async #tryToHold(): Promise<boolean> {
    const startedMs = this.#clock.nowMs();
    try {
      const lease = await this.#read();
      if (lease === undefined) {
        this.#keep(await this.#leases.create(this.#leaseOf(undefined)), startedMs);
        return true;
      }
      this.#observe(lease, startedMs);
      if (!this.#mayTake(lease, startedMs)) {
        if (this.#leading && holderOf(lease) !== this.#options.identity) this.#lose();
        return false;
      }
      this.#keep(await this.#write(lease), startedMs);
      return true;
    } catch (error) {
      if (!(error instanceof KubeError)) throw error;
      return false;
    }
  }

  async #read(): Promise<JsonObject | undefined> {
    try {
      return await this.#leases.get(this.#options.namespace, this.#options.name);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #mayTake(lease: JsonObject, nowMs: number): boolean {
    const holder = holderOf(lease);
    if (holder === "" || holder === this.#options.identity) return true;
    const since = this.#seen?.sinceMs ?? nowMs;
    return nowMs - since >= durationMs(lease, this.#leaseMs);
  }

  #observe(lease: JsonObject, nowMs: number): void {
    const mark = JSON.stringify(lease["spec"] ?? null);
    this.#seen = { lease, mark, sinceMs: this.#seen?.mark === mark ? this.#seen.sinceMs : nowMs };
  }

  /** Held as of when the call was begun: the server may have answered much later than it wrote. */
  #keep(lease: JsonObject, startedMs: number): void {
    this.#observe(lease, startedMs);
    this.#renewedMs = startedMs;
  }

  #write(
    lease: JsonObject,
    change?: { readonly holder: string; readonly seconds: number },
  ): Promise<JsonObject> {
    const next = this.#leaseOf(lease);
    if (change === undefined) return this.#leases.replace(next);
    const spec = isObject(next["spec"]) ? next["spec"] : {};
    return this.#leases.replace({
      ...next,
      spec: { ...spec, holderIdentity: change.holder, leaseDurationSeconds: change.seconds },
    });
  }

  #leaseOf(previous: JsonObject | undefined): JsonObject {
    const { namespace, name, identity } = this.#options;
    const now = microTime(this.#clock.nowMs());
    const spec = isObject(previous?.["spec"]) ? previous["spec"] : {};
    const mine = previous !== undefined && holderOf(previous) === identity;
    const transitions = typeof spec["leaseTransitions"] === "number" ? spec["leaseTransitions"] : 0;
    const metadata = isObject(previous?.["metadata"]) ? previous["metadata"] : { name, namespace };
    return {
      apiVersion: "coordination.k8s.io/v1",
      kind: "Lease",
      metadata,
      spec: {
        ...spec,
        holderIdentity: identity,
        leaseDurationSeconds: Math.max(1, Math.round(this.#leaseMs / 1000)),
        acquireTime: mine ? (spec["acquireTime"] ?? now) : now,
        renewTime: now,
        leaseTransitions: mine || previous === undefined ? transitions : transitions + 1,
      },
    };
  }
}

function holderOf(lease: JsonObject): string {
  const spec = lease["spec"];
  const holder = isObject(spec) ? spec["holderIdentity"] : undefined;
  return typeof holder === "string" ? holder : "";
}

function durationMs(lease: JsonObject, otherwise: number): number {
  const spec = lease["spec"];
  const seconds = isObject(spec) ? spec["leaseDurationSeconds"] : undefined;
  return typeof seconds === "number" && seconds > 0 ? seconds * 1000 : otherwise;
}

/** Kubernetes' MicroTime: microseconds, always. */
function microTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -1)}000Z`;
}
