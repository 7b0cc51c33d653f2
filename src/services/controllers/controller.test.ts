import { expect, test } from "vitest";

import { createController } from "./controller.ts";
import { createFakeClock } from "../../../test/support/fake-clock.ts";

function setUp(run: () => Promise<void>, everyMs?: number) {
  const clock = createFakeClock();
  const failures: unknown[] = [];
  const controller = createController({
    run,
    onFailure: (error) => failures.push(error),
    clock,
    settleMs: 50,
    ...(everyMs === undefined ? {} : { everyMs }),
  });
  return { clock, controller, failures };
}

test("several changes in a row are one run", async () => {
  let runs = 0;
  const { clock, controller } = setUp(async () => void (runs += 1));
  controller.start();
  controller.enqueue();
  controller.enqueue();
  await clock.advance(50);
  expect(runs).toBe(1);
  controller.enqueue();
  await clock.advance(50);
  expect(runs).toBe(2);
});

test("a change during a run leads to one more run, never to two at once", async () => {
  let [active, most, runs] = [0, 0, 0];
  let finish: () => void = () => undefined;
  const { clock, controller } = setUp(async () => {
    runs += 1;
    active += 1;
    most = Math.max(most, active);
    await new Promise<void>((done) => (finish = done));
    active -= 1;
  });
  controller.start();
  await clock.advance(50);
  controller.enqueue();
  controller.enqueue();
  await clock.advance(500);
  finish();
  await clock.advance(50);
  finish();
  await clock.advance(500);
  expect([runs, most]).toEqual([2, 1]);
});

test("a failed run is tried again, later each time, and a change does not hurry it", async () => {
  let runs = 0;
  const { clock, controller, failures } = setUp(async () => {
    runs += 1;
    if (runs < 4) throw new Error(`no ${runs}`);
  });
  controller.start();
  await clock.advance(50);
  controller.enqueue();
  await clock.advance(200);
  expect(runs).toBe(1);
  await clock.advance(20_000);
  expect(runs).toBe(4);
  expect(failures).toHaveLength(3);
});

test("it runs again after a while where it was asked to, and not after the stop", async () => {
  let runs = 0;
  const { clock, controller } = setUp(async () => void (runs += 1), 1000);
  controller.start();
  await clock.advance(3500);
  expect(runs).toBe(4);
  await controller.stop();
  controller.enqueue();
  await clock.advance(10_000);
  expect(runs).toBe(4);
});

test("the stop waits for the run that is under way", async () => {
  let finish: () => void = () => undefined;
  const { clock, controller } = setUp(() => new Promise<void>((done) => (finish = done)));
  controller.start();
  await clock.advance(50);
  let stopped = false;
  const stop = controller.stop().then(() => (stopped = true));
  await clock.advance(0);
  expect(stopped).toBe(false);
  finish();
  await stop;
});
