/** etcd behind an API server, by its JSON gateway: keys can be read and removed while no API server runs. */
import type { Child } from "./child.ts";

export type Etcd = {
  readonly keys: (prefix: string) => Promise<readonly string[]>;
  /** Removes everything below a prefix; how many keys there were. */
  readonly remove: (prefix: string) => Promise<number>;
  readonly child: Child;
};

export function createEtcd(address: string, child: Child): Etcd {
  async function ask(path: string, body: unknown): Promise<Record<string, unknown>> {
    const answer = await fetch(`${address}${path}`, { method: "POST", body: JSON.stringify(body) });
    return (await answer.json()) as Record<string, unknown>;
  }
  return {
    async keys(prefix) {
      const { kvs } = await ask("/v3/kv/range", { ...range(prefix), keys_only: true });
      return ((kvs ?? []) as { key: string }[]).map(({ key }) => Buffer.from(key, "base64").toString());
    },
    async remove(prefix) {
      const { deleted } = await ask("/v3/kv/deleterange", range(prefix));
      return Number(deleted ?? 0);
    },
    child,
  };
}

/** All keys that begin with the prefix: up to the next text of the same length. */
function range(prefix: string): { readonly key: string; readonly range_end: string } {
  const end = Buffer.from(prefix);
  end[end.length - 1] = (end.at(-1) ?? 0) + 1;
  return { key: Buffer.from(prefix).toString("base64"), range_end: end.toString("base64") };
}
