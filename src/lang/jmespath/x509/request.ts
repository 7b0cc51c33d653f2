/** A certificate request as the JSON of Go's struct. SPEC: crypto/x509 `ParseCertificateRequest` of Go 1.26. */
import type { Json, JsonObject } from "#json";
import { decodeUtf8 } from "#json";
import { encodeBase64 } from "../values/base64.ts";
import type { DecodedCertificate } from "./certificate.ts";
import type { DerElement } from "./der.ts";
import {
  childrenOf,
  derTags,
  isOid,
  readBits,
  readElement,
  readElements,
  readInteger,
  readOid,
} from "./der.ts";
import { decodeName } from "./distinguished-name.ts";
import { decodeExtensions, extensionsToJson, readAlternativeNames } from "./extensions.ts";
import type { Extension } from "./extensions.ts";
import { decodePublicKey, keyToJson, rsaAlgorithm, signatureAlgorithm } from "./public-key.ts";

const EXTENSION_REQUEST = "1.2.840.113549.1.9.14";
const ALTERNATIVE_NAMES = "2.5.29.17";

export function decodeRequest(bytes: Uint8Array): DecodedCertificate {
  const outer = readElement(bytes, 0);
  const [body, algorithm, signature] = childrenOf(outer, derTags.sequence) ?? [];
  const [version, subject, publicKey, attributes] = childrenOf(body, derTags.sequence) ?? [];
  if (outer === undefined || body === undefined) return { error: "asn1: syntax error: sequence truncated" };
  if (outer.raw.length < bytes.length) return { error: "asn1: syntax error: trailing data" };
  const name = decodeName(subject);
  const bits = readBits(signature);
  if (subject === undefined || name === undefined || publicKey === undefined || bits === undefined) {
    return { error: "asn1: structure error: tags don't match" };
  }
  const key = decodePublicKey(publicKey);
  if (key === undefined) return { error: "certificate should use rsa algorithm" };
  if ("error" in key) return key;
  return {
    ...readAttributes(attributes),
    ExtraExtensions: null,
    PublicKey: keyToJson(key),
    PublicKeyAlgorithm: rsaAlgorithm,
    Raw: encodeBase64(outer.raw),
    RawSubject: encodeBase64(subject.raw),
    RawSubjectPublicKeyInfo: encodeBase64(publicKey.raw),
    RawTBSCertificateRequest: encodeBase64(body.raw),
    Signature: encodeBase64(bits),
    SignatureAlgorithm: signatureAlgorithm(algorithm) ?? 0,
    Subject: name,
    Version: Number(readInteger(version) ?? 0n),
  };
}

/** The attributes, and what the extensions that are requested in them say. */
function readAttributes(element: DerElement | undefined): JsonObject {
  const attributes: Json[] = [];
  let extensions: readonly Extension[] = [];
  for (const attribute of element === undefined ? [] : (readElements(element.content) ?? [])) {
    const [type, values] = childrenOf(attribute, derTags.sequence) ?? [];
    const id = readOid(type);
    if (id === undefined) continue;
    const lists = attributeValues(values);
    if (lists !== undefined) attributes.push({ Type: id, Value: lists });
    if (isOid(id, EXTENSION_REQUEST))
      extensions = decodeExtensions(childrenOf(values, derTags.set)?.[0]) ?? [];
  }
  const names = extensions.find((extension) => isOid(extension.id, ALTERNATIVE_NAMES));
  return {
    Attributes: attributes.length === 0 ? null : attributes,
    Extensions: extensionsToJson(extensions),
    ...readAlternativeNames(names?.value ?? new Uint8Array()),
  };
}

/** Lists of types with values; `undefined` for anything else, which Go leaves out. */
function attributeValues(values: DerElement | undefined): Json | undefined {
  const lists: Json[] = [];
  for (const list of childrenOf(values, derTags.set) ?? []) {
    const pairs: Json[] = [];
    for (const pair of childrenOf(list, derTags.sequence) ?? []) {
      const parts = childrenOf(pair, derTags.sequence) ?? [];
      const [type, value] = parts;
      const id = readOid(type);
      if (id === undefined || value === undefined || parts.length !== 2) return undefined;
      pairs.push({ Type: id, Value: valueOf(value) });
    }
    if (pairs.length === 0) return undefined;
    lists.push(pairs);
  }
  return lists.length === 0 ? undefined : lists;
}

function valueOf(element: DerElement): Json {
  return element.tag === derTags.octetString ? encodeBase64(element.content) : decodeUtf8(element.content);
}
