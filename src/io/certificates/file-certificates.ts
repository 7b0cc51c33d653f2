/**
 * Certificates that somebody else makes and mounts as files (cert-manager): read again when they change. The two files
 * are replaced one after the other, so a pair that does not fit is one that is being replaced: the last good pair goes on.
 */
import { X509Certificate, createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";

import { Fault } from "#diag";
import type { Clock } from "#platform";
import type { CertificateSource, ServingCertificate } from "./contract.ts";

export type FileCertificateOptions = {
  readonly cert: string;
  readonly key: string;
  /** Absent: the last certificate of the chain. */
  readonly ca: string | undefined;
  readonly clock: Clock;
  /** Told of each look that failed after the first. */
  readonly onProblem: (error: unknown) => void;
};

const LOOK_EVERY_MS = 10_000;

export function createFileCertificates(options: FileCertificateOptions): CertificateSource {
  const listeners: ((certificate: ServingCertificate) => void)[] = [];
  let current: ServingCertificate | undefined;
  let callOff: (() => void) | undefined;

  function look(): void {
    const found = readPair(options);
    if (
      current?.certPem === found.certPem &&
      current.keyPem === found.keyPem &&
      current.caPem === found.caPem
    )
      return;
    current = found;
    for (const listener of listeners) listener(found);
  }

  function follow(): void {
    callOff = options.clock.later(() => {
      try {
        look();
      } catch (error) {
        options.onProblem(error);
      }
      follow();
    }, LOOK_EVERY_MS);
  }

  return {
    /** @throws Fault `certificate/files` where there is no good pair to begin with */
    start: async () => {
      look();
      follow();
    },
    stop: () => callOff?.(),
    current: () => current,
    onChange: (listener) => {
      listeners.push(listener);
    },
  };
}

function readPair({ cert, key, ca }: FileCertificateOptions): ServingCertificate {
  const [certPem, keyPem] = [readFile(cert), readFile(key)];
  const chain = certPem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [];
  const [leaf, last] = [chain[0], chain.at(-1)];
  if (leaf === undefined || last === undefined) {
    throw new Fault("certificate/files", `${cert}: there is no certificate in it`);
  }
  const certificate = parse(cert, () => new X509Certificate(leaf));
  const fits = certificate.checkPrivateKey(parse(key, () => createPrivateKey(keyPem)));
  if (!fits) throw new Fault("certificate/files", `${key}: it is not the key of ${cert}`);
  return {
    certPem,
    keyPem,
    caPem: ca === undefined ? last : readFile(ca),
    notBeforeMs: Date.parse(certificate.validFrom),
    notAfterMs: Date.parse(certificate.validTo),
  };
}

function readFile(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new Fault("certificate/files", `${path} cannot be read: ${what}`, { cause: error });
  }
}

function parse<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new Fault("certificate/files", `${path}: ${what}`, { cause: error });
  }
}
