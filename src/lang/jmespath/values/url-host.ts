/**
 * The host name of a URL, with Go's errors where it is none. Only what lies before the path is read: the rest cannot
 * change the host.
 * SPEC: net/url `Parse`, `parseAuthority`, `parseHost`, `validOptionalPort`, `URL.Hostname`.
 */
import { quoteGo } from "#text";

/** Without port, brackets and user; empty where the URL has no host. */
export function parseUrlHost(url: string): string | { readonly error: string } {
  const found = readHost(url);
  return typeof found === "string" ? found : { error: `parse ${quoteGo(url)}: ${found.error}` };
}

type Problem = { readonly error: string };

function readHost(url: string): string | Problem {
  if (/[\0-\x1f\x7f]/.test(url)) return { error: "net/url: invalid control character in URL" };
  const hash = url.indexOf("#");
  const withoutFragment = hash === -1 ? url : url.slice(0, hash);
  const rest = withoutScheme(withoutFragment);
  if (typeof rest !== "string") return rest;
  // WHY: what follows a scheme without a slash is opaque
  if (rest !== withoutFragment && !rest.startsWith("/")) return "";
  if (!rest.startsWith("//")) return pathProblem(rest, withoutFragment) ?? "";
  const end = rest.slice(2).search(/[/?]/);
  const authority = end === -1 ? rest.slice(2) : rest.slice(2, 2 + end);
  return hostOf(authority) ?? escapeProblem(end === -1 ? "" : rest.slice(2 + end)) ?? hostname(authority);
}

function withoutScheme(url: string): string | Problem {
  if (url.startsWith(":")) return { error: "missing protocol scheme" };
  const scheme = /^[A-Za-z][A-Za-z0-9+.-]*:/.exec(url);
  return scheme === null ? url : url.slice(scheme[0].length);
}

/** A relative path must not look like a scheme that is none. */
function pathProblem(rest: string, url: string): Problem | undefined {
  const first = rest.split("/", 1)[0] ?? "";
  if (rest === url && first.split("?", 1)[0]?.includes(":") === true) {
    return { error: "first path segment in URL cannot contain colon" };
  }
  return escapeProblem(rest);
}

function escapeProblem(text: string): Problem | undefined {
  const path = text.split("?", 1)[0] ?? "";
  const bad = /%(?![\da-fA-F]{2})/.exec(path);
  return bad === null
    ? undefined
    : { error: `invalid URL escape ${quoteGo(path.slice(bad.index, bad.index + 3))}` };
}

function hostOf(authority: string): Problem | undefined {
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  if (host.startsWith("[")) {
    const close = host.lastIndexOf("]");
    if (close === -1) return { error: "missing ']' in host" };
    return portProblem(host.slice(close + 1)) ?? characterProblem(host);
  }
  const colon = host.lastIndexOf(":");
  return (colon === -1 ? undefined : portProblem(host.slice(colon))) ?? characterProblem(host);
}

function portProblem(port: string): Problem | undefined {
  return /^(?::\d*)?$/.test(port) ? undefined : { error: `invalid port ${quoteGo(port)} after host` };
}

/** Escapes in a host are for bytes beyond ASCII only. */
function characterProblem(host: string): Problem | undefined {
  const escape = escapeProblem(host);
  if (escape !== undefined) return escape;
  const ascii = /%[0-7][\da-fA-F]/.exec(host);
  if (ascii !== null && ascii[0] !== "%25") return { error: `invalid URL escape ${quoteGo(ascii[0])}` };
  const bad = /[\x00-\x7f]/g;
  for (const [character] of host.matchAll(bad)) {
    if (!/[A-Za-z0-9\-._~!$&'()*+,;=:[\]<>"%]/.test(character)) {
      return { error: `invalid character ${quoteGo(character)} in host name` };
    }
  }
  return undefined;
}

function hostname(authority: string): string {
  const host = authority.slice(authority.lastIndexOf("@") + 1);
  if (host.startsWith("[")) return host.slice(1, host.lastIndexOf("]"));
  const colon = host.indexOf(":");
  return colon === -1 ? host : host.slice(0, colon);
}
