/**
 * Looks at the gate as an API server does: through the API server, with a canary every ten seconds, in the leader. It
 * says when nothing comes through, and when it does again; opening is somebody's choice and done by a port that can touch
 * nothing but registrations.
 */
import type { CanaryResult } from "../webhook-config/canary.ts";
import type { Controller, ControllerLog } from "../ports.ts";
import type { Clock } from "#platform";
import { createController } from "../controller.ts";
import type { WatchState } from "./watch-decision.ts";
import { initialWatch, watchStep } from "./watch-decision.ts";

export type WatchdogPorts = {
  readonly canary: () => Promise<CanaryResult>;
  readonly isLeader: () => boolean;
  readonly lastAnswerMs: () => number | undefined;
  /** Sets what may be opened to Ignore; the names of the webhooks. Absent: nobody asked for it. */
  readonly open: (() => Promise<readonly string[]>) | undefined;
  /** Events and the like; `reason` is one word. */
  readonly tell: (type: "Normal" | "Warning", reason: string, message: string) => void;
  readonly log: ControllerLog;
};

export type Watchdog = Controller & {
  readonly state: () => WatchState;
  /** Clock time of the last canary that came through. */
  readonly lastCanaryMs: () => number | undefined;
};

const EVERY_MS = 10_000;

export function createWatchdog(ports: WatchdogPorts, clock: Clock): Watchdog {
  let state = initialWatch;
  let lastCanaryMs: number | undefined;

  async function run(): Promise<void> {
    if (!ports.isLeader()) {
      state = { ...initialWatch, opened: state.opened };
      return;
    }
    const result = await ports.canary();
    const nowMs = clock.nowMs();
    if (result.ok) lastCanaryMs = nowMs;
    const seen = { nowMs, canaryOk: result.ok, lastAnswerMs: ports.lastAnswerMs() };
    const step = watchStep(state, seen, { mayOpen: ports.open !== undefined });
    state = step.state;
    await act(ports, step.act, result.ok ? "" : result.reason);
  }

  const loop = createController({
    run,
    onFailure: (error) =>
      ports.log.warn("the watchdog could not look", {
        error: error instanceof Error ? error.message : String(error),
      }),
    clock,
    everyMs: EVERY_MS,
  });
  return { ...loopOf(loop), state: () => state, lastCanaryMs: () => lastCanaryMs };
}

function loopOf(loop: Controller): Controller {
  return { start: () => loop.start(), stop: () => loop.stop(), enqueue: () => loop.enqueue() };
}

async function act(
  ports: WatchdogPorts,
  what: "none" | "alarm" | "all-clear" | "open",
  reason: string,
): Promise<void> {
  switch (what) {
    case "none":
      return;
    case "alarm":
      ports.log.error("no canary comes through the API server: calls end by their failurePolicy", { reason });
      ports.tell(
        "Warning",
        "GateUnreachable",
        `no canary comes through the API server to a replica: ${reason}`,
      );
      return;
    case "all-clear":
      ports.log.info("canaries come through the API server again");
      ports.tell("Normal", "GateReachable", "canaries come through the API server again");
      return;
    case "open": {
      const webhooks = (await ports.open?.()) ?? [];
      ports.log.error("the gate does not answer: it was opened where policies ask for it", {
        webhooks,
        reason,
      });
      ports.tell(
        "Warning",
        "GateOpened",
        `the gate does not answer and was opened for ${webhooks.join(", ")}: ${reason}`,
      );
    }
  }
}
