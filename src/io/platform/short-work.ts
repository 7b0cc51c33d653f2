/**
 * Advice for the engine that runs us. A command that reads small, different inputs runs much of its code a few times:
 * code that is optimised early is then seldom run again, and the optimiser's threads cost more than they save.
 * PERF: CPU of whole processes, medians of five: `postern test` over 235 folders 1.90 s without, 1.24 s with a factor of
 * 4; `postern apply` of 18 policies on 500 pods 0.77 and 0.68 s, on 2,000 1.35 and 1.15 s, on 8,000 2.73 and 2.90 s with
 * a factor of 2.
 */
import { setFlagsFromString } from "node:v8";

/** V8's own measure of how much code runs before it is looked at. */
const USUAL = 132 * 1024;

/**
 * Optimise code later than V8 does by itself. Call it before the work; engines other than V8 ignore it.
 * @param factor how many times longer code runs before it is optimised
 */
export function expectShortWork(factor: number): void {
  setFlagsFromString(`--interrupt-budget=${USUAL * factor}`);
}
