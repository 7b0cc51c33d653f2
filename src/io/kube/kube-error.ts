/**
 * What an API server says when it does not do what it was asked, with its Status; or that it said nothing. The message
 * begins with the call, because whoever reads a log has not seen the code.
 * SPEC: apimachinery meta/v1 Status; reasons as its constants.
 */
import { Fault } from "#diag";
import type { Json, JsonObject } from "#json";
import { isObject } from "#json";

export type KubeErrorParts = {
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** `NotFound`, `Conflict`, `AlreadyExists`, …; empty where the server gave none. */
  readonly reason: string;
  readonly message: string;
  /** Seconds that the server wants to be left alone. */
  readonly retryAfterSeconds?: number;
  readonly body?: Json;
  readonly cause?: unknown;
  /** Whether asking again can help, where the status alone does not say it. */
  readonly retryable?: boolean;
};

export class KubeError extends Fault {
  readonly status: number;
  readonly reason: string;
  readonly retryAfterSeconds: number | undefined;
  /** The Status as it came. */
  readonly body: Json;

  constructor(parts: KubeErrorParts) {
    super(`kube/${parts.status === 0 ? "no-answer" : "refused"}`, parts.message, {
      retryable: parts.retryable ?? isPassing(parts.status),
      ...(parts.cause === undefined ? {} : { cause: parts.cause }),
    });
    this.status = parts.status;
    this.reason = parts.reason;
    this.retryAfterSeconds = parts.retryAfterSeconds;
    this.body = parts.body ?? null;
  }
}

/** Statuses that say nothing of the request itself: the same call may be answered later. */
function isPassing(status: number): boolean {
  return (
    status === 0 || status === 429 || status === 500 || status === 502 || status === 503 || status === 504
  );
}

/** What a Status says, or the beginning of whatever text came in its place. */
export function describeAnswer(status: number, body: Json, text: string): KubeErrorParts {
  const said = isObject(body) ? body : {};
  const message = textIn(said, "message") || text.trim().slice(0, 300) || `HTTP ${status}`;
  const details = said["details"];
  const after = isObject(details) ? details["retryAfterSeconds"] : undefined;
  return {
    status,
    reason: textIn(said, "reason"),
    message,
    ...(typeof after === "number" && after > 0 ? { retryAfterSeconds: after } : {}),
    body,
  };
}

export function isNotFound(error: unknown): boolean {
  return error instanceof KubeError && error.status === 404;
}

export function isConflict(error: unknown): boolean {
  return error instanceof KubeError && error.status === 409 && error.reason !== "AlreadyExists";
}

export function isAlreadyExists(error: unknown): boolean {
  return error instanceof KubeError && error.reason === "AlreadyExists";
}

/** The resourceVersion or continue token is too old: list again from the start. */
export function isGone(error: unknown): boolean {
  return error instanceof KubeError && (error.status === 410 || error.reason === "Expired");
}

function textIn(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}
