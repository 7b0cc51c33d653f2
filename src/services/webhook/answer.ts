/**
 * Answers as bytes. `allowed: false` is written in one place only, and only for a refusal that `decide` has made; every
 * failure is an HTTP status, which the API server takes as "this webhook failed".
 * SPEC: k8s.io/api/admission/v1 AdmissionResponse; Kyverno 1.19 pkg/utils/admission/response.go (no code in a refusal:
 * the API server then answers 400).
 */
import type { FaultCode } from "./ports.ts";

export type Reply = { readonly status: number; readonly body: string; readonly json: boolean };

const MAX_WARNINGS = 20;
const MAX_WARNING = 256;

const PREFIX = '{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","response":{"uid":';

/** @param annotations for the API server's audit log; keys without a prefix */
export function allowReply(
  uid: string,
  warnings: readonly string[],
  annotations?: Readonly<Record<string, string>>,
): Reply {
  const said =
    warnings.length === 0 ? "" : `,"warnings":${JSON.stringify(warnings.slice(0, MAX_WARNINGS).map(cut))}`;
  return {
    status: 200,
    json: true,
    body: `${PREFIX}${JSON.stringify(uid)},"allowed":true${said}${annotated(annotations)}}}`,
  };
}

export function denyReply(
  uid: string,
  message: string,
  annotations?: Readonly<Record<string, string>>,
): Reply {
  const status = JSON.stringify({ status: "Failure", message });
  return {
    status: 200,
    json: true,
    body: `${PREFIX}${JSON.stringify(uid)},"allowed":false,"status":${status}${annotated(annotations)}}}`,
  };
}

/** The status says the kind of trouble to whoever reads an access log; to the API server all of them are failures. */
const faultStatus: Readonly<Record<FaultCode, number>> = {
  "bad-request": 400,
  "too-large": 413,
  overload: 503,
  deadline: 504,
  lookup: 500,
  budget: 500,
  evaluation: 500,
  "unknown-policy": 500,
  "not-ready": 503,
  bug: 500,
};

export function faultReply(code: FaultCode, message: string): Reply {
  return { status: faultStatus[code], json: false, body: `postern: ${code}: ${message}\n` };
}

function annotated(annotations: Readonly<Record<string, string>> | undefined): string {
  return annotations === undefined ? "" : `,"auditAnnotations":${JSON.stringify(annotations)}`;
}

/** The API server cuts what is longer, and drops what is much longer. */
function cut(text: string): string {
  return text.length <= MAX_WARNING ? text : `${text.slice(0, MAX_WARNING - 3)}...`;
}
