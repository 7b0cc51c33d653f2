/**
 * A small file whose content is asked for often and changes rarely: it is read again when its modification time or size
 * says so, looked at most once a second. While a file is being replaced, the last content that could be read stands.
 */
import { readFileSync, statSync } from "node:fs";

import { Fault } from "#diag";

const LOOK_AGAIN_MS = 1000;

export type WatchedFile = {
  /** @throws Fault `kube/credentials` where the file never could be read */
  readonly text: () => string;
};

/** @param what the file is, and who names it: for messages */
export function watchFile(path: string, nowMs: () => number, what: string): WatchedFile {
  let known: { readonly text: string; readonly stamp: string } | undefined;
  let lookedMs = Number.NEGATIVE_INFINITY;
  return {
    text() {
      if (known !== undefined && Math.abs(nowMs() - lookedMs) < LOOK_AGAIN_MS) return known.text;
      lookedMs = nowMs();
      try {
        const { mtimeMs, size, ino } = statSync(path);
        const stamp = `${mtimeMs} ${size} ${ino}`;
        if (known?.stamp !== stamp) known = { text: readFileSync(path, "utf8"), stamp };
      } catch (error) {
        if (known === undefined) throw unreadable(path, what, error);
      }
      return known.text;
    },
  };
}

function unreadable(path: string, what: string, error: unknown): Fault {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const why = code === "ENOENT" ? "there is no such file" : code === "EACCES" ? "it may not be read" : code;
  return new Fault("kube/credentials", `${what}: cannot read ${path}: ${why || String(error)}`, {
    cause: error,
  });
}
