/** Reads a file of JSON lines, a vector a line. */
import { readFileSync } from "node:fs";

export function* readRows<T>(path: string): Generator<T> {
  for (const line of readFileSync(path, "utf8").split("\n")) {
    if (line !== "") yield JSON.parse(line) as T;
  }
}
