/** Bodies of answers, whole and bounded: a list's page of five hundred large objects is some tens of megabytes. */
import type { IncomingMessage } from "node:http";

import { Fault } from "#diag";
import type { Json } from "#json";
import { decodeJson } from "#json";

const MAX_BYTES = 256 * 1024 * 1024;

/** @throws Fault `kube/too-large`, or as the socket does when the connection breaks */
export async function readBody(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer) {
    if (!Buffer.isBuffer(chunk)) continue;
    bytes += chunk.length;
    if (bytes > MAX_BYTES) {
      answer.destroy();
      throw new Fault("kube/too-large", `the answer is larger than ${MAX_BYTES / 1024 / 1024} MB`);
    }
    chunks.push(chunk);
  }
  if (!answer.complete)
    throw new Fault("kube/cut", "the connection broke within the answer", { retryable: true });
  return Buffer.concat(chunks).toString("utf8");
}

/** JSON, or plain text as a string: some paths (`/healthz`, `/version` of old proxies) answer in text. */
export function decodeBody(text: string): Json {
  if (text === "") return null;
  return decodeJson(text) ?? text;
}
