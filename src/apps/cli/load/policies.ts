/**
 * Policies from files, in the order in which they are named: it is the order in which they are applied. A file is held
 * as a whole, because diagnostics and results point into it.
 */
import type { Diagnostic } from "#diag";
import { Fault, hasErrors } from "#diag";
import type { JsonObject } from "#json";
import type { Origin, Policy, PolicyException, UnsupportedPolicy } from "#policy";
import { parsePolicies } from "#policy";
import { readText } from "#platform";
import type { Input } from "./find-inputs.ts";
import { findInputs } from "./find-inputs.ts";
import { textMember } from "./object-text.ts";
import type { Problem, SourceText } from "./problem.ts";
import { faultProblem, fileProblem, wholeFile } from "./problem.ts";

export type LoadedPolicies = {
  readonly policies: readonly Policy[];
  readonly exceptions: readonly PolicyException[];
  readonly unsupported: readonly UnsupportedPolicy[];
  readonly others: readonly { readonly value: JsonObject; readonly origin: Origin }[];
  readonly problems: readonly Problem[];
  /** By file. */
  readonly sources: ReadonlyMap<string, SourceText>;
};

const MAX_POLICY_FILE = 32 * 1024 * 1024;

type Gathered = {
  readonly policies: Policy[];
  readonly exceptions: PolicyException[];
  readonly unsupported: UnsupportedPolicy[];
  readonly others: { readonly value: JsonObject; readonly origin: Origin }[];
  readonly problems: Problem[];
  readonly sources: Map<string, SourceText>;
};

export async function loadPolicies(paths: readonly string[]): Promise<LoadedPolicies> {
  const { inputs, problems } = findInputs(paths, { json: false });
  const gathered: Gathered = {
    policies: [],
    exceptions: [],
    unsupported: [],
    others: [],
    problems: [...problems],
    sources: new Map(),
  };
  for (const input of inputs) await loadFile(input, gathered);
  return gathered;
}

async function loadFile({ file, named }: Input, into: Gathered): Promise<void> {
  let text: string;
  try {
    text = await readText(file, MAX_POLICY_FILE);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    into.problems.push(faultProblem(file, error));
    return;
  }
  const source = wholeFile(file, text);
  const parsed = parsePolicies(text, file);
  into.sources.set(file, source);
  into.policies.push(...parsed.policies);
  into.exceptions.push(...parsed.exceptions);
  into.unsupported.push(...parsed.unsupported);
  into.others.push(...parsed.others);
  into.problems.push(...parsed.diagnostics.map((diagnostic: Diagnostic) => ({ diagnostic, source })));
  const found = parsed.policies.length + parsed.exceptions.length + parsed.unsupported.length;
  if (named && found === 0 && !hasErrors(parsed.diagnostics))
    into.problems.push(noneFound(file, parsed.others));
}

function noneFound(file: string, others: readonly { readonly value: JsonObject }[]): Problem {
  const kinds = [...new Set(others.map(({ value }) => textMember(value, "kind") || "no kind"))].slice(0, 3);
  return fileProblem(
    "policy/none-found",
    file,
    kinds.length === 0 ? "the file is empty" : `the file holds no policy, but ${kinds.join(", ")}`,
    "resources go behind `-r`; a pattern that the shell expands must be quoted: -r 'manifests/*.yaml'",
  );
}

/** `name`, or `namespace/name`, as verdicts and test files name policies. */
export function policyKey(policy: { readonly name: string; readonly namespace?: string }): string {
  return policy.namespace === undefined ? policy.name : `${policy.namespace}/${policy.name}`;
}
