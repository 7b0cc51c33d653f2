/**
 * The lines of a watch: JSON objects, one a line, for as long as the server likes. A line may come in pieces; one that
 * was cut off by a broken connection is an error and never half an object.
 */
import type { IncomingMessage } from "node:http";
import { StringDecoder } from "node:string_decoder";

import type { JsonObject } from "#json";
import { isObject } from "#json";
import type { KubeStream } from "./contract.ts";
import { KubeError } from "./kube-error.ts";

/** An API server's objects are at most some megabytes; a line beyond this is no event. */
const MAX_LINE = 64 * 1024 * 1024;

export function createWatchStream(answer: IncomingMessage, close: () => void): KubeStream {
  return { close, [Symbol.asyncIterator]: () => readLines(answer) };
}

async function* readLines(answer: IncomingMessage): AsyncGenerator<JsonObject> {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  try {
    for await (const chunk of answer) {
      if (!Buffer.isBuffer(chunk)) continue;
      const text = decoder.write(chunk);
      // Only what is new is looked through: a line of many pieces costs what it is long.
      const end = text.lastIndexOf("\n");
      if (end < 0) rest += text;
      else {
        const lines = (rest + text.slice(0, end)).split("\n");
        rest = text.slice(end + 1);
        yield* lines.filter((line) => line.trim() !== "").map(decodeLine);
      }
      if (rest.length > MAX_LINE) throw broken("a line has no end");
    }
  } catch (error) {
    throw error instanceof KubeError
      ? error
      : broken(error instanceof Error ? error.message : String(error), error);
  }
  if (rest.trim() !== "" || !answer.complete) throw broken("the connection broke");
}

function decodeLine(line: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw broken("a line is not JSON", error);
  }
  if (!isObject(value)) throw broken("a line is no event");
  return value;
}

function broken(what: string, cause?: unknown): KubeError {
  return new KubeError({ status: 0, reason: "", message: `watch: ${what}`, cause });
}
