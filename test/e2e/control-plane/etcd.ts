/** etcd behind an API server, by its JSON gateway: keys can be read, written and removed while no API server runs. */
import type { Child } from "./child.ts";

export type Etcd = {
  readonly keys: (prefix: string) => Promise<readonly string[]>;
  readonly get: (key: string) => Promise<Buffer | undefined>;
  /** An API server reads objects as JSON too, whatever it writes itself. */
  readonly put: (key: string, value: string | Buffer) => Promise<void>;
  /** Removes everything below a prefix; how many keys there were. */
  readonly remove: (prefix: string) => Promise<number>;
  /** The process, to be stopped, paused (`SIGSTOP`) and looked at. */
  readonly child: () => Child;
  /** Starts again, on the same data, what was stopped by its `child`. */
  readonly start: () => void;
};

export function createEtcd(address: string, launch: () => Child): Etcd {
  let child = launch();
  async function ask(path: string, body: unknown): Promise<Record<string, unknown>> {
    const answer = await fetch(`${address}${path}`, { method: "POST", body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`etcd ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  }
  return {
    async keys(prefix) {
      const { kvs } = await ask("/v3/kv/range", { ...range(prefix), keys_only: true });
      return ((kvs ?? []) as { key: string }[]).map(({ key }) => Buffer.from(key, "base64").toString());
    },
    async get(key) {
      const { kvs } = await ask("/v3/kv/range", { key: base64(key) });
      const [found] = (kvs ?? []) as { value: string }[];
      return found === undefined ? undefined : Buffer.from(found.value, "base64");
    },
    async put(key, value) {
      await ask("/v3/kv/put", { key: base64(key), value: base64(value) });
    },
    async remove(prefix) {
      const { deleted } = await ask("/v3/kv/deleterange", range(prefix));
      return Number(deleted ?? 0);
    },
    child: () => child,
    start() {
      if (child.exited()) child = launch();
    },
  };
}

function base64(text: string | Buffer): string {
  return Buffer.from(text).toString("base64");
}

/** All keys that begin with the prefix: up to the next text of the same length. */
function range(prefix: string): { readonly key: string; readonly range_end: string } {
  const end = Buffer.from(prefix);
  end[end.length - 1] = (end.at(-1) ?? 0) + 1;
  return { key: base64(prefix), range_end: base64(end) };
}
