/**
 * The AdmissionReview as it comes in, decoded once: what the engine needs of it, and the AdmissionRequest itself for
 * policies that look at `request`. Objects are used as they were parsed; nothing is copied.
 * INVARIANT: whatever comes in, the answer is a request or a sentence; never an exception, and never a refusal.
 * SPEC: k8s.io/api/admission/v1 types.go.
 */
import type { EvaluationRequest, UserInfo } from "#engine";
import type { Json, JsonObject } from "#json";
import { isArray, isObject } from "#json";
import type { Operation } from "#policy";

export type Review = { readonly uid: string; readonly request: EvaluationRequest; readonly raw: JsonObject };

const NO_GROUPS: readonly string[] = [];

/** A text says what is wrong with it. */
export function decodeReview(body: string): Review | string {
  let review: unknown;
  try {
    review = JSON.parse(body);
  } catch {
    return "the body is not JSON";
  }
  if (!isObject(review) || review["kind"] !== "AdmissionReview") return "the body is no AdmissionReview";
  if (review["apiVersion"] !== "admission.k8s.io/v1") return "only admission.k8s.io/v1 is spoken here";
  const raw = review["request"];
  if (!isObject(raw)) return "the AdmissionReview has no request";
  return decodeRequest(raw);
}

function decodeRequest(raw: JsonObject): Review | string {
  const { uid, kind, operation } = raw;
  if (typeof uid !== "string" || uid === "") return "the request has no uid";
  if (!isObject(kind) || typeof kind["kind"] !== "string") return "the request has no kind";
  if (!isOperation(operation)) return "the request's operation is none of CREATE, UPDATE, DELETE and CONNECT";
  const object = objectOrNull(raw["object"]);
  const oldObject = objectOrNull(raw["oldObject"]);
  if (object === undefined || oldObject === undefined)
    return "object or oldObject of the request is no object";
  return {
    uid,
    raw,
    request: {
      kind: { group: text(kind["group"]), version: text(kind["version"]), kind: kind["kind"] },
      subresource: text(raw["subResource"]),
      operation,
      namespace: text(raw["namespace"]),
      name: text(raw["name"]),
      object,
      oldObject,
      userInfo: userInfoIn(raw["userInfo"]),
      dryRun: raw["dryRun"] === true,
      review: raw,
    },
  };
}

function isOperation(value: Json | undefined): value is Operation {
  return value === "CREATE" || value === "UPDATE" || value === "DELETE" || value === "CONNECT";
}

function objectOrNull(value: Json | undefined): JsonObject | null | undefined {
  if (value === undefined || value === null) return null;
  return isObject(value) ? value : undefined;
}

function userInfoIn(value: Json | undefined): UserInfo {
  const user = isObject(value) ? value : {};
  const { groups, extra } = user;
  const uid = text(user["uid"]);
  return {
    username: text(user["username"]),
    ...(uid === "" ? {} : { uid }),
    groups: isArray(groups) ? groups.filter((group) => typeof group === "string") : NO_GROUPS,
    ...(isObject(extra) ? { extra } : {}),
  };
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
