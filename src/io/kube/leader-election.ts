/**
 * One leader at a time, by a Lease, as client-go elects: whoever writes the Lease holds it until it has not been renewed
 * for its duration. Nobody trusts another's clock: a Lease counts from when this process had seen it as it is, and
 * durations are measured by a clock that nobody can set. Writes are guarded by resourceVersion, so two cannot take it at
 * once; a leader that could not renew in time stops being one before the Lease can pass to somebody else.
 * INVARIANT: between `onStarted` and `onStopped` of one process there is none of another, unless somebody deletes the Lease.
 * SPEC: client-go tools/leaderelection (leaderelection.go, resourcelock/leaselock.go).
 */
import { Fault, invariant } from "#diag";
import type { JsonObject } from "#json";
import { isObject } from "#json";
import type { Clock } from "#platform";
import { wait } from "#platform";
import type { LeaderElection, LeaderOptions, ObjectClient } from "./contract.ts";
import { KubeError, isConflict, isNotFound } from "./kube-error.ts";

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
  /** The Lease as it was last seen, and since when it has been known to be like that. */
  #seen: { readonly lease: JsonObject; readonly mark: string; readonly sinceMs: number } | undefined;
  #renewedMs = 0;
  #callOffDeadline: () => void = () => undefined;
  #running: Promise<void> | undefined;

  constructor(leases: ObjectClient, options: LeaderOptions, clock: Clock) {
    this.#leases = leases;
    this.#options = options;
    this.#clock = clock;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
    this.#renewMs = options.renewMs ?? RENEW_MS;
    this.#retryMs = options.retryMs ?? RETRY_MS;
    invariant(this.#leaseMs > this.#renewMs, "a lease is longer than its renewal may take");
    invariant(this.#renewMs > this.#retryMs * JITTER, "a renewal is tried more than once");
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** False from the moment that a renewal is overdue, also where the timer that finds out is late. */
  isLeader(): boolean {
    return this.#leading && !this.#isOverdue();
  }

  async release(): Promise<void> {
    this.#stopped.abort();
    await this.#running;
    const lease = this.#seen?.lease;
    this.#seen = undefined;
    if (lease === undefined || holderOf(lease) !== this.#options.identity) return;
    try {
      await this.#inTime(this.#leases.replace(this.#givenBack(lease)));
    } catch (error) {
      // It runs out by itself.
      if (!(error instanceof Fault)) throw error;
    }
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const got = await this.#tryToHold();
      if (signal.aborted) break;
      if (got && !this.#leading && !this.#isOverdue()) {
        this.#leading = true;
        this.#options.onStarted();
      }
      const pauseMs = this.#leading ? this.#retryMs : this.#retryMs * (1 + this.#clock.random() * JITTER);
      await wait(this.#clock, pauseMs, signal);
    }
    this.#lose();
  }

  #isOverdue(): boolean {
    return this.#clock.monotonicMs() - this.#renewedMs >= this.#renewMs;
  }

  #lose(): void {
    this.#callOffDeadline();
    if (!this.#leading) return;
    this.#leading = false;
    this.#options.onStopped();
  }

  /** Whether the Lease is ours as of now; what fails is tried again at the next turn. */
  async #tryToHold(): Promise<boolean> {
    try {
      return (await this.#renew()) || (await this.#readAndHold());
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return false;
    }
  }

  /** A leader has the last version at hand; only where somebody else wrote it has to look. */
  async #renew(): Promise<boolean> {
    if (!this.#leading || this.#seen === undefined) return false;
    try {
      return await this.#hold(this.#seen.lease);
    } catch (error) {
      if (isConflict(error) || isNotFound(error)) return false;
      throw error;
    }
  }

  async #readAndHold(): Promise<boolean> {
    const lease = await this.#read();
    if (lease === undefined) return this.#hold(undefined);
    // From after the answer: a slow one says nothing of when its Lease was written, but that it was before now.
    const nowMs = this.#clock.monotonicMs();
    this.#observe(lease, nowMs);
    if (this.#mayTake(lease, nowMs)) return this.#hold(lease);
    this.#lose();
    return false;
  }

  async #read(): Promise<JsonObject | undefined> {
    try {
      return await this.#inTime(this.#leases.get(this.#options.namespace, this.#options.name));
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Writes the Lease as ours. It is held as of when the call was begun: others may see the write from then on. */
  async #hold(lease: JsonObject | undefined): Promise<boolean> {
    const startedMs = this.#clock.monotonicMs();
    const next = this.#leaseOf(lease);
    const call = lease === undefined ? this.#leases.create(next) : this.#leases.replace(next);
    this.#observe(await this.#inTime(call), this.#clock.monotonicMs());
    this.#renewedMs = startedMs;
    this.#callOffDeadline();
    this.#callOffDeadline = this.#clock.later(
      () => this.#lose(),
      startedMs + this.#renewMs - this.#clock.monotonicMs(),
    );
    return true;
  }

  /**
   * Waits for an answer as long as client-go does, so that a call that hangs costs one turn. The call may still be done
   * after that: the guard by version makes it harmless, and the next turn finds it.
   */
  #inTime<T>(call: Promise<T>): Promise<T> {
    return new Promise((done, fail) => {
      const callOff = this.#clock.later(
        () => fail(new KubeError({ status: 0, reason: "", message: "lease: no answer in time" })),
        this.#renewMs / 2,
      );
      void call.then(done, fail).finally(callOff);
    });
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

  #leaseOf(previous: JsonObject | undefined): JsonObject {
    const { namespace, name, identity } = this.#options;
    const now = microTime(this.#clock.nowMs());
    const spec = specOf(previous);
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
        leaseDurationSeconds: Math.max(1, Math.ceil(this.#leaseMs / 1000)),
        acquireTime: mine ? (spec["acquireTime"] ?? now) : now,
        renewTime: now,
        leaseTransitions: mine || previous === undefined ? transitions : transitions + 1,
      },
    };
  }

  #givenBack(lease: JsonObject): JsonObject {
    const now = microTime(this.#clock.nowMs());
    const free = { holderIdentity: "", leaseDurationSeconds: 1, acquireTime: now, renewTime: now };
    return { ...lease, spec: { ...specOf(lease), ...free } };
  }
}

function specOf(lease: JsonObject | undefined): JsonObject {
  const spec = lease?.["spec"];
  return isObject(spec) ? spec : {};
}

function holderOf(lease: JsonObject): string {
  const holder = specOf(lease)["holderIdentity"];
  return typeof holder === "string" ? holder : "";
}

function durationMs(lease: JsonObject, otherwise: number): number {
  const seconds = specOf(lease)["leaseDurationSeconds"];
  return typeof seconds === "number" && seconds > 0 ? seconds * 1000 : otherwise;
}

/** Kubernetes' MicroTime: microseconds, always. */
function microTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, -1)}000Z`;
}
