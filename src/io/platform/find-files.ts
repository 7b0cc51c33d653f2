/**
 * From what a user names (files, folders, patterns, `-`) to the files that are meant, in a stable order: as given, and
 * inside of folders by name. Entries that begin with a dot are passed over in folders, as upstream's CLI does.
 */
import { readdirSync, statSync } from "node:fs";
import type { Stats } from "node:fs";
import { join } from "node:path";
import { Fault } from "#diag";
import { compileGlobSegment, hasGlob } from "./glob.ts";
import { readFault } from "./read-fault.ts";
import { STDIN } from "./text-source.ts";

export type FindOptions = {
  /** Endings that count inside of folders and for `**`, with the dot. */
  readonly extensions: readonly string[];
};

/**
 * The files that `path` stands for.
 * @throws Fault `file/unreadable` where it does not exist or a folder cannot be listed; `file/no-match` for a pattern
 *   that meets nothing
 */
export function findFiles(path: string, options: FindOptions): readonly string[] {
  if (path === STDIN) return [STDIN];
  if (isDirectory(path)) return [...walk(path, options)];
  if (!hasGlob(path) || exists(path)) return [requireFile(path)];
  const found = expandGlob(path, options);
  if (found.length === 0) throw new Fault("file/no-match", `no file matches \`${path}\``);
  return found;
}

function isDirectory(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false;
}

function exists(path: string): boolean {
  return statOf(path) !== undefined;
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A part of the path is no folder, or may not be read: for the question that is asked, it is not there.
    return undefined;
  }
}

function requireFile(path: string): string {
  try {
    statSync(path);
    return path;
  } catch (error) {
    throw readFault(path, error);
  }
}

function* walk(folder: string, options: FindOptions): Generator<string> {
  for (const entry of list(folder)) {
    if (entry.name.startsWith(".")) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path, options);
    else if (options.extensions.some((extension) => entry.name.endsWith(extension))) yield path;
  }
}

function list(folder: string): { readonly name: string; isDirectory(): boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    throw readFault(folder, error);
  }
}

/** `*`, `?`, `[…]` and `{a,b}` within a name, `**` for any number of folders. */
function expandGlob(pattern: string, options: FindOptions): readonly string[] {
  const absolute = pattern.startsWith("/");
  const segments = pattern.split("/").filter((segment) => segment !== "");
  let paths = [absolute ? "/" : ""];
  for (const [index, segment] of segments.entries()) {
    const last = index === segments.length - 1;
    paths = paths.flatMap((path) => [...expandSegment(path, segment, last)]);
  }
  return [...new Set(paths.flatMap((path) => (isDirectory(path) ? [...walk(path, options)] : [path])))];
}

function* expandSegment(path: string, segment: string, last: boolean): Generator<string> {
  if (segment === "**") {
    yield* subfolders(path);
    return;
  }
  if (!hasGlob(segment)) {
    if (exists(join(path, segment))) yield join(path, segment);
    return;
  }
  if (path !== "" && !isDirectory(path)) return;
  for (const name of matchingNames(path, segment)) {
    if (last || isDirectory(join(path, name))) yield join(path, name);
  }
}

function matchingNames(folder: string, segment: string): readonly string[] {
  const matches = compileGlobSegment(segment);
  const hidden = segment.startsWith(".");
  return list(folder === "" ? "." : folder)
    .map(({ name }) => name)
    .filter((name) => (hidden || !name.startsWith(".")) && matches(name));
}

function* subfolders(path: string): Generator<string> {
  yield path;
  for (const entry of list(path === "" ? "." : path)) {
    if (entry.isDirectory() && !entry.name.startsWith(".")) yield* subfolders(join(path, entry.name));
  }
}
