/**
 * What networks, clients and clusters do to a gate, one entry a kind. Each is done to an address; what the gate makes of it
 * is looked at from outside (`probe.ts`), so that a server with a defect can be put in its place.
 */
import * as net from "node:net";
import * as tls from "node:tls";

export type FaultTarget = {
  readonly port: number;
  readonly path: string;
  /** A review that every policy lets past. */
  readonly good: string;
  readonly random: () => number;
};

export type FaultKind = {
  readonly name: string;
  /** Resolves when it is done; what came back is of no interest, unless it is a refusal. */
  readonly inject: (target: FaultTarget) => Promise<string>;
};

const HANG_MS = 20_000;

/** Sends pieces over TLS, one after the other, and gives what came back until the connection ends or is cut. */
function speak(
  { port }: FaultTarget,
  pieces: readonly (string | Buffer)[],
  more: { readonly pauseMs?: number; readonly cut?: boolean } = {},
): Promise<string> {
  return new Promise((done, fail) => {
    let text = "";
    const socket = tls.connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
    const limit = setTimeout(() => fail(new Error("the connection hangs")), HANG_MS);
    const end = (): void => {
      clearTimeout(limit);
      socket.destroy();
      done(text);
    };
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("latin1");
      if (/\r\n\r\n/.test(text)) end();
    });
    socket.on("error", end);
    socket.on("close", end);
    const send = async (): Promise<void> => {
      for (const piece of pieces) {
        if (socket.destroyed) return;
        socket.write(piece);
        if (more.pauseMs !== undefined) await new Promise((next) => setTimeout(next, more.pauseMs));
      }
      if (more.cut === true) end();
    };
    socket.on("secureConnect", () => void send());
  });
}

function head(path: string, length: number): string {
  return `POST ${path} HTTP/1.1\r\nhost: gate\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
}

/** One whole request, answered or not. */
function post(target: FaultTarget, body: string): Promise<string> {
  return speak(target, [head(target.path, Buffer.byteLength(body)), body]);
}

function garbage(random: () => number, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => Math.floor(random() * 256)));
}

/** The review with one value somewhere in it replaced by one of another type. */
function withWrongType({ good, random }: FaultTarget): string {
  const review = JSON.parse(good) as Record<string, unknown>;
  const request = review["request"] as Record<string, unknown>;
  const keys = Object.keys(request);
  const key = keys[Math.floor(random() * keys.length)] ?? "uid";
  const scalars = [null, 7, "text", [], true, [{}]];
  // An object that is none of a kind's is no wrong type: it violates the policy, and is refused with right.
  const wrong = key === "object" ? scalars : [...scalars, {}, { object: 1 }];
  request[key] = wrong[Math.floor(random() * wrong.length)];
  return JSON.stringify(review);
}

export const faultKinds: readonly FaultKind[] = [
  {
    name: "connections cut",
    inject: (target) => {
      const { good, path, random } = target;
      const cutAt = Math.floor(random() * good.length);
      return speak(target, [head(path, good.length), good.slice(0, cutAt)], { cut: true });
    },
  },
  {
    name: "half requests",
    inject: (target) =>
      speak(target, [head(target.path, target.good.length).slice(0, 20 + Math.floor(target.random() * 60))], {
        cut: true,
      }),
  },
  {
    name: "slow bodies",
    inject: (target) => {
      const { good, path } = target;
      const size = Math.ceil(good.length / 4);
      const pieces = [0, 1, 2, 3].map((part) => good.slice(part * size, (part + 1) * size));
      return speak(target, [head(path, Buffer.byteLength(good)), ...pieces], { pauseMs: 15 });
    },
  },
  {
    name: "garbage",
    inject: (target) => {
      const bytes = garbage(target.random, 200);
      return target.random() < 0.5
        ? speak(target, [bytes, "\r\n\r\n"])
        : speak(target, [head(target.path, bytes.length), bytes]);
    },
  },
  {
    name: "no TLS at all",
    inject: ({ port, random }) =>
      new Promise((done) => {
        const socket = net.connect(port, "127.0.0.1", () => socket.end(garbage(random, 64)));
        socket.on("error", () => done(""));
        socket.on("close", () => done(""));
        socket.resume();
      }),
  },
  {
    name: "oversize",
    inject: (target) => speak(target, [head(target.path, 64 * 1024 * 1024), "x".repeat(1000)]),
  },
  { name: "wrong types", inject: (target) => post(target, withWrongType(target)) },
  {
    name: "full queues",
    inject: async (target) => {
      const answers = await Promise.all(Array.from({ length: 40 }, () => post(target, target.good)));
      return answers.join("\n");
    },
  },
];
