/**
 * Keeps the registrations: what the policies want is built, compared and written; the first `Fail` waits for a canary;
 * what the server made of it is read back. It runs in every replica and writes in the leader only.
 */
import { OPEN_WHEN_DEAD } from "#catalog";
import type { JsonObject } from "#json";
import type { ObjectClient } from "#kube";
import { createObjects, isNotFound } from "#kube";
import type { Clock } from "#platform";
import { createController } from "../controller.ts";
import type { Controller, ControllerPorts, RegistrationOptions } from "../ports.ts";
import type { Registrations } from "./build-registrations.ts";
import { buildRegistrations, dashed } from "./build-registrations.ts";
import type { CanaryResult } from "./canary.ts";
import { tryCanary } from "./canary.ts";
import { findRunningKyverno } from "./guard.ts";
import { namesOf } from "./names.ts";
import type { Gap } from "./policy-reach.ts";
import type { HandPatch } from "./reconcile.ts";
import { objectIn, textIn, webhooksIn } from "./fields.ts";
import { droppedConditions, reconcile } from "./reconcile.ts";

export type RegistrationPhase = "waiting" | "refused" | "proving" | "guarding" | "ignoring";

export type RegistrationState = {
  /**
   * `waiting`: for the leader's turn, a certificate or discovery. `refused`: somebody else has the names. `proving`: written
   * with Ignore until a canary comes through. `guarding`: as the policies want it. `ignoring`: the server drops match
   * conditions, so that nothing is Fail.
   */
  readonly phase: RegistrationPhase;
  readonly handPatches: readonly HandPatch[];
  /** By policy key. */
  readonly gaps: ReadonlyMap<string, readonly Gap[]>;
  /** Sentences for whoever looks after it. */
  readonly problems: readonly string[];
};

export type WebhookConfigController = Controller & {
  readonly state: () => RegistrationState;
  readonly canary: () => Promise<CanaryResult>;
  /**
   * Sets the webhooks of policies that ask for it to Ignore, as a hand would: it stays until somebody says otherwise.
   * @returns their names
   */
  readonly open: () => Promise<readonly string[]>;
  /** Takes all registrations away: for the end of Postern in a cluster. */
  readonly cleanUp: () => Promise<void>;
  /** Called after a run that changed the state. */
  readonly onChange: (listener: () => void) => void;
};

const EVERY_MS = 30_000;
const SETTLE_MS = 200;
const DISCOVERY_EVERY_MS = 30_000;

export function createWebhookConfigController(
  ports: ControllerPorts,
  options: RegistrationOptions,
  clock: Clock,
): WebhookConfigController {
  return new Keeper(ports, options, clock);
}

class Keeper implements WebhookConfigController {
  readonly #ports: ControllerPorts;
  readonly #options: RegistrationOptions;
  readonly #clock: Clock;
  readonly #objects: ObjectClient;
  readonly #namespaces: ObjectClient;
  readonly #loop: Controller;
  readonly #listeners: (() => void)[] = [];
  #state: RegistrationState = { phase: "waiting", handPatches: [], gaps: new Map(), problems: [] };
  #proven = false;
  #conditionsDropped = false;
  #discoveredMs = Number.NEGATIVE_INFINITY;
  #owner: JsonObject | undefined;

  constructor(ports: ControllerPorts, options: RegistrationOptions, clock: Clock) {
    this.#ports = ports;
    this.#options = options;
    this.#clock = clock;
    const type = {
      group: "admissionregistration.k8s.io",
      version: "v1",
      resource: "validatingwebhookconfigurations",
    };
    this.#objects = createObjects(ports.client, type, "control");
    this.#namespaces = createObjects(
      ports.client,
      { group: "", version: "v1", resource: "namespaces" },
      "control",
    );
    this.#loop = createController({
      run: () => this.#run(),
      onFailure: (error) => {
        const message = error instanceof Error ? error.message : String(error);
        ports.log.warn("registrations could not be kept", { error: message });
        this.#show({ ...this.#state, problems: [`registrations could not be kept: ${message}`] });
      },
      clock,
      settleMs: SETTLE_MS,
      everyMs: EVERY_MS,
    });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  enqueue(): void {
    this.#loop.enqueue();
  }

  state(): RegistrationState {
    return this.#state;
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  canary(): Promise<CanaryResult> {
    const nonce = `${this.#clock.nowMs().toString(36)}-${this.#clock.random().toString(36).slice(2)}`;
    return tryCanary(this.#ports.client, this.#options.namespace, nonce);
  }

  async open(): Promise<readonly string[]> {
    const { resource, validate } = namesOf(this.#options.names);
    const asked = new Set(
      this.#ports
        .policies()
        .entries.filter(({ inForce }) => inForce?.policy.annotations[OPEN_WHEN_DEAD] === "true")
        .map((entry) => `${validate}-fail-finegrained-${dashed(entry)}`),
    );
    const found = await this.#find(resource);
    if (found === undefined || asked.size === 0) return [];
    const opened: string[] = [];
    const webhooks = webhooksIn(found).map((webhook) => {
      const name = textIn(webhook, "name");
      if (!asked.has(name) || webhook["failurePolicy"] !== "Fail") return webhook;
      opened.push(name);
      return { ...webhook, failurePolicy: "Ignore" };
    });
    if (opened.length > 0) await this.#objects.replace({ ...found, webhooks });
    return opened;
  }

  async cleanUp(): Promise<void> {
    const { resource, policy, exception, canary } = namesOf(this.#options.names);
    for (const name of [resource, policy, exception, canary]) await this.#objects.remove("", name);
  }

  async #run(): Promise<void> {
    if (!this.#ports.isLeader()) {
      this.#proven = false;
      return;
    }
    const caBundle = this.#ports.caBundle();
    if (caBundle === undefined) return;
    const kyverno = await this.#findKyverno();
    if (kyverno !== undefined) {
      this.#show({ ...this.#state, phase: "refused", problems: [kyverno] });
      return;
    }
    const wanted = buildRegistrations({
      snapshot: this.#ports.policies(),
      discovery: await this.#discover(),
      configuration: this.#ports.configuration(),
      options: this.#options,
      caBundle,
      ...(await this.#findOwner()),
    });
    await this.#write(wanted);
    const unproven = await this.#prove();
    // What the canary has shown, and what the server dropped, may change what is to be written.
    this.#conclude(wanted, await this.#write(wanted), unproven);
  }

  async #write(wanted: Registrations): Promise<readonly HandPatch[]> {
    const patches: HandPatch[] = [];
    for (const object of wanted.objects) {
      const found = await this.#find(textIn(objectIn(object, "metadata"), "name"));
      const { write, handPatches } = reconcile(object, found, {
        mayFail: this.#proven,
        conditionsDropped: this.#conditionsDropped,
        keepHandPatches: !this.#options.without.includes("hand-patches"),
      });
      patches.push(...handPatches);
      if (write === undefined) continue;
      const answer =
        found === undefined ? await this.#objects.create(write) : await this.#objects.replace(write);
      this.#readBack(write, answer);
      this.#ports.log.info("registration written", { name: textIn(objectIn(write, "metadata"), "name") });
    }
    return patches;
  }

  #readBack(sent: JsonObject, answer: JsonObject): void {
    if (this.#options.without.includes("read-back")) return;
    const dropped = droppedConditions(sent, answer);
    if (dropped.length === 0) return;
    this.#conditionsDropped = true;
    this.#ports.log.error("the API server dropped match conditions: nothing is registered with Fail", {
      dropped,
    });
  }

  /** Why `Fail` is not proven; `undefined` where it is. */
  async #prove(): Promise<string | undefined> {
    if (this.#options.without.includes("canary")) this.#proven = true;
    if (this.#proven) return undefined;
    const result = await this.canary();
    if (result.ok) {
      this.#proven = true;
      this.#ports.log.info("a canary has come through the API server to a replica and back");
      return undefined;
    }
    this.#clock.later(() => this.enqueue(), 1000);
    return result.reason;
  }

  #conclude(wanted: Registrations, handPatches: readonly HandPatch[], unproven: string | undefined): void {
    const wantsFail = wanted.objects.some((object) =>
      webhooksIn(object).some((webhook) => webhook["failurePolicy"] === "Fail"),
    );
    const problems: string[] = [];
    if (unproven !== undefined) problems.push(`no canary has come through yet: ${unproven}`);
    if (this.#conditionsDropped) {
      problems.push(
        "the API server dropped match conditions (before 1.28, or their feature gate is off): nothing is Fail",
      );
    }
    problems.push(...this.#ports.configuration().problems.map((text) => `configuration: ${text}`));
    const phase = this.#conditionsDropped ? "ignoring" : wantsFail && !this.#proven ? "proving" : "guarding";
    this.#show({ phase, handPatches, gaps: wanted.gaps, problems });
  }

  #show(state: RegistrationState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
  }

  async #find(name: string): Promise<JsonObject | undefined> {
    try {
      return await this.#objects.get("", name);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Kinds come and go with CRDs: asked again at every run that is not one of a quick series. */
  async #discover(): Promise<Awaited<ReturnType<ControllerPorts["discovery"]["refresh"]>>> {
    const known = this.#ports.discovery.current();
    const now = this.#clock.nowMs();
    if (known !== undefined && now - this.#discoveredMs < DISCOVERY_EVERY_MS - SETTLE_MS) return known;
    try {
      const discovery = await this.#ports.discovery.refresh();
      this.#discoveredMs = now;
      return discovery;
    } catch (error) {
      if (known === undefined) throw error;
      return known;
    }
  }

  async #findKyverno(): Promise<string | undefined> {
    if (this.#options.names !== "kyverno") return undefined;
    return findRunningKyverno(this.#ports.client, [this.#options.namespace, "kyverno"], this.#clock.nowMs());
  }

  /** Registrations go with the namespace. */
  async #findOwner(): Promise<{ readonly owner?: JsonObject }> {
    if (this.#owner === undefined && this.#options.endpoint.kind === "service") {
      const namespace = await this.#namespaces.get("", this.#options.namespace);
      const uid = textIn(objectIn(namespace, "metadata"), "uid");
      this.#owner = { apiVersion: "v1", kind: "Namespace", name: this.#options.namespace, uid };
    }
    return this.#owner === undefined ? {} : { owner: this.#owner };
  }
}
