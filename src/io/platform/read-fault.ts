/** What the system says about a file, in words that a user can act on. */
import { Fault } from "#diag";

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  ENOTDIR: "a part of the path is not a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EISDIR: "it is a folder",
  ELOOP: "its links lead in a circle",
  ENAMETOOLONG: "the name is too long",
  EMFILE: "too many files are open",
};

/** A `file/unreadable` fault for an error of node:fs. */
export function readFault(file: string, error: unknown): Fault {
  const code = errorCode(error);
  const reason =
    (code === undefined ? undefined : reasons[code]) ??
    (error instanceof Error ? error.message : String(error));
  return new Fault("file/unreadable", `cannot read \`${file}\`: ${reason}`, { cause: error });
}

/** The `code` that node puts on its errors. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
