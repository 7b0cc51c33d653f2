/**
 * B6: what a policy that does not match adds to a request: the slope of CPU time over the number of policies, by least
 * squares, with the interval that the rounds give.
 */
import { createProgramIndex, evaluate, type PolicyProgram } from "#engine";

import { measure, median, slopeOf } from "./measure.ts";
import { compileText, facts, podSecurityPrograms, requestOf, reviewText } from "./pod-security.ts";

const COUNTS = [0, 250, 500, 1000, 2000];
const REPEATS = 5;

export function b6(): string {
  const matching = podSecurityPrograms().slice(0, 3);
  const request = requestOf(reviewText);
  const slopes: number[] = [];
  const others = Array.from({ length: COUNTS.at(-1) ?? 0 }, (_, index) => otherPolicy(index)).flat();
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const figures = measure(
      COUNTS.map((count) => {
        const index = createProgramIndex<PolicyProgram>([...matching, ...others.slice(0, count)]);
        return {
          name: String(count),
          run: () => index.candidates(request).map((program) => evaluate(program, request, facts)),
        };
      }),
    );
    slopes.push(slopeOf(figures.map((figure) => [Number(figure.name), figure.cpuUs] as const)));
  }
  const sorted = slopes.toSorted((a, b) => a - b);
  return [
    `B6: ${COUNTS.join(", ")} policies that do not match, beside 3 that do`,
    `  slope ${median(slopes).toFixed(5)} us a policy (${sorted[0]?.toFixed(5)} to ${sorted.at(-1)?.toFixed(5)}; goal: <= 0.1)`,
  ].join("\n");
}

/** Kinds, wildcards and namespaces in turn: the ways in which real policies do not match a pod. */
function otherPolicy(index: number): readonly PolicyProgram[] {
  const resources = [
    `kinds: [Kind${index}]`,
    `kinds: ["group${index}.example.com/*/Thing"]`,
    `kinds: [Pod]\n              namespaces: ["team-${index}"]`,
    `kinds: [Pod]\n              operations: [DELETE]`,
  ][index % 4];
  return compileText(
    `apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: other-${index}, annotations: {pod-policies.kyverno.io/autogen-controllers: none}}
spec:
  rules:
    - name: r
      match:
        any:
          - resources:
              ${resources}
      validate: {message: m, pattern: {metadata: {name: "?*"}}}
`,
    "other.yaml",
  );
}
