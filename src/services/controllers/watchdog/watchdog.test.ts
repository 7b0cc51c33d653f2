import { describe, expect, test } from "vitest";

import { createFakeClock } from "../../../../test/support/fake-clock.ts";
import type { CanaryResult } from "../webhook-config/canary.ts";
import { initialWatch, watchStep, type WatchState } from "./watch-decision.ts";
import { createWatchdog } from "./watchdog.ts";

const failing = (state: WatchState, nowMs: number, mayOpen = false, lastAnswerMs?: number) =>
  watchStep(state, { nowMs, canaryOk: false, lastAnswerMs }, { mayOpen });

describe("the watchdog decides", () => {
  test("to raise the alarm after three canaries in a row, once", () => {
    let step = failing(initialWatch, 0);
    const acts = [step.act];
    for (let time = 10_000; time <= 40_000; time += 10_000) {
      step = failing(step.state, time);
      acts.push(step.act);
    }
    expect(acts).toEqual(["none", "none", "alarm", "none", "none"]);
    const clear = watchStep(
      step.state,
      { nowMs: 50_000, canaryOk: true, lastAnswerMs: undefined },
      { mayOpen: false },
    );
    expect(clear).toMatchObject({ act: "all-clear", state: { failures: 0, alarmed: false } });
  });

  test("never to open where nobody asked for it", () => {
    let { state } = failing(initialWatch, 0);
    for (let time = 10_000; time < 3_600_000; time += 10_000) {
      const step = failing(state, time);
      expect(step.act).not.toBe("open");
      state = step.state;
    }
  });

  test("to open after two minutes without any answer, once, and not again after it closed", () => {
    let state = initialWatch;
    const opened: number[] = [];
    for (let time = 0; time < 600_000; time += 10_000) {
      const step = failing(state, time, true);
      state = step.state;
      if (step.act === "open") opened.push(time);
    }
    expect(opened).toEqual([120_000]);
    state = watchStep(
      state,
      { nowMs: 600_000, canaryOk: true, lastAnswerMs: undefined },
      { mayOpen: true },
    ).state;
    for (let time = 610_000; time < 1_200_000; time += 10_000) {
      const step = failing(state, time, true);
      expect(step.act).not.toBe("open");
      state = step.state;
    }
  });

  test("not to open a gate that answers, however badly: overload is not death", () => {
    let state = initialWatch;
    for (let time = 0; time < 600_000; time += 10_000) {
      const step = failing(state, time, true, time - 1000);
      expect(step.act).not.toBe("open");
      state = step.state;
    }
  });
});

describe("the watchdog", () => {
  function setUp(result: () => CanaryResult, open?: () => Promise<readonly string[]>) {
    const clock = createFakeClock();
    const told: string[] = [];
    let leads = true;
    const silent = () => undefined;
    const watchdog = createWatchdog(
      {
        canary: async () => result(),
        isLeader: () => leads,
        lastAnswerMs: () => undefined,
        open,
        tell: (_, reason) => told.push(reason),
        log: { info: silent, warn: silent, error: silent },
      },
      clock,
    );
    return { clock, told, watchdog, lead: (value: boolean) => (leads = value) };
  }

  test("tells when nothing comes through, and when it does again", async () => {
    let ok = true;
    const { clock, told, watchdog } = setUp(() => (ok ? { ok } : { ok: false, reason: "no" }));
    watchdog.start();
    await clock.advance(25_000);
    expect(watchdog.lastCanaryMs()).toBe(clock.nowMs() - 5000);
    ok = false;
    await clock.advance(60_000);
    ok = true;
    await clock.advance(20_000);
    expect(told).toEqual(["GateUnreachable", "GateReachable"]);
    await watchdog.stop();
  });

  test("opens by its port where it may, and looks at nothing where it does not lead", async () => {
    let opened = 0;
    const open = async (): Promise<readonly string[]> => {
      opened += 1;
      return ["w"];
    };
    const { clock, told, watchdog, lead } = setUp(() => ({ ok: false, reason: "no" }), open);
    lead(false);
    watchdog.start();
    await clock.advance(600_000);
    expect([opened, told]).toEqual([0, []]);
    lead(true);
    await clock.advance(600_000);
    expect(opened).toBe(1);
    expect(told).toEqual(["GateUnreachable", "GateOpened"]);
    await watchdog.stop();
  });
});
