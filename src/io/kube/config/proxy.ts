/** The proxy for an address as HTTPS_PROXY, HTTP_PROXY and NO_PROXY say. SPEC: golang.org/x/net/http/httpproxy. */
import { BlockList, isIP } from "node:net";

import { Fault } from "#diag";

type Env = Readonly<Record<string, string | undefined>>;

/** `undefined` where the address is reached directly. Loopback addresses always are. */
export function proxyFor(address: string, env: Env): string | undefined {
  const { protocol, hostname, port } = new URL(address);
  const proxy = valueOf(env, protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY");
  const host = hostname.replace(/^\[|\]$/g, "");
  if (proxy === "" || isLoopback(host)) return undefined;
  const exceptions = valueOf(env, "NO_PROXY").split(",");
  const wanted = port || (protocol === "https:" ? "443" : "80");
  if (exceptions.some((entry) => covers(entry.trim().toLowerCase(), host, wanted))) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

/** @throws Fault `kube/config` for what is no http or https address; `source` names where it was set */
export function checkProxy(proxy: string | undefined, source: string): string | undefined {
  if (proxy === undefined) return undefined;
  const protocol = URL.canParse(proxy) ? new URL(proxy).protocol : "";
  if (protocol === "http:" || protocol === "https:") return proxy;
  // Not the whole text: it may hold a password.
  const said = protocol === "" ? "is no address" : `begins with \`${protocol}//\``;
  throw new Fault(
    "kube/config",
    `${source}: the proxy ${said}; only \`http://host:port\` and \`https://host:port\` can be used`,
  );
}

function valueOf(env: Env, name: string): string {
  return env[name] || env[name.toLowerCase()] || "";
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === "" || entry === "*") return entry === "*";
  const [network = "", bits] = entry.split("/");
  if (bits !== undefined) return isWithin(host, network, Number(bits));
  const { name, onlyPort } = nameAndPort(entry);
  if (onlyPort !== undefined && onlyPort !== port) return false;
  // `.example.com` and `*.example.com` are for what is below; `example.com` is for itself as well.
  const below = name.replace(/^\*/, "");
  if (below.startsWith(".")) return host.endsWith(below);
  return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`));
}

/** `host`, `host:443`, `::1`, `[::1]:443`. */
function nameAndPort(entry: string): { readonly name: string; readonly onlyPort?: string } {
  if (isIP(entry) !== 0) return { name: entry };
  const [, name = entry, onlyPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  const bare = name.replace(/^\[|\]$/g, "");
  return onlyPort === undefined ? { name: bare } : { name: bare, onlyPort };
}

function isWithin(host: string, network: string, bits: number): boolean {
  const family = isIP(network);
  const most = family === 6 ? 128 : 32;
  if (family === 0 || isIP(host) !== family || !(bits >= 0 && bits <= most)) return false;
  const list = new BlockList();
  const kind = family === 6 ? "ipv6" : "ipv4";
  list.addSubnet(network, bits, kind);
  return list.check(host, kind);
}
