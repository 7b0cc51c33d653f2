/**
 * Evaluates without a pause, as a background scan does, in a process of its own with less of a claim to the CPU: the load
 * beside the gate in B2 and night B.
 */
import { setPriority } from "node:os";

import { createProgramIndex, evaluate } from "#engine";

import { facts, podSecurityPrograms, requestOf, reviewText } from "./pod-security.ts";

setPriority(10);
const index = createProgramIndex(podSecurityPrograms());
for (;;) {
  const request = requestOf(reviewText);
  for (const program of index.candidates(request)) evaluate(program, request, facts);
}
