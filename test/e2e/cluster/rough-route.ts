/**
 * A way to a server on which everything goes wrong that goes wrong with connections: they break at once or in the middle
 * of an answer, nobody connects for a while, or what is connected goes on and nothing arrives any more.
 */
import { connect, createServer, type Socket } from "node:net";

import { listen } from "../control-plane/route.ts";

export type RoughRoute = {
  /** `https://127.0.0.1:port` */
  readonly address: string;
  /** Everything breaks, and nobody connects until `mend`. */
  readonly cut: () => void;
  readonly mend: () => void;
  /** What is connected now breaks; whoever comes next is let through. */
  readonly breakNow: () => void;
  /** What is connected now breaks once so many more bytes of answers have come through. */
  readonly breakAfter: (bytes: number) => void;
  /** What is connected now never hears of anything again, and is not told. */
  readonly hush: () => void;
  readonly close: () => Promise<void>;
};

/** `left` counts the bytes of answers that a connection still lets through before it breaks. */
type Line = { readonly incoming: Socket; readonly outgoing: Socket; left: number; hushed: boolean };

/** @param target `https://host:port` */
export async function openRoughRoute(target: string): Promise<RoughRoute> {
  const { hostname, port } = new URL(target);
  const lines = new Set<Line>();
  let isCut = false;

  const server = createServer((incoming) => {
    if (isCut) {
      incoming.resetAndDestroy();
      return;
    }
    const line: Line = {
      incoming,
      outgoing: connect(Number(port), hostname),
      left: Number.POSITIVE_INFINITY,
      hushed: false,
    };
    lines.add(line);
    join(line, () => lines.delete(line));
  });
  const forEach =
    (run: (line: Line) => void): (() => void) =>
    () => {
      for (const line of lines) run(line);
    };
  const breakNow = forEach((line) => line.incoming.resetAndDestroy());

  return {
    address: `https://127.0.0.1:${await listen(server)}`,
    cut() {
      isCut = true;
      breakNow();
    },
    mend() {
      isCut = false;
    },
    breakNow,
    breakAfter: (bytes) => forEach((line) => (line.left = bytes))(),
    hush: forEach((line) => (line.hushed = true)),
    close: () =>
      new Promise((done) => {
        breakNow();
        server.close(() => done());
      }),
  };
}

function join(line: Line, onGone: () => void): void {
  const { incoming, outgoing } = line;
  const end = (): void => {
    onGone();
    incoming.resetAndDestroy();
    outgoing.destroy();
  };
  for (const socket of [incoming, outgoing]) socket.on("error", end).on("close", end);
  incoming.on("data", (chunk) => {
    if (!line.hushed) outgoing.write(chunk);
  });
  outgoing.on("data", (chunk) => {
    if (line.hushed) return;
    const passed = chunk.subarray(0, line.left);
    line.left -= passed.length;
    // A slow reader slows the server down, as without a route between them.
    if (!incoming.write(passed)) outgoing.pause();
    if (line.left === 0) setTimeout(end, 5);
  });
  incoming.on("drain", () => outgoing.resume());
}
