/**
 * The compliance suite of the language itself, folder `jmespath`. Kyverno's dialect differs in what becomes of an
 * unknown key: where the language says null, an error that says so is as good. What else differs is a deviation.
 */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "#json";
import { isArray, isObject, member, printJson } from "#json";
import type { AnsweredRow, Deviation, Row, Suite } from "../suite.ts";
import { evaluate } from "./jmespath-vectors.ts";
import type { Answer } from "./jmespath-vectors.ts";

type Group = {
  readonly given: Json;
  readonly cases: readonly Case[];
};

type Case = {
  readonly expression: string;
  readonly result?: Json;
  readonly error?: string;
  readonly bench?: string;
};

type CaseInput = Case & { readonly data: Json };

export const suite: Suite = {
  name: "jmespath",
  bar: 99,
  data: "jmespath",
  deviations: [
    differs("empty-list", "the mean of an empty list is NaN, its sum an error", takesEmptyList),
    differs(
      "raw-backslash",
      "a backslash before the closing quote of a raw text escapes it",
      ({ expression, error }) => error === undefined && /^'[^']*\\'$/.test(expression),
    ),
    differs(
      "many-colons",
      "a slice may end in a colon too many",
      ({ expression, error }) => error !== undefined && /\[(?:-?\d*:){3}\]/.test(expression),
    ),
  ],
  *run(folder) {
    for (const name of readdirSync(folder).filter((file) => file.endsWith(".json"))) {
      const groups = JSON.parse(readFileSync(join(folder, name), "utf8")) as readonly Group[];
      yield* answerGroups(name, groups);
    }
  },
};

/** What Kyverno's own vectors (`language.jsonl`, `functions.jsonl`) say otherwise. */
function differs(id: string, reason: string, covers: (given: CaseInput) => boolean): Deviation {
  return { id, reason, covers: ({ input }) => covers(input as CaseInput) };
}

function takesEmptyList({ expression, data }: CaseInput): boolean {
  const [, argument] = /^(?:avg|sum)\((\w+|`\[\]`)\)$/.exec(expression) ?? [];
  if (argument === undefined) return false;
  const list = isObject(data) && !argument.startsWith("`") ? member(data, argument) : [];
  return isArray(list) && list.length === 0;
}

function* answerGroups(file: string, groups: readonly Group[]): Generator<Row> {
  for (const [at, group] of groups.entries()) {
    for (const [index, given] of group.cases.entries()) {
      const id = `${file}/${at}/${index}`;
      if (given.bench === undefined) yield answerCase(id, given, group.given);
      else yield { id, uncovered: "expressions to measure have no answer" };
    }
  }
}

function answerCase(id: string, given: Case, data: Json): AnsweredRow {
  const got = evaluate(given.expression, data);
  const want = given.error === undefined ? (given.result ?? null) : `error: ${given.error}`;
  return { id, passed: agrees(given, got), want, got, input: { ...given, data } };
}

function agrees(given: Case, got: Answer): boolean {
  if (given.error !== undefined) return "error" in got;
  if ("value" in got) return printJson(got.value) === printJson(given.result ?? null);
  return got.class === "NotFoundError" && (given.result ?? null) === null;
}
