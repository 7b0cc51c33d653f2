/**
 * What is to be done about the certificates that there are. A new authority is trusted an hour before anything is signed
 * with it: by then every registration has it, so that at no moment a replica shows what an API server does not trust.
 * The times are upstream's: an authority for a year, a serving certificate for 150 days, renewed 15 days before its end.
 * SPEC: kyverno-surface.md section 6.4 (certificates).
 */
import { X509Certificate, createPrivateKey } from "node:crypto";
import { isIP } from "node:net";

const DAY_MS = 86_400_000;
export const AUTHORITY_MS: number = 365 * DAY_MS;
export const SERVING_MS: number = 150 * DAY_MS;
const RENEW_BEFORE_MS = 15 * DAY_MS;
/** An authority must outlive what it signs. */
const AUTHORITY_RENEW_BEFORE_MS = SERVING_MS + RENEW_BEFORE_MS;
const TRUSTED_AFTER_MS = 3_600_000;

/** As kept: PEM texts; `authorities` newest first, `authorityKey` is the newest's. */
export type KeptCertificates = {
  readonly authorities: readonly string[];
  readonly authorityKey: string;
  readonly certPem: string;
  readonly keyPem: string;
  /** When the newest authority was added; clock time. */
  readonly authoritySinceMs: number;
};

/** `authority`: add one, sign nothing with it yet. `serving`: sign a new one. `all`: nothing that is there is of use. */
export type Step = "none" | "all" | "authority" | "serving";

export function planStep(kept: KeptCertificates | undefined, hosts: readonly string[], nowMs: number): Step {
  const parts = kept === undefined ? undefined : readKept(kept, nowMs);
  if (kept === undefined || parts === undefined) return "all";
  const { serving, newest, signer, isAlone } = parts;
  if (isOver(newest, nowMs + AUTHORITY_RENEW_BEFORE_MS)) return "authority";
  const isDue = isOver(serving, nowMs + RENEW_BEFORE_MS) || signer !== newest;
  const isNamed = hosts.every((host) => names(serving, host));
  const isTrusted = isAlone || nowMs - kept.authoritySinceMs >= TRUSTED_AFTER_MS;
  return (isDue || !isNamed) && isTrusted ? "serving" : "none";
}

type Parts = {
  readonly serving: X509Certificate;
  readonly newest: X509Certificate;
  readonly signer: X509Certificate;
  /** The newest authority is the only one. */
  readonly isAlone: boolean;
};

/** `undefined` where what is kept cannot be served with: unreadable, not fitting together, or over. */
function readKept(kept: KeptCertificates, nowMs: number): Parts | undefined {
  const serving = readCertificate(kept.certPem);
  const authorities = kept.authorities.map(readCertificate);
  const [newest] = authorities;
  if (serving === undefined || newest === undefined || !fits(serving, kept.keyPem)) return undefined;
  const signer = authorities.find((authority) => authority !== undefined && signed(authority, serving));
  if (signer === undefined || isOver(serving, nowMs) || isOver(signer, nowMs)) return undefined;
  return { serving, newest, signer, isAlone: authorities.length === 1 };
}

/** The authorities that are still of use, the newest among them. */
export function liveAuthorities(authorities: readonly string[], nowMs: number): readonly string[] {
  return authorities.filter((pem, index) => {
    const authority = readCertificate(pem);
    return index === 0 || (authority !== undefined && !isOver(authority, nowMs));
  });
}

export function readCertificate(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function isOver(certificate: X509Certificate, nowMs: number): boolean {
  return Date.parse(certificate.validTo) <= nowMs;
}

function signed(authority: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(authority) && certificate.verify(authority.publicKey);
}

function fits(certificate: X509Certificate, keyPem: string): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(keyPem));
  } catch {
    return false;
  }
}

function names(certificate: X509Certificate, host: string): boolean {
  const found = isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  return found !== undefined;
}
