/**
 * Calls to an API server. A call that is safe to repeat is repeated while its time lasts: after an answer that says
 * nothing of the request, later each time and never in step with other clients, and not before the server wants to hear
 * from us again. Every attempt takes a token of its purpose and is counted.
 */
import type { IncomingMessage } from "node:http";

import type { ClusterConfig, Credentials } from "./config/cluster-config.ts";
import type { CallCount, CallPurpose, KubeAnswer, KubeCall, KubeClient, KubeStream } from "./contract.ts";
import { KubeError, describeAnswer, isPassing } from "./kube-error.ts";
import type { RateLimiter } from "./rate-limits.ts";
import { createRateLimiter } from "./rate-limits.ts";
import { decodeBody, readBody } from "./read-body.ts";
import type { Transport } from "./transport.ts";
import { createTransport } from "./transport.ts";
import { parseWarnings } from "./warnings.ts";
import { createWatchStream } from "./watch-stream.ts";

export type ClientOptions = {
  readonly userAgent: string;
  readonly nowMs: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  /** Of calls that do not say; milliseconds. */
  readonly timeoutMs?: number;
  /** For tests. */
  readonly transport?: Transport;
  readonly limiter?: RateLimiter;
};

const TIMEOUT_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

export function createKubeClient(config: ClusterConfig, options: ClientOptions): KubeClient {
  return new Client(config, options);
}

class Client implements KubeClient {
  readonly server: string;
  readonly #config: ClusterConfig;
  readonly #options: ClientOptions;
  readonly #transport: Transport;
  readonly #limiter: RateLimiter;
  readonly #counts = new Map<string, { purpose: CallPurpose; method: string; code: number; count: number }>();
  readonly #closed = new AbortController();

  constructor(config: ClusterConfig, options: ClientOptions) {
    this.server = config.server;
    this.#config = config;
    this.#options = options;
    this.#transport = options.transport ?? createTransport(config);
    this.#limiter = options.limiter ?? createRateLimiter(options.nowMs);
  }

  async send(call: KubeCall): Promise<KubeAnswer> {
    const timeoutMs = call.timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS;
    const endMs = this.#options.nowMs() + timeoutMs;
    const signal = this.#signalFor(call, timeoutMs);
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(call, signal, attempt === 0);
      } catch (error) {
        const pauseMs = this.#pauseAfter(call, error, attempt);
        if (pauseMs === undefined || this.#options.nowMs() + pauseMs >= endMs) throw error;
        await pause(pauseMs, signal, call);
      }
    }
  }

  async watch(call: KubeCall): Promise<KubeStream> {
    const ended = new AbortController();
    const signals = [ended.signal, this.#closed.signal, ...(call.signal === undefined ? [] : [call.signal])];
    const opening = setTimeout(() => ended.abort(), call.timeoutMs ?? TIMEOUT_MS);
    try {
      const answer = await this.#exchange(call, AbortSignal.any(signals), true);
      if (answer.statusCode === 200) return createWatchStream(answer, () => ended.abort());
      throw await refusal(call, answer);
    } finally {
      clearTimeout(opening);
    }
  }

  counts(): readonly CallCount[] {
    return [...this.#counts.values()];
  }

  close(): void {
    this.#closed.abort();
    this.#transport.close();
  }

  async #attempt(call: KubeCall, signal: AbortSignal, mayRefresh: boolean): Promise<KubeAnswer> {
    const answer = await this.#exchange(call, signal, mayRefresh);
    const status = answer.statusCode ?? 0;
    if (status < 200 || status > 299) throw await refusal(call, answer);
    const warnings = parseWarnings(answer.headers["warning"]?.toString());
    try {
      return { status, body: decodeBody(await readBody(answer)), warnings };
    } catch (error) {
      throw noAnswer(call, error);
    }
  }

  async #exchange(call: KubeCall, signal: AbortSignal, mayRefresh: boolean): Promise<IncomingMessage> {
    const waitMs = this.#limiter.reserve(call.purpose);
    if (waitMs > 0) await pause(waitMs, signal, call);
    const credentials = await this.#config.credentials.current();
    let answer: IncomingMessage;
    try {
      answer = await this.#transport.exchange(
        {
          method: call.method,
          path: pathOf(call),
          headers: this.#headersFor(call, credentials),
          ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
          signal,
        },
        credentials,
      );
    } catch (error) {
      this.#count(call, 0);
      throw noAnswer(call, error);
    }
    this.#count(call, answer.statusCode ?? 0);
    if (answer.statusCode !== 401 || !mayRefresh) return answer;
    answer.resume();
    this.#config.credentials.refused();
    return this.#exchange(call, signal, false);
  }

  /** Milliseconds until the next attempt; `undefined` where another would be of no use, or might do something twice. */
  #pauseAfter(call: KubeCall, error: unknown, attempt: number): number | undefined {
    if (!(error instanceof KubeError) || !isPassing(error.status)) return undefined;
    if (call.once === true || call.signal?.aborted === true || this.#closed.signal.aborted) return undefined;
    const untouched = error.status === 429 || (error.status === 503 && error.retryAfterSeconds !== undefined);
    if (call.method !== "GET" && !untouched) return undefined;
    const growing = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt);
    const jittered = growing * (0.5 + this.#options.random());
    return Math.max(jittered, (error.retryAfterSeconds ?? 0) * 1000);
  }

  #headersFor(call: KubeCall, credentials: Credentials): Record<string, string | readonly string[]> {
    const { impersonate } = this.#config;
    return {
      accept: call.accept ?? "application/json",
      "user-agent": this.#options.userAgent,
      ...(call.body === undefined ? {} : { "content-type": call.contentType ?? "application/json" }),
      ...authorization(credentials),
      ...(impersonate === undefined
        ? {}
        : { "impersonate-user": impersonate.user, "impersonate-group": impersonate.groups }),
    };
  }

  #signalFor(call: KubeCall, timeoutMs: number): AbortSignal {
    const own = [AbortSignal.timeout(timeoutMs), this.#closed.signal];
    return AbortSignal.any(call.signal === undefined ? own : [...own, call.signal]);
  }

  #count({ purpose, method }: KubeCall, code: number): void {
    const key = `${purpose} ${method} ${code}`;
    const row = this.#counts.get(key) ?? { purpose, method, code, count: 0 };
    row.count += 1;
    this.#counts.set(key, row);
  }
}

function authorization({ token, basic }: Credentials): Readonly<Record<string, string>> {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  if (basic === undefined) return {};
  return { authorization: `Basic ${Buffer.from(`${basic.user}:${basic.password}`).toString("base64")}` };
}

function pathOf({ path, query }: KubeCall): string {
  const text = new URLSearchParams(query).toString();
  return text === "" ? path : `${path}?${text}`;
}

async function refusal(call: KubeCall, answer: IncomingMessage): Promise<KubeError> {
  const status = answer.statusCode ?? 0;
  let text = "";
  try {
    text = await readBody(answer);
  } catch {
    // The status says enough; the connection broke before the reason came.
  }
  const parts = describeAnswer(status, decodeBody(text), text);
  const after = Number(answer.headers["retry-after"]);
  return new KubeError({
    ...parts,
    message: `${call.method} ${call.path}: ${parts.message}`,
    ...(after > 0 ? { retryAfterSeconds: after } : {}),
  });
}

function noAnswer(call: KubeCall, error: unknown): KubeError {
  if (error instanceof KubeError) return error;
  const what = error instanceof Error ? describeBreak(error) : String(error);
  return new KubeError({
    status: 0,
    reason: "",
    message: `${call.method} ${call.path}: ${what}`,
    cause: error,
  });
}

function describeBreak(error: Error): string {
  return error.name === "TimeoutError" || error.name === "AbortError" ? "no answer in time" : error.message;
}

function pause(milliseconds: number, signal: AbortSignal, call: KubeCall): Promise<void> {
  return new Promise((done, fail) => {
    const stop = (): void => {
      clearTimeout(timer);
      fail(noAnswer(call, signal.reason));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      done();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}
