/** Addresses and URIs inside alternative names, as Go writes them in JSON. SPEC: net `IP.String`, net/url `URL`. */
import type { Json } from "#json";

/** Four bytes or sixteen; the longest run of zero groups is left out. */
export function ipText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups: string[] = [];
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    groups.push((((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
  }
  const [from, length] = longestZeros(groups);
  if (length < 2) return groups.join(":");
  return `${groups.slice(0, from).join(":")}::${groups.slice(from + length).join(":")}`;
}

function longestZeros(groups: readonly string[]): readonly [number, number] {
  let best: readonly [number, number] = [0, 0];
  for (let from = 0; from < groups.length; from++) {
    let length = 0;
    while (groups[from + length] === "0") length++;
    if (length > best[1]) best = [from, length];
  }
  return best;
}

export function uriToJson(uri: string): Json {
  const found = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(uri);
  const [, scheme = "", authority, path = "", query = "", fragment = ""] = found ?? [];
  const isOpaque = authority === undefined && !path.startsWith("/");
  return {
    Scheme: scheme.toLowerCase(),
    Opaque: isOpaque ? path : "",
    User: (authority ?? "").includes("@") ? {} : null,
    Host: (authority ?? "").slice((authority ?? "").lastIndexOf("@") + 1),
    Path: isOpaque ? "" : path,
    Fragment: fragment.slice(1),
    RawQuery: query.slice(1),
    RawPath: "",
    RawFragment: "",
    ForceQuery: query === "?",
    OmitHost: false,
  };
}
