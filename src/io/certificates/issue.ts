/**
 * Makes certificates: an authority of its own, and a serving certificate that it signs. ECDSA P-256, because every API
 * server takes it and a handshake costs a tenth of RSA's. The library is loaded when something is issued, which is once
 * in months: a process that starts with a good certificate never pays for it.
 */
import type { webcrypto } from "node:crypto";
import { isIP } from "node:net";

import type * as X509Module from "@peculiar/x509";

export type KeyPair = { readonly certPem: string; readonly keyPem: string };

export type IssueOptions = {
  readonly commonName: string;
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
};

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

type X509 = typeof X509Module;

async function loadX509(): Promise<X509> {
  await import("reflect-metadata");
  return import("@peculiar/x509");
}

export async function issueAuthority(options: IssueOptions): Promise<KeyPair> {
  const x509 = await loadX509();
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const cert = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${options.commonName}`,
    notBefore: new Date(options.notBeforeMs),
    notAfter: new Date(options.notAfterMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certPem: withNewline(cert.toString("pem")), keyPem: await exportKey(x509, keys.privateKey) };
}

/** @param hosts DNS names and IP addresses that it is good for */
export async function issueServing(
  authority: KeyPair,
  hosts: readonly string[],
  options: IssueOptions,
): Promise<KeyPair> {
  const x509 = await loadX509();
  const issuer = new x509.X509Certificate(authority.certPem);
  const signingKey = await crypto.subtle.importKey(
    "pkcs8",
    x509.PemConverter.decodeFirst(authority.keyPem),
    algorithm,
    false,
    ["sign"],
  );
  const keys = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const cert = await x509.X509CertificateGenerator.create({
    subject: `CN=${options.commonName}`,
    issuer: issuer.subject,
    notBefore: new Date(options.notBeforeMs),
    notAfter: new Date(options.notAfterMs),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        hosts.map((host) => ({ type: isIP(host) === 0 ? ("dns" as const) : ("ip" as const), value: host })),
      ),
      await x509.AuthorityKeyIdentifierExtension.create(issuer),
    ],
  });
  return { certPem: withNewline(cert.toString("pem")), keyPem: await exportKey(x509, keys.privateKey) };
}

async function exportKey(x509: X509, key: webcrypto.CryptoKey): Promise<string> {
  return withNewline(x509.PemConverter.encode(await crypto.subtle.exportKey("pkcs8", key), "PRIVATE KEY"));
}

function withNewline(pem: string): string {
  return pem.endsWith("\n") ? pem : `${pem}\n`;
}
