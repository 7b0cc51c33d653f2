/** One function each: `vectors/jmespath/functions.jsonl`. */
import type { Suite } from "../suite.ts";
import { answerVectors, floatsOnly } from "./jmespath-vectors.ts";

export const suite: Suite = {
  name: "jmespath-functions",
  bar: 99,
  data: "vectors/jmespath/functions.jsonl",
  deviations: [floatsOnly],
  run: answerVectors,
};
