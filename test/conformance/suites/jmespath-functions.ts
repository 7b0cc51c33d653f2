/** One function each: `vectors/jmespath/functions.jsonl`. */
import type { AnsweredRow, Suite } from "../suite.ts";
import { answerVectors, floatsOnly, vectorOf } from "./jmespath-vectors.ts";

export const suite: Suite = {
  name: "jmespath-functions",
  bar: 99,
  data: "vectors/jmespath/functions.jsonl",
  deviations: [
    floatsOnly,
    {
      id: "compare-is-a-number",
      reason: "upstream's `compare` gives an int that equals no literal and that few functions take",
      covers: (row) => !row.passed && /\bcompare\(/.test(vectorOf(row).expr),
    },
    {
      id: "sort-by-copies",
      reason: "upstream's `sort_by` changes the document for what is evaluated after it",
      covers: (row) => !row.passed && /\bsort_by\((\w+),.*\).*\b\1\b/.test(vectorOf(row).expr),
    },
    {
      id: "items-are-values",
      reason: "upstream's list of `items` equals no other list, whatever is in it",
      covers: (row) => !row.passed && /\bitems\([^[]*\) ?[!=]= ?/.test(vectorOf(row).expr),
    },
    {
      id: "yaml-words",
      reason: "errors in YAML are told in the words of our own parser",
      covers: (row) => !row.passed && /\bparse_yaml\(/.test(vectorOf(row).expr) && bothFail(row),
    },
  ],
  run: answerVectors,
};

function bothFail(row: AnsweredRow): boolean {
  return (
    vectorOf(row).expect.error !== undefined && (row.got as { readonly error?: string }).error !== undefined
  );
}
