/**
 * B7: growth of the cost with the number of containers: the exponent of cost over size, by least squares on logarithms.
 */
import { createProgramIndex, evaluate } from "#engine";
import type { JsonObject } from "#json";

import { measure } from "./measure.ts";
import { facts, podSecurityPrograms, requestFor, requestOf, reviewText } from "./pod-security.ts";

const SIZES = [8, 16, 32, 64, 128, 256];

export function b7(): string {
  const index = createProgramIndex(podSecurityPrograms());
  const figures = measure(
    SIZES.map((size) => {
      const request = requestFor(podWith(size));
      return {
        name: String(size),
        run: () => index.candidates(request).map((program) => evaluate(program, request, facts)),
      };
    }),
  );
  const points = figures.map((figure) => [Math.log(Number(figure.name)), Math.log(figure.cpuUs)] as const);
  return [
    `B7: pods of ${SIZES.join(", ")} containers: ${figures.map((figure) => figure.cpuUs.toFixed(0)).join(", ")} us`,
    `  exponent ${exponentOf(points).toFixed(3)} (goal: <= 1.05)`,
  ].join("\n");
}

function podWith(size: number): JsonObject {
  const pod = structuredClone(requestOf(reviewText).object) as { spec: { containers: unknown[] } };
  const [container] = pod.spec.containers;
  pod.spec.containers = Array.from({ length: size }, (_, index) => ({
    ...(structuredClone(container) as object),
    name: `c${index}`,
  }));
  return pod as unknown as JsonObject;
}

function exponentOf(points: readonly (readonly [number, number])[]): number {
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return above / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
