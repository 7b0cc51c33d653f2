/** RSA keys and the numbers by which Go calls algorithms. SPEC: crypto/x509 `parsePublicKey`, `SignatureAlgorithm`. */
import type { Json } from "#json";
import type { DerElement, Oid } from "./der.ts";
import { childrenOf, derTags, isOid, readBits, readElement, readInteger, readOid } from "./der.ts";

const RSA = "1.2.840.113549.1.1.1";

/** Go's number of the algorithm; RSA is 1. */
export const rsaAlgorithm = 1;

export type RsaKey = { readonly modulus: bigint; readonly exponent: bigint };

/** `undefined` for a key of another algorithm; an error where there is none at all. */
export function decodePublicKey(
  element: DerElement | undefined,
): RsaKey | undefined | { readonly error: string } {
  const parts = childrenOf(element, derTags.sequence);
  const [algorithm, bits] = parts ?? [];
  const oid = readOid(childrenOf(algorithm, derTags.sequence)?.[0]);
  const bytes = readBits(bits);
  if (parts === undefined) return { error: "x509: malformed spki" };
  if (oid === undefined) return { error: "x509: malformed public key algorithm identifier" };
  if (bytes === undefined) return { error: "x509: malformed subjectPublicKey" };
  if (!isOid(oid, RSA)) return undefined;
  const [modulus, exponent] = (childrenOf(readElement(bytes, 0), derTags.sequence) ?? []).map(readInteger);
  if (modulus === undefined) return { error: "x509: invalid RSA modulus" };
  if (exponent === undefined) return { error: "x509: invalid RSA public exponent" };
  return { modulus, exponent };
}

export function keyToJson(key: RsaKey): Json {
  return { N: String(key.modulus), E: Number(key.exponent) };
}

const SIGNATURES: ReadonlyMap<string, number> = new Map([
  ["1.2.840.113549.1.1.4", 2],
  ["1.2.840.113549.1.1.5", 3],
  ["1.3.14.3.2.29", 3],
  ["1.2.840.113549.1.1.11", 4],
  ["1.2.840.113549.1.1.12", 5],
  ["1.2.840.113549.1.1.13", 6],
  ["1.2.840.10040.4.3", 7],
  ["2.16.840.1.101.3.4.3.2", 8],
  ["1.2.840.10045.4.1", 9],
  ["1.2.840.10045.4.3.2", 10],
  ["1.2.840.10045.4.3.3", 11],
  ["1.2.840.10045.4.3.4", 12],
  ["1.3.101.112", 16],
]);

const PSS = "1.2.840.113549.1.1.10";

/** PSS names its hash by an OID that ends in the hash's number. */
const PSS_HASHES: ReadonlyMap<string, number> = new Map([
  ["2.16.840.1.101.3.4.2.1", 13],
  ["2.16.840.1.101.3.4.2.2", 14],
  ["2.16.840.1.101.3.4.2.3", 15],
]);

/** Go's number of the signature's algorithm; 0 for one that it does not know. */
export function signatureAlgorithm(element: DerElement | undefined): number | undefined {
  const parts = childrenOf(element, derTags.sequence);
  const oid = readOid(parts?.[0]);
  if (oid === undefined) return undefined;
  if (!isOid(oid, PSS)) return SIGNATURES.get(oid.join(".")) ?? 0;
  return PSS_HASHES.get(pssHash(parts?.[1])?.join(".") ?? "") ?? 0;
}

function pssHash(parameters: DerElement | undefined): Oid | undefined {
  const [tagged] = childrenOf(parameters, derTags.sequence) ?? [];
  if (tagged === undefined) return undefined;
  return readOid(childrenOf(readElement(tagged.content, 0), derTags.sequence)?.[0]);
}
