/**
 * A line that says how far long work is. Only on a terminal, only when it takes a while, and always gone before anything
 * else is written.
 */
import type { Output, World } from "#platform";
import type { Paint } from "./paint.ts";

export type Progress = {
  /** @param units of what `total` counts, done so far; `count` is what is shown beside the bar */
  readonly update: (units: number, count: number) => void;
  readonly clear: () => void;
};

const SHOW_AFTER_MS = 400;
const EVERY_MS = 100;
const BAR = 24;

/** @param noun what is counted beside the bar */
export function createProgress(world: World, total: number, paint: Paint, noun = "resources"): Progress {
  const output: Output = world.stderr;
  const started = world.nowMs();
  let shownAt = 0;
  let visible = false;
  return {
    update(units, count) {
      const now = world.nowMs();
      if (!output.isTty || now - started < SHOW_AFTER_MS || now - shownAt < EVERY_MS) return;
      shownAt = now;
      visible = true;
      output.write(
        `\r\u001b[K${progressText(units / total, `${count.toLocaleString("en-US")} ${noun}`, paint)}`,
      );
      void output.flush();
    },
    clear() {
      if (!visible) return;
      visible = false;
      output.write("\r\u001b[K");
      void output.flush();
    },
  };
}

/** @param done the share; not finite where the total is not known */
function progressText(done: number, count: string, paint: Paint): string {
  if (!Number.isFinite(done)) return paint.dim(count);
  const share = Math.min(1, done);
  const filled = Math.round(share * BAR);
  const bar = `${paint.cyan("━".repeat(filled))}${paint.dim("━".repeat(BAR - filled))}`;
  return `${bar} ${String(Math.floor(share * 100)).padStart(3)} %  ${paint.dim(count)}`;
}
