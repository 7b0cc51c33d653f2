/**
 * What a replica says of itself, and what everybody may read with one list call: `postern status` needs no port into a
 * pod and no metrics server. It travels in an annotation of the replica's own Lease, so its size is bounded whatever
 * happens: a cluster's state is not a log.
 * INVARIANT: reading takes any text. A Lease that says nothing readable is a replica of which nothing is known.
 */
import type { Json, JsonObject } from "#json";
import { decodeJson, isArray, isObject } from "#json";

export type ReplicaFault = {
  /** RFC 3339. */
  readonly at: string;
  readonly code: string;
  readonly webhook: string;
  readonly message: string;
};

export type ReplicaState = {
  readonly version: string;
  readonly startedAt: string;
  readonly ready: boolean;
  readonly reasons: readonly string[];
  readonly leader: boolean;
  readonly policies: { readonly inForce: number; readonly notReady: number };
  /** Since the start. */
  readonly answers: {
    readonly allowed: number;
    readonly denied: number;
    readonly fault: number;
    readonly shed: number;
  };
  /** RFC 3339; absent before the first call. */
  readonly lastAnswerAt?: string;
  readonly certificateExpires?: string;
  /** Registrations as this replica, if it is the leader, has them. */
  readonly registration?: {
    readonly phase: string;
    readonly problems: readonly string[];
  };
  /** The newest first. */
  readonly lastFaults: readonly ReplicaFault[];
};

export const STATE_ANNOTATION = "postern.dev/state";

const MAX_TEXTS = 5;
const MAX_TEXT = 200;

/** The annotation's value: at most some 4 KB. */
export function printReplicaState(state: ReplicaState): string {
  return JSON.stringify({
    ...state,
    reasons: cutAll(state.reasons),
    ...(state.registration === undefined
      ? {}
      : { registration: { phase: state.registration.phase, problems: cutAll(state.registration.problems) } }),
    lastFaults: state.lastFaults
      .slice(0, MAX_TEXTS)
      .map((fault) => ({ ...fault, message: cut(fault.message) })),
  });
}

/** `undefined` where the annotation is absent or is not what Postern writes. */
export function decodeReplicaState(lease: JsonObject): ReplicaState | undefined {
  const text = textIn(objectIn(objectIn(lease, "metadata"), "annotations"), STATE_ANNOTATION);
  const value = decodeJson(text);
  return isObject(value) ? decodeState(value) : undefined;
}

function decodeState(value: JsonObject): ReplicaState {
  const policies = objectIn(value, "policies");
  const answers = objectIn(value, "answers");
  const registration = objectIn(value, "registration");
  const [lastAnswerAt, certificateExpires] = [
    textIn(value, "lastAnswerAt"),
    textIn(value, "certificateExpires"),
  ];
  return {
    version: textIn(value, "version"),
    startedAt: textIn(value, "startedAt"),
    ready: value["ready"] === true,
    reasons: textsIn(value, "reasons"),
    leader: value["leader"] === true,
    policies: { inForce: numberIn(policies, "inForce"), notReady: numberIn(policies, "notReady") },
    answers: {
      allowed: numberIn(answers, "allowed"),
      denied: numberIn(answers, "denied"),
      fault: numberIn(answers, "fault"),
      shed: numberIn(answers, "shed"),
    },
    ...(lastAnswerAt === "" ? {} : { lastAnswerAt }),
    ...(certificateExpires === "" ? {} : { certificateExpires }),
    ...(value["registration"] === undefined
      ? {}
      : {
          registration: { phase: textIn(registration, "phase"), problems: textsIn(registration, "problems") },
        }),
    lastFaults: decodeFaults(value["lastFaults"]),
  };
}

function decodeFaults(value: Json | undefined): readonly ReplicaFault[] {
  if (!isArray(value)) return [];
  return value.filter(isObject).map((fault) => ({
    at: textIn(fault, "at"),
    code: textIn(fault, "code"),
    webhook: textIn(fault, "webhook"),
    message: textIn(fault, "message"),
  }));
}

function cutAll(texts: readonly string[]): readonly string[] {
  return texts.slice(0, MAX_TEXTS).map(cut);
}

function cut(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 3)}...`;
}

function objectIn(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}

function textIn(object: JsonObject, name: string): string {
  const value = object[name];
  return typeof value === "string" ? value : "";
}

function textsIn(object: JsonObject, name: string): readonly string[] {
  const value = object[name];
  return isArray(value) ? value.filter((entry) => typeof entry === "string") : [];
}

function numberIn(object: JsonObject, name: string): number {
  const value = object[name];
  return typeof value === "number" ? value : 0;
}
