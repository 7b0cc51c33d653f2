/**
 * Work that is done again whenever something it hangs on changes. Any number of changes are one run; there is never a
 * second run beside the first; after a failure it is tried again later and later. What a run finds, it finds out anew:
 * there is no queue of things to do that could be lost.
 */
import type { Clock } from "#platform";
import type { Controller } from "./ports.ts";

export type ControllerOptions = {
  /** One run, from what is there now. Rejects to be tried again. */
  readonly run: () => Promise<void>;
  /** Told of a failed run; the loop goes on. */
  readonly onFailure: (error: unknown) => void;
  readonly clock: Clock;
  /** Changes within this time are one run; 0 where absent. */
  readonly settleMs?: number;
  /** Runs also when nothing changed; never where absent. */
  readonly everyMs?: number;
};

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;

export function createController(options: ControllerOptions): Controller {
  return new Loop(options);
}

class Loop implements Controller {
  readonly #options: ControllerOptions;
  #state: "idle" | "started" | "stopped" = "idle";
  #wanted = false;
  #failures = 0;
  #running: Promise<void> | undefined;
  #callOff: (() => void) | undefined;

  constructor(options: ControllerOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#state !== "idle") return;
    this.#state = "started";
    this.enqueue();
  }

  async stop(): Promise<void> {
    this.#state = "stopped";
    this.#callOff?.();
    await this.#running;
  }

  enqueue(): void {
    this.#wanted = true;
    // After a failure the next run waits for its turn: a change is no reason to press a server that is in trouble.
    if (this.#failures === 0) this.#schedule(this.#options.settleMs ?? 0);
  }

  #schedule(delayMs: number): void {
    if (this.#state !== "started" || this.#running !== undefined) return;
    this.#callOff?.();
    this.#callOff = this.#options.clock.later(() => {
      this.#running = this.#runOnce();
    }, delayMs);
  }

  async #runOnce(): Promise<void> {
    this.#wanted = false;
    try {
      await this.#options.run();
      this.#failures = 0;
    } catch (error) {
      this.#failures += 1;
      this.#options.onFailure(error);
    }
    this.#running = undefined;
    this.#scheduleNext();
  }

  #scheduleNext(): void {
    const { settleMs, everyMs } = this.#options;
    if (this.#failures > 0) this.#schedule(this.#pauseMs());
    else if (this.#wanted) this.#schedule(settleMs ?? 0);
    else if (everyMs !== undefined) this.#schedule(everyMs);
  }

  #pauseMs(): number {
    const growing = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (this.#failures - 1));
    return growing * (0.5 + this.#options.clock.random());
  }
}
