/** Which addresses lie outside: neither loopback, private, link-local nor unspecified, as Go's net.IP tells them. */
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";

/** Whether any address of a host is external. Rejects as the resolver does. */
export async function resolvesExternally(host: string): Promise<boolean> {
  const addresses = await lookup(host, { all: true });
  return addresses.some(({ address }) => isExternalAddress(address));
}

/** Whether `address` (IPv4 or IPv6, no port) is one of the public internet's. */
export function isExternalAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && !createInternal().check(address, family === 4 ? "ipv4" : "ipv6");
}

function createInternal(): BlockList {
  const list = new BlockList();
  const ranges = [
    "0.0.0.0/32",
    "10.0.0.0/8",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.168.0.0/16",
  ];
  for (const range of ranges) list.addSubnet(range.split("/")[0] ?? "", Number(range.split("/")[1]), "ipv4");
  for (const range of ["::/127", "fc00::/7", "fe80::/10"]) {
    list.addSubnet(range.split("/")[0] ?? "", Number(range.split("/")[1]), "ipv6");
  }
  return list;
}
