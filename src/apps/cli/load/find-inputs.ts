/** Paths from the command line to files; what does not exist is a problem and the rest goes on. */
import { Fault } from "#diag";
import { findFiles } from "#platform";
import type { Problem } from "./problem.ts";
import { faultProblem } from "./problem.ts";

export type Input = {
  readonly file: string;
  /** The user named this very file: then it must hold what was asked for. */
  readonly named: boolean;
};

export type FoundInputs = { readonly inputs: readonly Input[]; readonly problems: readonly Problem[] };

const yamlExtensions: readonly string[] = [".yaml", ".yml"];
const jsonToo: readonly string[] = [...yamlExtensions, ".json"];

/** @param paths files, folders, patterns, `-`; inside of folders only YAML files count (`json` adds JSON files) */
export function findInputs(paths: readonly string[], options: { readonly json: boolean }): FoundInputs {
  const inputs: Input[] = [];
  const problems: Problem[] = [];
  for (const path of paths) {
    try {
      const files = findFiles(path, { extensions: options.json ? jsonToo : yamlExtensions });
      if (files.length === 0)
        problems.push(faultProblem(path, new Fault("file/no-match", `\`${path}\` holds no YAML file`)));
      inputs.push(...files.map((file) => ({ file, named: file === path })));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      problems.push(faultProblem(path, error));
    }
  }
  return { inputs, problems };
}
