/** Reads a file of JSON lines, a vector a line. */
import { readFileSync } from "node:fs";

import type { Json, TypedJson } from "#json";

export function* readRows<T>(path: string): Generator<T> {
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (line !== "") yield JSON.parse(line) as T;
  }
}

/**
 * As `readRows`, with every number as a text that `numberToken` knows again: for vectors whose answer depends on how a
 * number is written (`1.0` is no integer), or on more digits than a float64 has.
 */
export function* readWrittenRows<T>(path: string): Generator<T> {
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (line !== "") yield JSON.parse(markNumbers(line)) as T;
  }
}

const MARK = "\u0000";
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

function markNumbers(line: string): string {
  return line.replace(TOKEN, (token) => (token.startsWith('"') ? token : JSON.stringify(MARK + token)));
}

/** The number that `value` stands for, as it is written; undefined for everything else. */
export function numberToken(value: Json): string | undefined {
  return typeof value === "string" && value.startsWith(MARK) ? value.slice(1) : undefined;
}

/** The numbers of a written row: digits alone are an int64, everything else is a float64. */
export function writtenNumber(token: string): TypedJson {
  return /^-?\d+$/.test(token) ? BigInt(token) : Number(token);
}
