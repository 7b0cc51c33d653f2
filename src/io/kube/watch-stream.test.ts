/** Bytes of a watch, in pieces of any size, and broken off at each byte: whole lines come, each once, and nothing else. */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";

import { createWatchStream } from "./watch-stream.ts";

const events = [
  { type: "ADDED", object: { name: "ä", emoji: "🏰", text: "a\nb" } },
  { type: "BOOKMARK", object: { metadata: { resourceVersion: "7" } } },
  { type: "DELETED", object: { name: "", list: [1, 2, { a: null }] } },
];
const bytes = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(""));

/** What was read, and how it ended. `complete` is what node:http says of a body that came whole. */
async function read(
  chunks: readonly Buffer[],
  complete: boolean,
): Promise<{ readonly seen: unknown[]; readonly problem: string }> {
  const body = Object.assign(Readable.from(chunks), { complete });
  const stream = createWatchStream(body as unknown as IncomingMessage, () => body.destroy());
  const seen: unknown[] = [];
  try {
    for await (const event of stream) seen.push(event);
    return { seen, problem: "" };
  } catch (error) {
    return { seen, problem: (error as Error).message };
  }
}

describe("a watch's lines", () => {
  test("come whole, whatever the pieces", async () => {
    for (let size = 1; size <= bytes.length; size++) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size),
      );
      expect(await read(chunks, true)).toEqual({ seen: events, problem: "" });
    }
  });

  test("that are cut off at any byte are not there, and those before are", async () => {
    for (let cut = 0; cut < bytes.length; cut++) {
      const whole = bytes.subarray(0, cut).toString("latin1").split("\n").length - 1;
      const { seen, problem } = await read([bytes.subarray(0, cut)], false);
      expect(seen).toEqual(events.slice(0, whole));
      expect(problem).toBe("watch: the connection broke");
    }
  });

  test("cut in the middle are broken also where the server ended the answer properly", async () => {
    const { seen, problem } = await read([bytes.subarray(0, -1)], true);
    expect([seen.length, problem]).toEqual([2, "watch: the connection broke"]);
  });

  test.each([
    ['{"type":', "watch: a line is not JSON"],
    ["[1]", "watch: a line is no event"],
  ])("that are no event (%s) end it", async (line, message) => {
    expect((await read([Buffer.from(`${line}\n`)], true)).problem).toBe(message);
  });

  test("are not waited for without an end", async () => {
    const chunk = Buffer.alloc(1024 * 1024, "a");
    const chunks = Array.from({ length: 66 }, () => chunk);
    expect((await read(chunks, false)).problem).toBe("watch: a line has no end");
  });
});
