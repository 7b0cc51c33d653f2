/**
 * An authority of a test's own: serving certificates for loopback and client certificates for people. The API server
 * and whatever stands in for a gate get theirs from different authorities, so that a wrong one is really wrong.
 */
// oxlint-disable-next-line import/no-unassigned-import -- @peculiar/x509 wants it loaded before itself
import "reflect-metadata";
import * as x509 from "@peculiar/x509";
import { webcrypto } from "node:crypto";

/** PEM texts. */
export type IssuedCertificate = { readonly cert: string; readonly key: string };

export type Authority = {
  /** PEM, for `caBundle` and `certificate-authority-data`. */
  readonly ca: string;
  /** For 127.0.0.1 and localhost, and for the names given. */
  readonly serving: (names?: readonly string[]) => Promise<IssuedCertificate>;
  /** A client certificate: its common name is the user, its organizations are the groups. */
  readonly client: (user: string, groups: readonly string[]) => Promise<IssuedCertificate>;
};

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
const hour = 3_600_000;

export async function createAuthority(name: string): Promise<Authority> {
  x509.cryptoProvider.set(webcrypto);
  const keys = await newKeys();
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    ...validity(),
    signingAlgorithm: algorithm,
    extensions: [
      new x509.BasicConstraintsExtension(true, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature, true),
    ],
  });
  const issue = async (
    subject: x509.JsonName,
    extensions: readonly x509.Extension[],
  ): Promise<IssuedCertificate> => {
    const own = await newKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      subject,
      issuer: authority.subject,
      publicKey: own.publicKey,
      signingKey: keys.privateKey,
      ...validity(),
      signingAlgorithm: algorithm,
      extensions: [
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        await x509.AuthorityKeyIdentifierExtension.create(keys.publicKey),
        ...extensions,
      ],
    });
    const pkcs8 = await webcrypto.subtle.exportKey("pkcs8", own.privateKey);
    return { cert: certificate.toString("pem"), key: x509.PemConverter.encode(pkcs8, "PRIVATE KEY") };
  };
  return {
    ca: authority.toString("pem"),
    serving: (names = []) =>
      issue(
        [{ CN: ["127.0.0.1"] }],
        [
          new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
          new x509.SubjectAlternativeNameExtension([
            { type: "ip", value: "127.0.0.1" },
            ...["localhost", ...names].map((value) => ({ type: "dns" as const, value })),
          ]),
        ],
      ),
    client: (user, groups) =>
      issue(
        [{ CN: [user] }, ...groups.map((group) => ({ O: [group] }))],
        [new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.clientAuth])],
      ),
  };
}

function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
}

/** From an hour ago, so that a clock that is a little off does not matter, for a day. */
function validity(): { readonly notBefore: Date; readonly notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - hour), notAfter: new Date(now + 24 * hour) };
}
