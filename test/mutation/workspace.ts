/**
 * A copy of what is built, in a folder of its own, where mutants are made and undone: the checkout stays as it is, and
 * somebody who builds meanwhile changes nothing here. `package.json` comes along because it maps `#engine` and the other
 * doors to `dist`.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { misfit, mutate, type Mutant } from "./mutant.ts";

export type Workspace = {
  readonly folder: string;
  /** Puts the mistake in; the function that comes back takes it out again. Throws where it does not fit. */
  readonly apply: (mutant: Mutant) => () => void;
  readonly dispose: () => void;
};

export function createWorkspace(root: string): Workspace {
  const folder = mkdtempSync(join(tmpdir(), "postern-mutants-"));
  for (const name of ["dist", "build", "package.json"]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  symlinkSync(resolve(root, "node_modules"), join(folder, "node_modules"));
  return {
    folder,
    apply(mutant) {
      const path = join(folder, "dist", mutant.file);
      const text = readFileSync(path, "utf8");
      const problem = misfit(mutant, text);
      if (problem !== undefined) throw new Error(problem);
      writeFileSync(path, mutate(mutant, text));
      return () => writeFileSync(path, text);
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}
