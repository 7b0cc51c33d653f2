/** The language: `vectors/jmespath/language.jsonl`. */
import type { Suite } from "../suite.ts";
import { answerVectors, floatsOnly } from "./jmespath-vectors.ts";

export const suite: Suite = {
  name: "jmespath-language",
  bar: 99,
  data: "vectors/jmespath/language.jsonl",
  deviations: [floatsOnly],
  run: answerVectors,
};
