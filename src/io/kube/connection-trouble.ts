/**
 * Why no answer came, in words that say which server it was and what to look at: what node:tls and node:net report is
 * terse, or empty where several addresses were tried. And whether asking again can help: a certificate that is not
 * trusted stays so, a connection that broke does not.
 */
import { Fault } from "#diag";
import type { ClusterConfig } from "./config/cluster-config.ts";

export type Trouble = {
  readonly what: string;
  /** Asking again soon is of no use. */
  readonly lasting: boolean;
  /** No connection came about at all. */
  readonly unreachable: boolean;
};

/** The codes of node:tls that are about trust; those of OpenSSL for X.509 (`X509_V_ERR_*` without its prefix). */
const untrusted: ReadonlySet<string> = new Set([
  "CERT_CHAIN_TOO_LONG",
  "CERT_REJECTED",
  "CERT_SIGNATURE_FAILURE",
  "CERT_UNTRUSTED",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "INVALID_CA",
  "INVALID_PURPOSE",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

const unreachable: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  EHOSTUNREACH: "there is no route to it",
  ENETUNREACH: "there is no route to it",
  ENOTFOUND: "there is no such host",
};

export function describeTrouble(error: unknown, { server, source }: ClusterConfig): Trouble {
  const passing = { lasting: false, unreachable: false };
  const lasting = { lasting: true, unreachable: false };
  if (!(error instanceof Error)) return { what: String(error), ...passing };
  if (error instanceof Fault) return { what: error.message, lasting: !error.retryable, unreachable: false };
  if (isTimeout(error)) return { what: "no answer in time", ...passing };
  if (error.name === "AbortError") return { what: "called off before an answer came", ...passing };
  const code = codeOf(error);
  const absent = unreachable[code];
  if (absent !== undefined) {
    return { what: `${server}: ${absent} (${code})`, lasting: false, unreachable: true };
  }
  const advice = adviceFor(code, error.message, source);
  if (advice !== undefined) return { what: `${server}: ${advice}`, ...lasting };
  return { what: `${server}: ${error.message || code || "the connection broke"}`, ...passing };
}

function adviceFor(code: string, message: string, source: string): string | undefined {
  if (untrusted.has(code)) {
    return `its certificate is not trusted (${message}): check \`certificate-authority\` in ${source}`;
  }
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") {
    return `its certificate is for other names (${message}): set \`tls-server-name\` in ${source} to one of them`;
  }
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID") {
    return `${message}: renew the server's certificate, or set this machine's clock`;
  }
  if (message.includes("wrong version number") || message.includes("packet length too long")) {
    return `it does not speak TLS: is the address in ${source} right`;
  }
  if (code.startsWith("ERR_OSSL_")) {
    return `a certificate or key of ${source} cannot be used (${message})`;
  }
  return undefined;
}

/** node:http reports any signal as AbortError, with the signal's reason as its cause. */
function isTimeout({ name, cause }: Error): boolean {
  return name === "TimeoutError" || (cause instanceof Error && cause.name === "TimeoutError");
}

/** Also of an AggregateError, which has the code of its parts and no message. */
function codeOf(error: Error): string {
  return "code" in error && typeof error.code === "string" ? error.code : "";
}
