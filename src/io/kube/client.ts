/**
 * Calls to an API server. A call that is safe to repeat is repeated while its time lasts: after an answer that says
 * nothing of the request, later each time and never in step with other clients, and not before the server wants to hear
 * from us again. Every attempt takes a token of its purpose and is counted.
 */
import type { IncomingMessage } from "node:http";

import { Fault } from "#diag";
import type { ClusterConfig, Credentials } from "./config/cluster-config.ts";
import type { CallCount, CallPurpose, KubeAnswer, KubeCall, KubeClient, KubeStream } from "./contract.ts";
import { describeTrouble } from "./connection-trouble.ts";
import { KubeError, describeAnswer } from "./kube-error.ts";
import type { RateLimiter } from "./rate-limits.ts";
import { createRateLimiter } from "./rate-limits.ts";
import { decodeBody, readBody } from "./read-body.ts";
import { afterSeconds, mayRepeat, pauseMs } from "./repetition.ts";
import type { Transport } from "./transport.ts";
import { createTransport } from "./transport.ts";
import { warningsIn } from "./warnings.ts";
import { createWatchStream } from "./watch-stream.ts";

export type ClientOptions = {
  readonly userAgent: string;
  readonly nowMs: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  /** Of calls that do not say; milliseconds. */
  readonly timeoutMs?: number;
  /** For tests: resolves after some milliseconds, or when the signal says so. */
  readonly wait?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly transport?: Transport;
  readonly limiter?: RateLimiter;
};

const TIMEOUT_MS = 30_000;

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
        if (!mayRepeat(call, error) || signal.aborted) throw error;
        const waitMs = pauseMs(error, attempt, this.#options.random());
        if (this.#options.nowMs() + waitMs >= endMs) throw error;
        await this.#pause(waitMs, signal, call);
      }
    }
  }

  async watch(call: KubeCall): Promise<KubeStream> {
    const ended = new AbortController();
    const signals = [ended.signal, this.#closed.signal, ...(call.signal === undefined ? [] : [call.signal])];
    const opening = setTimeout(
      () => ended.abort(new DOMException("no answer in time", "TimeoutError")),
      call.timeoutMs ?? TIMEOUT_MS,
    );
    try {
      const answer = await this.#exchange(call, AbortSignal.any(signals), true);
      if (answer.statusCode === 200) return createWatchStream(answer, () => ended.abort());
      throw await refusal(call, answer, this.#options.nowMs());
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
    if (status < 200 || status > 299) throw await refusal(call, answer, this.#options.nowMs());
    const warnings = warningsIn(answer.headers["warning"]?.toString());
    try {
      return { status, body: decodeBody(await readBody(answer)), warnings };
    } catch (error) {
      throw this.#noAnswer(call, error);
    }
  }

  async #exchange(call: KubeCall, signal: AbortSignal, mayRefresh: boolean): Promise<IncomingMessage> {
    const waitMs = this.#limiter.reserve(call.purpose);
    if (waitMs > 0) await this.#pause(waitMs, signal, call);
    const credentials = await this.#credentials(call);
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
      throw this.#noAnswer(call, error);
    }
    this.#count(call, answer.statusCode ?? 0);
    if (answer.statusCode !== 401 || !mayRefresh) return answer;
    answer.resume();
    this.#config.credentials.refused(credentials);
    return this.#exchange(call, signal, false);
  }

  async #credentials(call: KubeCall): Promise<Credentials> {
    try {
      return await this.#config.credentials.current();
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      throw this.#noAnswer(call, error);
    }
  }

  #noAnswer(call: KubeCall, error: unknown): KubeError {
    if (error instanceof KubeError) return error;
    const { what, lasting, unreachable } = describeTrouble(error, this.#config);
    return new KubeError({
      status: 0,
      reason: "",
      message: `${call.method} ${call.path}: ${what}`,
      cause: error,
      // Whoever typed a command wants to know at once that nobody is there.
      retryable: !lasting && !(unreachable && call.purpose === "command"),
    });
  }

  /** @throws KubeError when the signal says so before the time is over */
  async #pause(milliseconds: number, signal: AbortSignal, call: KubeCall): Promise<void> {
    await (this.#options.wait ?? sleep)(milliseconds, signal);
    if (signal.aborted) throw this.#noAnswer(call, signal.reason);
  }

  #headersFor(call: KubeCall, credentials: Credentials): Record<string, string | readonly string[]> {
    const { impersonate } = this.#config;
    return {
      accept: call.accept ?? "application/json",
      "user-agent": this.#options.userAgent,
      ...(call.body === undefined ? {} : { "content-type": call.contentType ?? "application/json" }),
      ...authorization(credentials),
      ...(impersonate === undefined ? {} : impersonation(impersonate)),
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

/** SPEC: kube-apiserver user impersonation; a key of `extra` is percent-encoded, as header names hold few characters. */
function impersonation({
  user,
  groups,
  uid,
  extra,
}: NonNullable<ClusterConfig["impersonate"]>): Record<string, string | readonly string[]> {
  return {
    "impersonate-user": user,
    ...(groups.length === 0 ? {} : { "impersonate-group": groups }),
    ...(uid === undefined ? {} : { "impersonate-uid": uid }),
    ...Object.fromEntries(
      Object.entries(extra ?? {}).map(([key, values]) => [
        `impersonate-extra-${encodeURIComponent(key)}`,
        values,
      ]),
    ),
  };
}

function pathOf({ path, query }: KubeCall): string {
  const text = new URLSearchParams(query).toString();
  return text === "" ? path : `${path}?${text}`;
}

async function refusal(call: KubeCall, answer: IncomingMessage, nowMs: number): Promise<KubeError> {
  const status = answer.statusCode ?? 0;
  let text = "";
  try {
    text = await readBody(answer);
  } catch {
    // The status says enough; the connection broke before the reason came.
  }
  const parts = describeAnswer(status, decodeBody(text), text);
  const after = afterSeconds(answer.headers["retry-after"], nowMs);
  return new KubeError({
    ...parts,
    message: `${call.method} ${call.path}: ${parts.message}`,
    ...(after === undefined ? {} : { retryAfterSeconds: after }),
  });
}

/** Resolves after a while, or at once when the signal says so. */
function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", finish);
      done();
    };
    const timer = setTimeout(finish, milliseconds);
    if (signal.aborted) finish();
    else signal.addEventListener("abort", finish, { once: true });
  });
}
