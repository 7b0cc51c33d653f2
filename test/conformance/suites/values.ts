/** The small languages of `#text`, as the Go libraries themselves answered. */
import { Budget } from "#diag";
import { QueryError, compileQuery, isSyntaxError } from "#jmespath";
import type { Json } from "#json";
import {
  compareQuantity,
  compareSemver,
  compileLabelSelector,
  compileLabelTest,
  compileWildcard,
  durationError,
  durationSeconds,
  formatDuration,
  formatQuantity,
  formatSemver,
  hasWildcard,
  isStandardCron,
  matchWildcard,
  nextCron,
  parseCron,
  parseDuration,
  parseQuantity,
  parseSelector,
  parseSemver,
  parseSemverRange,
  quantityAsInt64,
  quantityError,
  quantityScaled,
  quantitySign,
  semverError,
  semverRangeError,
} from "#text";
import type { Labels, LabelSelector, Selector, SelectorError } from "#text";
import { readRows } from "../rows.ts";
import type { Row, Suite } from "../suite.ts";

type Vector = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly lib: string;
  readonly fn?: string;
  readonly expect: unknown;
};

type Answer = (vector: Vector) => unknown;

export const suite: Suite = {
  name: "values",
  bar: 99,
  data: "vectors/engine/values.jsonl",
  deviations: [],
  *run(path) {
    for (const vector of readRows<Vector>(path)) yield answer(vector);
  },
};

const answers: Readonly<Record<string, Answer>> = {
  "quantity/parse": (vector) => describeQuantity(String(vector["input"])),
  "quantity/cmp": (vector) => compareQuantities(String(vector["a"]), String(vector["b"])),
  duration: (vector) => describeDuration(String(vector["input"])),
  "wildcard/match": (vector) => matchBothWays(String(vector["pattern"]), String(vector["name"])),
  "wildcard/contains": (vector) => hasWildcard(String(vector["pattern"])),
  "semver/parse": (vector) => describeVersion(String(vector["input"])),
  "semver/cmp": (vector) => compareVersions(String(vector["a"]), String(vector["b"])),
  "semver/range": (vector) => isInRange(String(vector["version"]), String(vector["range"])),
  "selector/parse": (vector) => describeSelector(parseSelector(String(vector["input"])), labelsOf(vector)),
  "selector/labelSelector": (vector) =>
    describeSelector(compileLabelSelector(selectorOf(vector)), labelsOf(vector)),
  cron: (vector) => describeCron(String(vector["schedule"]), String(vector["now"])),
  "selector/check": (vector) => checkSelector(selectorOf(vector) ?? {}, labelsOf(vector)),
};

function answer(vector: Vector): Row {
  const { id, lib, fn, expect } = vector;
  const name = fn === undefined ? lib : `${lib}/${fn}`;
  const give = lib === "arith" ? calculate : answers[name];
  if (give === undefined) return { id, uncovered: name };
  const got = give(vector);
  return { id, passed: same(got, expect), want: expect, got, input: vector };
}

/** Both without the order of keys. */
function same(got: unknown, want: unknown): boolean {
  return JSON.stringify(sorted(got)) === JSON.stringify(sorted(want));
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The arithmetic of JMESPath functions, on quantities, durations and numbers. */
function calculate(vector: Vector): unknown {
  const query = compileQuery(`${vector.fn}(a, b)`);
  if (isSyntaxError(query)) return { error: query.message };
  const data = { a: vector["a"] as Json, b: vector["b"] as Json };
  const result = query.evaluate(data, {
    budget: new Budget(1000),
    nowMs: 0,
    random: () => 0,
    externalHost: () => false,
  });
  return result instanceof QueryError ? { error: `JMESPath query failed: ${result.message}` } : { result };
}

function describeQuantity(input: string): unknown {
  const quantity = parseQuantity(input);
  if (quantity === undefined) return { error: quantityError(input) };
  const asInt64 = quantityAsInt64(quantity);
  return {
    ...(asInt64 === undefined ? {} : { asInt64: String(asInt64) }),
    format: quantity.format,
    milliValue: String(quantityScaled(quantity, 3)),
    sign: quantitySign(quantity),
    string: formatQuantity(quantity),
    value: String(quantityScaled(quantity, 0)),
  };
}

function compareQuantities(a: string, b: string): unknown {
  const left = parseQuantity(a);
  const right = parseQuantity(b);
  if (left === undefined) return { error: quantityError(a) };
  return right === undefined ? { error: quantityError(b) } : compareQuantity(left, right);
}

function describeDuration(input: string): unknown {
  const duration = parseDuration(input);
  if (duration === undefined) return { error: durationError(input) };
  return {
    nanoseconds: String(duration),
    seconds: durationSeconds(duration),
    string: formatDuration(duration),
  };
}

/** The compiled form and the plain one must agree before either is compared with upstream. */
function matchBothWays(pattern: string, name: string): unknown {
  const plain = matchWildcard(pattern, name);
  const compiled = compileWildcard(pattern)(name);
  return plain === compiled ? plain : { plain, compiled };
}

function describeVersion(input: string): unknown {
  const version = parseSemver(input);
  if (version === undefined) return { error: semverError(input) };
  const { major, minor, patch, prerelease, build } = version;
  return {
    build: build.length === 0 ? null : build,
    major: Number(major),
    minor: Number(minor),
    patch: Number(patch),
    pre: `[${prerelease.join(" ")}]`,
    string: formatSemver(version),
  };
}

function compareVersions(a: string, b: string): unknown {
  const left = parseSemver(a);
  const right = parseSemver(b);
  if (left === undefined) return { error: semverError(a) };
  return right === undefined ? { error: semverError(b) } : compareSemver(left, right);
}

function isInRange(text: string, range: string): unknown {
  const test = parseSemverRange(range);
  if (test === undefined) return { error: semverRangeError(range) };
  const version = parseSemver(text);
  return version === undefined ? { versionError: semverError(text) } : test(version);
}

function labelsOf(vector: Vector): Labels {
  return vector["labels"] as Labels;
}

function selectorOf(vector: Vector): LabelSelector | null {
  return vector["selector"] as LabelSelector | null;
}

function describeSelector(selector: Selector | SelectorError, labels: Labels): unknown {
  if ("error" in selector) return selector;
  return { matches: selector.matches(labels), string: selector.text };
}

function checkSelector(selector: LabelSelector, labels: Labels): unknown {
  const test = compileLabelTest(selector);
  const error = test.error(labels);
  return error === undefined ? test.matches(labels) : { error };
}

function describeCron(schedule: string, now: string): unknown {
  const admission = isStandardCron(schedule) ? "accepted" : "rejected";
  const cron = parseCron(schedule);
  if ("error" in cron) return { admission, error: cron.error };
  const offset = offsetMinutes(now);
  const next: string[] = [];
  let at: number | undefined = Date.parse(now);
  while (next.length < 3 && at !== undefined) {
    at = nextCron(cron, at, offset);
    if (at !== undefined) next.push(printTime(at, offset));
  }
  return { admission, next: next.length === 0 ? null : next };
}

function offsetMinutes(time: string): number {
  const found = /([+-])(\d\d):(\d\d)$/.exec(time);
  if (found === null) return 0;
  const minutes = Number(found[2]) * 60 + Number(found[3]);
  return found[1] === "-" ? -minutes : minutes;
}

function printTime(ms: number, offset: number): string {
  const local = new Date(ms + offset * 60_000).toISOString().slice(0, 19);
  if (offset === 0) return `${local}Z`;
  const size = Math.abs(offset);
  const hours = String(Math.floor(size / 60)).padStart(2, "0");
  return `${local}${offset < 0 ? "-" : "+"}${hours}:${String(size % 60).padStart(2, "0")}`;
}
