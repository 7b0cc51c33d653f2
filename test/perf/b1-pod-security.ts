/**
 * B1: all rules of the eighteen pod-security policies on one pod, beside JSON.parse of its review in the same run.
 */
import { createProgramIndex, evaluate } from "#engine";

import { measure, ratioOf } from "./measure.ts";
import { facts, podSecurityPrograms, requestOf, reviewText } from "./pod-security.ts";

export function b1(): string {
  const programs = podSecurityPrograms();
  const index = createProgramIndex(programs);
  const request = requestOf(reviewText);
  const rules = programs.flatMap((program) => evaluateRules(program));
  const [parse, evaluation, fresh] = measure([
    { name: "JSON.parse", run: () => JSON.parse(reviewText) as unknown },
    {
      name: "evaluate",
      run: () => index.candidates(request).map((program) => evaluate(program, request, facts)),
    },
    {
      name: "fresh request",
      run: () => {
        const one = { ...request };
        return index.candidates(one).map((program) => evaluate(program, one, facts));
      },
    },
  ]);
  if (parse === undefined || evaluation === undefined || fresh === undefined) return "";
  const line = (figure: typeof parse): string =>
    `  ${figure.name.padEnd(14)} ${figure.cpuUs.toFixed(1)} us of CPU (${figure.low.toFixed(1)} to ${figure.high.toFixed(1)}), ${Math.round(figure.bytes)} bytes`;
  return [
    `B1: ${programs.length} policies, ${rules.length} rule results, review of ${reviewText.length} bytes`,
    line(parse),
    line(evaluation),
    line(fresh),
    `  ratio evaluate / JSON.parse: ${ratioOf(evaluation, parse).toFixed(2)}; with a request object of its own: ${ratioOf(fresh, parse).toFixed(2)} (goal: < 1)`,
  ].join("\n");

  function evaluateRules(program: (typeof programs)[number]): readonly unknown[] {
    const verdict = evaluate(program, request, facts);
    return verdict.kind === "verdict" ? verdict.rules : [];
  }
}
