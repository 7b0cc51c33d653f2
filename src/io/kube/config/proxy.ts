/** The proxy for an address as HTTPS_PROXY, HTTP_PROXY and NO_PROXY say. SPEC: golang.org/x/net/http/httpproxy. */

/** `undefined` where the address is reached directly. Loopback addresses always are. */
export function proxyFor(
  address: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { protocol, hostname, port } = new URL(address);
  const name = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const proxy = env[name] ?? env[name.toLowerCase()];
  if (proxy === undefined || proxy === "" || isLoopback(hostname)) return undefined;
  const exceptions = (env["NO_PROXY"] ?? env["no_proxy"] ?? "").split(",").map((entry) => entry.trim());
  const wanted = port || (protocol === "https:" ? "443" : "80");
  if (exceptions.some((entry) => covers(entry, hostname, wanted))) return undefined;
  return proxy.includes("://") ? proxy : `http://${proxy}`;
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

function covers(entry: string, host: string, port: string): boolean {
  if (entry === "") return false;
  if (entry === "*") return true;
  const cidr = /^(\d+\.\d+\.\d+\.\d+)\/(\d+)$/.exec(entry);
  if (cidr !== null) return isWithin(host, cidr[1] ?? "", Number(cidr[2]));
  const [, name = "", wantedPort] = /^(.*?)(?::(\d+))?$/.exec(entry) ?? [];
  if (wantedPort !== undefined && wantedPort !== port) return false;
  const suffix = name.replace(/^\*?\.?/, "").toLowerCase();
  return host === suffix ? !name.startsWith(".") : host.endsWith(`.${suffix}`);
}

function isWithin(host: string, network: string, bits: number): boolean {
  const address = toNumber(host);
  const base = toNumber(network);
  if (address === undefined || base === undefined || bits > 32) return false;
  const size = 2 ** (32 - bits);
  return Math.floor(address / size) === Math.floor(base / size);
}

function toNumber(address: string): number | undefined {
  const parts = address.split(".").map(Number);
  if (parts.length !== 4 || parts.some((part) => !(part >= 0 && part <= 255))) return undefined;
  return parts.reduce((sum, part) => sum * 256 + part, 0);
}
