/**
 * IP literals and whether they are reachable from outside as upstream sees it: everything but loopback and private
 * networks. An IPv4 address inside IPv6 is the IPv4 address.
 * SPEC: net `ParseIP`, `IP.IsLoopback`, `IP.IsPrivate`.
 */
export type Address = readonly number[];

/** Four bytes or sixteen; `undefined` for a name. */
export function parseAddress(text: string): Address | undefined {
  return text.includes(":") ? parseSix(text) : parseFour(text);
}

export function isPublicAddress(address: Address): boolean {
  const [first = 0, second = 0] = address;
  if (address.length === 16) {
    const isLoopback = address.every((byte, index) => byte === (index === 15 ? 1 : 0));
    return !isLoopback && (first & 0xfe) !== 0xfc;
  }
  if (first === 127 || first === 10) return false;
  return !(first === 172 && (second & 0xf0) === 16) && !(first === 192 && second === 168);
}

function parseFour(text: string): Address | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part))) return undefined;
  const bytes = parts.map(Number);
  return bytes.every((byte) => byte <= 255) ? bytes : undefined;
}

function parseSix(text: string): Address | undefined {
  const zone = text.indexOf("%");
  if (zone !== -1) return undefined;
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(groupBytes);
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  const missing = 16 - head.length - (tail?.length ?? 0);
  if (halves.length === 2 ? missing < 2 : missing !== 0) return undefined;
  const bytes = [...head, ...Array<number>(missing).fill(0), ...(tail ?? [])];
  const isMapped = bytes.slice(0, 10).every((byte) => byte === 0) && bytes[10] === 255 && bytes[11] === 255;
  return isMapped ? bytes.slice(12) : bytes;
}

/** Groups of two bytes; the last one may be an IPv4 address. */
function groupBytes(text: string): number[] | undefined {
  if (text === "") return [];
  const bytes: number[] = [];
  const groups = text.split(":");
  for (const [index, group] of groups.entries()) {
    if (index === groups.length - 1 && group.includes(".")) {
      const four = parseFour(group);
      if (four === undefined) return undefined;
      bytes.push(...four);
    } else if (/^[\da-fA-F]{1,4}$/.test(group)) {
      const value = Number.parseInt(group, 16);
      bytes.push(value >> 8, value & 0xff);
    } else return undefined;
  }
  return bytes;
}
