/**
 * Certificates that Postern makes itself and keeps in a Secret of its namespace, so that all replicas serve with the
 * same and trust the same. The leader renews; the first replica of all makes the Secret, whoever that is; everybody
 * reads it again once a minute. Writes are guarded by resourceVersion: of two that renew at once one reads the other's.
 */
import { Buffer } from "node:buffer";

import type { JsonObject } from "#json";
import { isObject } from "#json";
import type { ObjectClient } from "#kube";
import { isAlreadyExists, isConflict, isNotFound } from "#kube";
import type { Clock } from "#platform";
import { wait } from "#platform";
import type { KeptCertificates, Step } from "./certificate-plan.ts";
import { AUTHORITY_MS, SERVING_MS, liveAuthorities, planStep, readCertificate } from "./certificate-plan.ts";
import type { CertificateSource, ServingCertificate } from "./contract.ts";
import { issueAuthority, issueServing } from "./issue.ts";

export type SecretCertificateOptions = {
  readonly secrets: ObjectClient;
  readonly namespace: string;
  /** Of the Secret. */
  readonly name: string;
  /** DNS names and addresses under which API servers call. */
  readonly hosts: readonly string[];
  readonly isLeader: () => boolean;
  readonly clock: Clock;
  /** Told of each look that failed; the certificate that there is goes on. */
  readonly onProblem: (error: unknown) => void;
};

const LOOK_EVERY_MS = 60_000;
const RETRY_MS = 2000;
/** Clocks differ: a certificate that begins now is not valid yet for an API server that is a little behind. */
const BACKDATE_MS = 3_600_000;
const SINCE = "postern.dev/authority-since";

export function createSecretCertificates(options: SecretCertificateOptions): CertificateSource {
  return new SecretSource(options);
}

class SecretSource implements CertificateSource {
  readonly #options: SecretCertificateOptions;
  readonly #listeners: ((certificate: ServingCertificate) => void)[] = [];
  readonly #stopped = new AbortController();
  #current: ServingCertificate | undefined;

  constructor(options: SecretCertificateOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { clock, onProblem } = this.#options;
    const { signal } = this.#stopped;
    while (this.#current === undefined && !signal.aborted) {
      try {
        await this.#look();
      } catch (error) {
        onProblem(error);
        await wait(clock, RETRY_MS, signal);
      }
    }
    void this.#follow();
  }

  stop(): void {
    this.#stopped.abort();
  }

  current(): ServingCertificate | undefined {
    return this.#current;
  }

  onChange(listener: (certificate: ServingCertificate) => void): void {
    this.#listeners.push(listener);
  }

  async #follow(): Promise<void> {
    const { clock, onProblem } = this.#options;
    const { signal } = this.#stopped;
    for (;;) {
      await wait(clock, LOOK_EVERY_MS, signal);
      if (signal.aborted) return;
      try {
        await this.#look();
      } catch (error) {
        onProblem(error);
      }
    }
  }

  /** Reads the Secret, does the next step where it is this replica's to do, and takes over what is there then. */
  async #look(): Promise<void> {
    const { clock, hosts } = this.#options;
    const secret = await this.#read();
    const kept = secret === undefined ? undefined : decodeSecret(secret);
    const step = planStep(kept, hosts, clock.nowMs());
    if (step === "none" || !this.#mayWrite(step, secret)) {
      if (kept !== undefined) this.#take(kept);
      return;
    }
    const next = await this.#make(step, kept);
    try {
      await this.#write(next, secret);
      this.#take(next);
    } catch (error) {
      if (!isAlreadyExists(error) && !isConflict(error)) throw error;
      await this.#takeTheirs();
    }
  }

  /** The leader; anybody where nobody could serve otherwise. */
  #mayWrite(step: Step, secret: JsonObject | undefined): boolean {
    if (secret === undefined || this.#options.isLeader()) return true;
    return step === "all" && this.#current === undefined;
  }

  /** Somebody else was faster. */
  async #takeTheirs(): Promise<void> {
    const secret = await this.#read();
    const kept = secret === undefined ? undefined : decodeSecret(secret);
    if (kept !== undefined) this.#take(kept);
  }

  async #read(): Promise<JsonObject | undefined> {
    try {
      return await this.#options.secrets.get(this.#options.namespace, this.#options.name);
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  async #make(
    step: "all" | "authority" | "serving",
    kept: KeptCertificates | undefined,
  ): Promise<KeptCertificates> {
    const { clock, hosts } = this.#options;
    const nowMs = clock.nowMs();
    const from = { notBeforeMs: nowMs - BACKDATE_MS };
    if (step === "serving" && kept !== undefined) {
      const [certPem = ""] = kept.authorities;
      const authority = { certPem, keyPem: kept.authorityKey };
      const serving = await this.#serve(authority, nowMs);
      return { ...kept, ...serving, authorities: liveAuthorities(kept.authorities, nowMs) };
    }
    const authority = await issueAuthority({
      commonName: `${hosts[0] ?? "postern"} authority`,
      ...from,
      notAfterMs: nowMs + AUTHORITY_MS,
    });
    const older = kept === undefined ? [] : liveAuthorities(kept.authorities, nowMs);
    const made = {
      authorities: [authority.certPem, ...older],
      authorityKey: authority.keyPem,
      authoritySinceMs: nowMs,
    };
    if (step === "authority" && kept !== undefined) return { ...kept, ...made };
    return { ...made, ...(await this.#serve(authority, nowMs)) };
  }

  #serve(
    authority: { readonly certPem: string; readonly keyPem: string },
    nowMs: number,
  ): Promise<{ readonly certPem: string; readonly keyPem: string }> {
    const { hosts } = this.#options;
    return issueServing(authority, hosts, {
      commonName: hosts[0] ?? "postern",
      notBeforeMs: nowMs - BACKDATE_MS,
      notAfterMs: nowMs + SERVING_MS,
    });
  }

  async #write(kept: KeptCertificates, previous: JsonObject | undefined): Promise<void> {
    const { secrets, namespace, name } = this.#options;
    const old = isObject(previous?.["metadata"]) ? previous["metadata"] : {};
    const annotations = isObject(old["annotations"]) ? old["annotations"] : {};
    const object = {
      apiVersion: "v1",
      kind: "Secret",
      type: "Opaque",
      metadata: {
        name,
        namespace,
        labels: { ...(isObject(old["labels"]) ? old["labels"] : {}), "postern.dev/managed-by": "postern" },
        annotations: { ...annotations, [SINCE]: new Date(kept.authoritySinceMs).toISOString() },
        ...(old["resourceVersion"] === undefined ? {} : { resourceVersion: old["resourceVersion"] }),
      },
      data: {
        "ca.crt": base64(kept.authorities.join("")),
        "ca.key": base64(kept.authorityKey),
        "tls.crt": base64(kept.certPem),
        "tls.key": base64(kept.keyPem),
      },
    };
    if (previous === undefined) await secrets.create(object);
    else await secrets.replace(object);
  }

  #take(kept: KeptCertificates): void {
    const certificate = servingOf(kept);
    if (certificate === undefined) return;
    const { certPem, caPem } = certificate;
    if (this.#current?.certPem === certPem && this.#current.caPem === caPem) return;
    this.#current = certificate;
    for (const listener of this.#listeners) listener(certificate);
  }
}

function servingOf({ certPem, keyPem, authorities }: KeptCertificates): ServingCertificate | undefined {
  const certificate = readCertificate(certPem);
  if (certificate === undefined) return undefined;
  return {
    certPem,
    keyPem,
    caPem: authorities.join(""),
    notBeforeMs: Date.parse(certificate.validFrom),
    notAfterMs: Date.parse(certificate.validTo),
  };
}

/** `undefined` where it is not what Postern writes. */
function decodeSecret(secret: JsonObject): KeptCertificates | undefined {
  const data = isObject(secret["data"]) ? secret["data"] : {};
  const [ca, authorityKey, certPem, keyPem] = ["ca.crt", "ca.key", "tls.crt", "tls.key"].map((name) => {
    const value = data[name];
    return typeof value === "string" ? Buffer.from(value, "base64").toString("utf8") : "";
  });
  if (!ca || !authorityKey || !certPem || !keyPem) return undefined;
  const metadata = isObject(secret["metadata"]) ? secret["metadata"] : {};
  const annotations = isObject(metadata["annotations"]) ? metadata["annotations"] : {};
  const since = annotations[SINCE];
  const authoritySinceMs = typeof since === "string" ? Date.parse(since) : Number.NaN;
  return {
    authorities: ca.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n?/g) ?? [],
    authorityKey,
    certPem,
    keyPem,
    authoritySinceMs: Number.isNaN(authoritySinceMs) ? 0 : authoritySinceMs,
  };
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
