/**
 * DER, as far as certificates need it: elements with one-byte tags and definite lengths, and the primitive values in
 * them. Reading never throws; what does not fit is `undefined`, and the caller knows what it was reading.
 * SPEC: X.690; golang.org/x/crypto/cryptobyte.
 */
export type DerElement = {
  readonly tag: number;
  /** With tag and length. */
  readonly raw: Uint8Array;
  readonly content: Uint8Array;
};

export const derTags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  oid: 0x06,
  enumerated: 0x0a,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

export type Oid = readonly number[];

/** The element at `at`; `undefined` where there is none or its length is not as DER wants it. */
export function readElement(bytes: Uint8Array, at: number): DerElement | undefined {
  const tag = bytes[at];
  const first = bytes[at + 1];
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) return undefined;
  const long = first < 0x80 ? 0 : first & 0x7f;
  if (first === 0x80 || long > 4) return undefined;
  let length = long === 0 ? first : 0;
  for (let index = 0; index < long; index++) length = length * 256 + (bytes[at + 2 + index] ?? 0);
  if (long > 0 && (length < 0x80 || bytes[at + 2] === 0)) return undefined;
  const start = at + 2 + long;
  if (start + length > bytes.length) return undefined;
  return { tag, raw: bytes.subarray(at, start + length), content: bytes.subarray(start, start + length) };
}

/** All elements of a constructed one's content. */
export function readElements(content: Uint8Array): readonly DerElement[] | undefined {
  const found: DerElement[] = [];
  for (let at = 0; at < content.length;) {
    const element = readElement(content, at);
    if (element === undefined) return undefined;
    found.push(element);
    at += element.raw.length;
  }
  return found;
}

/** The elements of `element` if it has this tag. */
export function childrenOf(element: DerElement | undefined, tag: number): readonly DerElement[] | undefined {
  return element?.tag === tag ? readElements(element.content) : undefined;
}

export function readOid(element: DerElement | undefined): Oid | undefined {
  if (element?.tag !== derTags.oid || element.content.length === 0) return undefined;
  const arcs: number[] = [];
  let arc = 0;
  for (const byte of element.content) {
    arc = arc * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    arcs.push(arc);
    arc = 0;
  }
  const [first = 0, ...rest] = arcs;
  const root = Math.min(2, Math.floor(first / 40));
  return [root, first - root * 40, ...rest];
}

export function readInteger(element: DerElement | undefined): bigint | undefined {
  if (element?.tag !== derTags.integer || element.content.length === 0) return undefined;
  let value = 0n;
  for (const byte of element.content) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(element.content.length * 8, value);
}

/** The bytes of a bit string without its count of unused bits. */
export function readBits(element: DerElement | undefined): Uint8Array | undefined {
  if (element?.tag !== derTags.bitString || element.content.length === 0) return undefined;
  return element.content.subarray(1);
}

export function readBoolean(element: DerElement | undefined): boolean {
  return element?.tag === derTags.boolean && element.content[0] === 0xff;
}

export function isOid(oid: Oid, text: string): boolean {
  return oid.join(".") === text;
}
