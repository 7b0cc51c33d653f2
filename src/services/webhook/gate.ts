/**
 * The HTTPS server that API servers call. It can be late, full or wrong only in ways that the API server's failurePolicy
 * then answers for: a reply is a decision of `decide`, or an HTTP error.
 * PERF: connections are kept longer than the API server keeps them (90 s), so that it never calls into a connection that
 * is just being closed; a review is parsed once and most answers are a few bytes made in one piece.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import * as https from "node:https";
import type { Socket } from "node:net";
import { performance } from "node:perf_hooks";

import { listeningPort } from "#platform";
import type { AdmissionCall } from "./admission.ts";
import { admit, refuseToJudge } from "./admission.ts";
import type { Reply } from "./answer.ts";
import { faultReply } from "./answer.ts";
import type { AuditQueue } from "./audit-queue.ts";
import { createAuditQueue } from "./audit-queue.ts";
import { timeToAnswer, timeoutIn } from "./deadline.ts";
import type { JudgeContext } from "./judge.ts";
import type { LoopLag } from "./loop-lag.ts";
import { watchLoopLag } from "./loop-lag.ts";
import { answerSideCall } from "./policy-review.ts";
import type { GatePorts } from "./ports.ts";
import { MAX_BODY_BYTES, readRequest } from "./read-request.ts";
import type { Route } from "./routes.ts";
import { routeOf } from "./routes.ts";
import { createSlots } from "./slots.ts";
import type { WorkQueue } from "./work-queue.ts";
import { createWorkQueue } from "./work-queue.ts";

export type GateOptions = {
  /** Absent: all addresses. */
  readonly host?: string | undefined;
  /** 0 for one that is free. */
  readonly port: number;
  readonly certPem: string;
  readonly keyPem: string;
  /** Requests that wait for lookups at one time. */
  readonly maxConcurrent: number;
  /** Requests that wait to be looked at, and for a place among those above. */
  readonly maxQueued: number;
  readonly lookupTimeoutMs: number;
};

export type Gate = {
  /** Resolves with the port. Rejects as `listen` does. */
  readonly start: () => Promise<number>;
  /** Takes no new connections, answers what is under way for at most `graceMs`, then closes what is left. */
  readonly stop: (graceMs: number) => Promise<void>;
  /** For connections from now on; those that are open keep theirs. */
  readonly replaceCertificate: (certPem: string, keyPem: string) => void;
  /** Milliseconds that the event loop was late at most since the last call. */
  readonly takeLoopLag: () => number;
  /** Reviews that wait to be looked at, and those that wait for lookups. */
  readonly load: () => { readonly queued: number; readonly active: number };
};

const KEEP_ALIVE_MS = 120_000;
const REQUEST_TIMEOUT_MS = 15_000;
const CHECK_EVERY_MS = 1000;
/** From here on what arrives is queued. */
const LATE_MS = 10;
/** A loop that is late by so much of a request's time will not answer it in time: it is shed unread. */
const HOPELESS = { fail: 0.8, ignore: 0.4 } as const;

export function createGate(options: GateOptions, ports: GatePorts): Gate {
  return new HttpsGate(options, ports);
}

class HttpsGate implements Gate {
  readonly #options: GateOptions;
  readonly #ports: GatePorts;
  readonly #server: https.Server;
  readonly #queue: WorkQueue;
  readonly #context: JudgeContext;
  readonly #audits: AuditQueue;
  readonly #lag: LoopLag;
  #stopping = false;

  constructor(options: GateOptions, ports: GatePorts) {
    this.#options = options;
    this.#ports = ports;
    const clock = (): number => performance.now();
    this.#lag = watchLoopLag(clock);
    this.#queue = createWorkQueue(options.maxQueued, clock, () => this.#lag.current() > LATE_MS);
    this.#context = {
      ports,
      clock,
      slots: createSlots(options.maxConcurrent, options.maxQueued),
      lookupTimeoutMs: options.lookupTimeoutMs,
    };
    const busy = (): boolean => this.#queue.length() > 0 || this.#lag.current() > 20;
    this.#audits = createAuditQueue({ ports, busy, clock });
    this.#server = https.createServer(
      {
        cert: options.certPem,
        key: options.keyPem,
        minVersion: "TLSv1.2",
        keepAliveTimeout: KEEP_ALIVE_MS,
        requestTimeout: REQUEST_TIMEOUT_MS,
        headersTimeout: REQUEST_TIMEOUT_MS,
        connectionsCheckingInterval: CHECK_EVERY_MS,
      },
      (request, response) => this.#receive(request, response),
    );
    this.#server.on("clientError", closeQuietly);
  }

  start(): Promise<number> {
    return new Promise((done, fail) => {
      this.#server.once("error", fail);
      this.#server.listen(this.#options.port, this.#options.host, () => {
        this.#server.off("error", fail);
        done(listeningPort(this.#server));
      });
    });
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#queue.drain();
    const closed = new Promise<void>((done) => this.#server.close(() => done()));
    this.#server.closeIdleConnections();
    const timer = setTimeout(() => this.#server.closeAllConnections(), graceMs);
    await closed;
    clearTimeout(timer);
    this.#lag.stop();
  }

  replaceCertificate(certPem: string, keyPem: string): void {
    this.#server.setSecureContext({ cert: certPem, key: keyPem, minVersion: "TLSv1.2" });
  }

  load(): { readonly queued: number; readonly active: number } {
    return { queued: this.#queue.length(), active: this.#context.slots.active() };
  }

  takeLoopLag(): number {
    return this.#lag.takeMost();
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    const url = request.url ?? "/";
    const mark = url.indexOf("?");
    const path = mark < 0 ? url : url.slice(0, mark);
    const query = mark < 0 ? "" : url.slice(mark + 1);
    const route = routeOf(path);
    if (route === undefined)
      this.#send(response, { status: 404, json: false, body: `postern: no ${path} here\n` });
    else if (route.kind === "liveness") this.#send(response, { status: 200, json: false, body: "ok\n" });
    else if (route.kind === "readiness") this.#send(response, this.#readiness());
    else if (request.method !== "POST") {
      this.#send(response, { status: 405, json: false, body: "postern: an API server sends a POST\n" });
    } else this.#receiveReview(request, response, route, query);
  }

  #readiness(): Reply {
    const { ready, reasons } = this.#ports.readiness();
    const leaving = this.#stopping || this.#ports.leaving();
    if (ready && !leaving) return { status: 200, json: false, body: "ok\n" };
    return { status: 503, json: false, body: `${leaving ? "stopping" : reasons.join("\n")}\n` };
  }

  #receiveReview(
    request: IncomingMessage,
    response: ServerResponse,
    route: Extract<Route, { readonly kind: "admission" | "side" }>,
    query: string,
  ): void {
    const lagMs = this.#lag.current();
    const arrivedMs = this.#context.clock() - lagMs;
    const timeoutMs = timeoutIn(query);
    const times = {
      arrivedMs,
      dueMs: arrivedMs + timeToAnswer(timeoutMs),
      endMs: timeoutMs === undefined ? undefined : arrivedMs + timeoutMs,
    };
    readRequest(request, (body) => {
      const { webhook } = route;
      const policy = route.kind === "admission" ? route.policy : undefined;
      if (body === undefined) {
        response.setHeader("connection", "close");
        const message = `the review is larger than ${MAX_BODY_BYTES / 1024 / 1024} MB`;
        this.#send(response, this.#unjudged({ webhook, policy, body: "", ...times }, "too-large", message));
      } else if (route.kind === "side") {
        this.#send(
          response,
          answerSideCall(this.#ports, this.#context.clock, { ...times, body, webhook: route.webhook }),
        );
      } else this.#enqueue(response, { webhook: route.webhook, policy, body, ...times }, lagMs);
    });
  }

  #enqueue(response: ServerResponse, call: AdmissionCall, lagMs: number): void {
    if (!this.#ports.readiness().ready) {
      this.#send(
        response,
        refuseToJudge({ context: this.#context, call }, "not-ready", "the policies are not compiled yet"),
      );
      return;
    }
    const wholeMs = call.dueMs - call.arrivedMs;
    if (lagMs > wholeMs * HOPELESS[call.webhook]) {
      this.#send(
        response,
        refuseToJudge(
          { context: this.#context, call },
          "overload",
          `the event loop is ${Math.round(lagMs)} ms late`,
        ),
      );
      return;
    }
    this.#queue.push({
      yields: call.webhook === "ignore",
      dueMs: call.dueMs,
      run: () => this.#run(response, call),
      shed: (why) => {
        const code = why === "full" ? "overload" : "deadline";
        const message =
          why === "full" ? "the queue is full" : "it waited in the queue until its time was over";
        this.#send(response, refuseToJudge({ context: this.#context, call }, code, message));
      },
    });
  }

  #run(response: ServerResponse, call: AdmissionCall): void {
    if (response.destroyed) return;
    try {
      const reply = admit(this.#context, this.#audits, call);
      if (reply instanceof Promise) {
        reply.then(
          (late) => this.#send(response, late),
          (bug: unknown) => this.#send(response, this.#bug(call, bug)),
        );
      } else this.#send(response, reply);
    } catch (bug) {
      this.#send(response, this.#bug(call, bug));
    }
  }

  #bug(call: AdmissionCall, bug: unknown): Reply {
    const message = bug instanceof Error ? bug.message : String(bug);
    return refuseToJudge({ context: this.#context, call }, "bug", `internal fault: ${message}`);
  }

  #unjudged(
    call: Omit<AdmissionCall, "webhook"> & { readonly webhook: string },
    code: "too-large",
    message: string,
  ): Reply {
    if (call.webhook !== "fail" && call.webhook !== "ignore") return faultReply(code, message);
    return refuseToJudge({ context: this.#context, call: { ...call, webhook: call.webhook } }, code, message);
  }

  #send(response: ServerResponse, { status, body, json }: Reply): void {
    if (response.destroyed || response.writableEnded) return;
    // A connection that is about to be closed must not be called into again.
    if (this.#stopping) response.setHeader("connection", "close");
    const type = json ? "application/json" : "text/plain; charset=utf-8";
    response.writeHead(status, ["content-type", type, "content-length", String(Buffer.byteLength(body))]);
    response.end(body);
  }
}

/** What is no HTTP gets one line and the end of the connection. */
function closeQuietly(_error: Error, socket: Socket): void {
  if (socket.writable) socket.end("HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\n");
  else socket.destroy();
}
