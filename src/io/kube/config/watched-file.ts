/**
 * A small file whose content is asked for often and changes rarely: it is read again when its modification time or size
 * says so, looked at most once a second. While a file is being replaced, the last content that could be read stands.
 */
import { readFileSync, statSync } from "node:fs";

const LOOK_AGAIN_MS = 1000;

export type WatchedFile = {
  /** @throws what the file system throws where the file never could be read */
  readonly text: () => string;
};

export function watchFile(path: string, nowMs: () => number): WatchedFile {
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
        if (known === undefined) throw error;
      }
      return known.text;
    },
  };
}
