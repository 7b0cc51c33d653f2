/**
 * A certificate as the JSON of Go's struct: every member is there, null or zero where the certificate says nothing.
 * SPEC: crypto/x509 `ParseCertificate`, `Certificate` of Go 1.26.
 */
import type { Json, JsonObject } from "#json";
import { encodeBase64 } from "../values/base64.ts";
import type { DerElement } from "./der.ts";
import { childrenOf, derTags, readBits, readElement, readInteger } from "./der.ts";
import { decodeName } from "./distinguished-name.ts";
import { decodeExtensions, extensionsToJson, readExtensions } from "./extensions.ts";
import { decodePublicKey, keyToJson, rsaAlgorithm, signatureAlgorithm } from "./public-key.ts";
import { decodeCertificateTime } from "./validity.ts";

export type DecodedCertificate = JsonObject | { readonly error: string };

const EMPTY: JsonObject = {
  AuthorityKeyId: null,
  BasicConstraintsValid: false,
  CRLDistributionPoints: null,
  DNSNames: null,
  EmailAddresses: null,
  ExcludedDNSDomains: null,
  ExcludedEmailAddresses: null,
  ExcludedIPRanges: null,
  ExcludedURIDomains: null,
  ExtKeyUsage: null,
  ExtraExtensions: null,
  IPAddresses: null,
  InhibitAnyPolicy: 0,
  InhibitAnyPolicyZero: false,
  InhibitPolicyMapping: 0,
  InhibitPolicyMappingZero: false,
  IsCA: false,
  IssuingCertificateURL: null,
  KeyUsage: 0,
  MaxPathLen: 0,
  MaxPathLenZero: false,
  OCSPServer: null,
  PermittedDNSDomains: null,
  PermittedDNSDomainsCritical: false,
  PermittedEmailAddresses: null,
  PermittedIPRanges: null,
  PermittedURIDomains: null,
  Policies: null,
  PolicyIdentifiers: null,
  PolicyMappings: null,
  RequireExplicitPolicy: 0,
  RequireExplicitPolicyZero: false,
  SubjectKeyId: null,
  URIs: null,
  UnknownExtKeyUsage: null,
};

export function decodeCertificate(bytes: Uint8Array): DecodedCertificate {
  const outer = readElement(bytes, 0);
  const parts = childrenOf(outer, derTags.sequence);
  const [body, algorithm, signature] = parts ?? [];
  if (outer === undefined || parts === undefined) return malformed("certificate");
  if (outer.raw.length < bytes.length) return { error: "x509: trailing data" };
  const fields = readBody(body);
  if ("error" in fields) return fields;
  const key = decodePublicKey(fields.publicKey);
  if (key === undefined) return { error: "certificate should use rsa algorithm" };
  if ("error" in key) return key;
  const bits = readBits(signature);
  if (bits === undefined) return malformed("signature");
  return {
    ...EMPTY,
    ...fields.members,
    Raw: encodeBase64(outer.raw),
    Signature: encodeBase64(bits),
    SignatureAlgorithm: signatureAlgorithm(algorithm) ?? 0,
    PublicKey: keyToJson(key),
    PublicKeyAlgorithm: rsaAlgorithm,
  };
}

type Body = { readonly members: JsonObject; readonly publicKey: DerElement };

function readBody(body: DerElement | undefined): Body | { readonly error: string } {
  const parts = childrenOf(body, derTags.sequence);
  if (body === undefined || parts === undefined) return malformed("tbs certificate");
  const versioned = parts[0]?.tag === 0xa0 ? parts[0] : undefined;
  const [serial, , issuer, validity, subject, publicKey, ...rest] =
    versioned === undefined ? parts : parts.slice(1);
  const number = readInteger(serial);
  if (number === undefined) return malformed("serial number");
  if (number < 0n) return { error: "x509: negative serial number" };
  const issuerName = decodeName(issuer);
  if (issuer === undefined || issuerName === undefined) return malformed("issuer");
  const [notBefore, notAfter] = (childrenOf(validity, derTags.sequence) ?? []).map(decodeCertificateTime);
  if (notBefore === undefined || notAfter === undefined) return malformed("validity");
  const subjectName = decodeName(subject);
  if (subject === undefined || subjectName === undefined) return malformed("subject");
  if (publicKey === undefined) return malformed("spki");
  const tagged = rest.find((part) => part.tag === 0xa3);
  const extensions = tagged === undefined ? [] : decodeExtensions(readElement(tagged.content, 0));
  if (extensions === undefined) return malformed("extension");
  const members: Record<string, Json> = {
    ...readExtensions(extensions),
    Extensions: extensionsToJson(extensions),
    Issuer: issuerName,
    NotAfter: notAfter,
    NotBefore: notBefore,
    RawIssuer: encodeBase64(issuer.raw),
    RawSubject: encodeBase64(subject.raw),
    RawSubjectPublicKeyInfo: encodeBase64(publicKey.raw),
    RawTBSCertificate: encodeBase64(body.raw),
    SerialNumber: Number(number),
    Subject: subjectName,
    Version: versioned === undefined ? 1 : Number(readInteger(readElement(versioned.content, 0)) ?? 0n) + 1,
  };
  return { members, publicKey };
}

function malformed(part: string): { readonly error: string } {
  return { error: `x509: malformed ${part}` };
}
