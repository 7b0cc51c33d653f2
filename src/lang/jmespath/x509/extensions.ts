/**
 * Extensions of certificates and requests: one reader an extension, which gives the members that it fills in Go's
 * struct. What no reader knows is listed where it is critical.
 * SPEC: crypto/x509 parser.go `processExtensions`, `parseSANExtension`.
 */
import type { Json, JsonObject } from "#json";
import { decodeUtf8 } from "#json";
import { encodeBase64 } from "../values/base64.ts";
import type { DerElement, Oid } from "./der.ts";
import { childrenOf, derTags, readBoolean, readElement, readElements, readInteger, readOid } from "./der.ts";
import { ipText, uriToJson } from "./general-name.ts";

export type Extension = { readonly id: Oid; readonly critical: boolean; readonly value: Uint8Array };

/** Of an `Extensions` sequence; `undefined` where it is malformed. */
export function decodeExtensions(element: DerElement | undefined): readonly Extension[] | undefined {
  const found: Extension[] = [];
  for (const item of childrenOf(element, derTags.sequence) ?? []) {
    const parts = childrenOf(item, derTags.sequence) ?? [];
    const id = readOid(parts[0]);
    const value = parts.at(-1);
    if (id === undefined || value?.tag !== derTags.octetString) return undefined;
    found.push({ id, critical: parts.length === 3 && readBoolean(parts[1]), value: value.content });
  }
  return found;
}

export function extensionsToJson(extensions: readonly Extension[]): Json {
  if (extensions.length === 0) return null;
  return extensions.map(({ id, critical, value }) => ({
    Id: id,
    Critical: critical,
    Value: encodeBase64(value),
  }));
}

type Reader = (value: Uint8Array) => JsonObject;

const READERS: ReadonlyMap<string, Reader> = new Map([
  ["2.5.29.15", keyUsage],
  ["2.5.29.19", basicConstraints],
  ["2.5.29.17", readAlternativeNames],
  ["2.5.29.31", distributionPoints],
  ["2.5.29.35", authorityKeyId],
  ["2.5.29.37", extendedKeyUsage],
  ["2.5.29.14", subjectKeyId],
  ["2.5.29.32", policies],
  ["1.3.6.1.5.5.7.1.1", authorityInformation],
]);

/** The members that the extensions fill, and the critical ones that are not understood. */
export function readExtensions(extensions: readonly Extension[]): JsonObject {
  let members: JsonObject = {};
  const unhandled: Json[] = [];
  for (const { id, critical, value } of extensions) {
    const read = READERS.get(id.join("."));
    if (read !== undefined) members = { ...members, ...read(value) };
    else if (critical) unhandled.push(id);
  }
  return { ...members, UnhandledCriticalExtensions: listOrNull(unhandled) };
}

function listOrNull(items: readonly Json[]): Json {
  return items.length === 0 ? null : items;
}

function keyUsage(value: Uint8Array): JsonObject {
  const bits = readElement(value, 0)?.content ?? new Uint8Array();
  let usage = 0;
  for (let bit = 0; bit < 9; bit++) {
    const byte = bits[1 + (bit >> 3)] ?? 0;
    if ((byte & (0x80 >> (bit & 7))) !== 0) usage |= 1 << bit;
  }
  return { KeyUsage: usage };
}

function basicConstraints(value: Uint8Array): JsonObject {
  const parts = childrenOf(readElement(value, 0), derTags.sequence) ?? [];
  const length = parts.find((part) => part.tag === derTags.integer);
  const maxPathLen = length === undefined ? -1 : Number(readInteger(length));
  return {
    BasicConstraintsValid: true,
    IsCA: readBoolean(parts[0]),
    MaxPathLen: maxPathLen,
    MaxPathLenZero: maxPathLen === 0,
  };
}

export function readAlternativeNames(value: Uint8Array): JsonObject {
  const names = childrenOf(readElement(value, 0), derTags.sequence) ?? [];
  const under = (tag: number, read: (content: Uint8Array) => Json): Json =>
    listOrNull(names.filter((name) => name.tag === tag).map((name) => read(name.content)));
  return {
    EmailAddresses: under(0x81, decodeUtf8),
    DNSNames: under(0x82, decodeUtf8),
    URIs: under(0x86, (content) => uriToJson(decodeUtf8(content))),
    IPAddresses: under(0x87, ipText),
  };
}

/** Full names that are URIs. */
function distributionPoints(value: Uint8Array): JsonObject {
  const found: Json[] = [];
  for (const point of childrenOf(readElement(value, 0), derTags.sequence) ?? []) {
    const [name] = childrenOf(point, derTags.sequence) ?? [];
    const full = name?.tag === 0xa0 ? readElement(name.content, 0) : undefined;
    for (const uri of childrenOf(full, 0xa0) ?? []) {
      if (uri.tag === 0x86) found.push(decodeUtf8(uri.content));
    }
  }
  return { CRLDistributionPoints: listOrNull(found) };
}

function authorityKeyId(value: Uint8Array): JsonObject {
  const id = childrenOf(readElement(value, 0), derTags.sequence)?.find((part) => part.tag === 0x80);
  return { AuthorityKeyId: id === undefined ? null : encodeBase64(id.content) };
}

function subjectKeyId(value: Uint8Array): JsonObject {
  return { SubjectKeyId: encodeBase64(readElement(value, 0)?.content ?? new Uint8Array()) };
}

const USAGES: ReadonlyMap<string, number> = new Map([
  ["2.5.29.37.0", 0],
  ["1.3.6.1.5.5.7.3.1", 1],
  ["1.3.6.1.5.5.7.3.2", 2],
  ["1.3.6.1.5.5.7.3.3", 3],
  ["1.3.6.1.5.5.7.3.4", 4],
  ["1.3.6.1.5.5.7.3.5", 5],
  ["1.3.6.1.5.5.7.3.6", 6],
  ["1.3.6.1.5.5.7.3.7", 7],
  ["1.3.6.1.5.5.7.3.8", 8],
  ["1.3.6.1.5.5.7.3.9", 9],
  ["1.3.6.1.4.1.311.10.3.3", 10],
  ["2.16.840.1.113730.4.1", 11],
  ["1.3.6.1.4.1.311.2.1.22", 12],
  ["1.3.6.1.4.1.311.61.1.1", 13],
]);

function extendedKeyUsage(value: Uint8Array): JsonObject {
  const known: Json[] = [];
  const unknown: Json[] = [];
  for (const element of childrenOf(readElement(value, 0), derTags.sequence) ?? []) {
    const id = readOid(element) ?? [];
    const usage = USAGES.get(id.join("."));
    if (usage === undefined) unknown.push(id);
    else known.push(usage);
  }
  return { ExtKeyUsage: listOrNull(known), UnknownExtKeyUsage: listOrNull(unknown) };
}

function policies(value: Uint8Array): JsonObject {
  const ids: Oid[] = [];
  for (const policy of childrenOf(readElement(value, 0), derTags.sequence) ?? []) {
    ids.push(readOid(childrenOf(policy, derTags.sequence)?.[0]) ?? []);
  }
  return { PolicyIdentifiers: listOrNull(ids), Policies: listOrNull(ids.map((id) => id.join("."))) };
}

function authorityInformation(value: Uint8Array): JsonObject {
  const servers: Json[] = [];
  const issuers: Json[] = [];
  for (const access of childrenOf(readElement(value, 0), derTags.sequence) ?? []) {
    const [method, location] = readElements(access.content) ?? [];
    if (location?.tag !== 0x86) continue;
    const list = (readOid(method) ?? []).join(".") === "1.3.6.1.5.5.7.48.1" ? servers : issuers;
    list.push(decodeUtf8(location.content));
  }
  return { OCSPServer: listOrNull(servers), IssuingCertificateURL: listOrNull(issuers) };
}
