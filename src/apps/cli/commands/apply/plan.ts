/**
 * Everything that `apply` needs before the first resource: policies compiled, exceptions, values, who asks, and what
 * lookups are answered from. Whatever is wrong with one input is a problem, and the rest goes on.
 */
import type { PolicyProgram } from "#engine";
import { compilePolicy } from "#engine";
import type { JsonObject } from "#json";
import type { Policy, PolicyException, UnsupportedPolicy } from "#policy";
import { parsePolicies } from "#policy";
import type { World } from "#platform";
import { createAnswers, imageAnswers, objectAnswers } from "../../drive/answers.ts";
import type { Driver } from "../../drive/driver.ts";
import { createDriver } from "../../drive/driver.ts";
import { createObjectStore } from "../../drive/object-store.ts";
import { loadContextFile, noContext } from "../../load/context-file.ts";
import { loadExceptions } from "../../load/exceptions.ts";
import type { LoadedPolicies } from "../../load/policies.ts";
import { loadPolicies } from "../../load/policies.ts";
import type { Problem } from "../../load/problem.ts";
import type { ResourceBatch } from "../../load/resources.ts";
import { readResources } from "../../load/resources.ts";
import { loadUserInfo } from "../../load/user-info.ts";
import { compileValues, loadValues, noValues, operationIn } from "../../load/values.ts";
import { UsageError } from "../../command.ts";
import type { ApplyOptions } from "./options.ts";

export type ApplyPlan = {
  readonly driver: Driver;
  readonly programs: readonly PolicyProgram[];
  readonly unsupported: readonly UnsupportedPolicy[];
  readonly exceptions: number;
  /** Exceptions among the policies that the user did not ask for. */
  readonly exceptionsLeftOut: number;
  readonly problems: readonly Problem[];
  readonly batches: AsyncIterable<ResourceBatch> | Iterable<ResourceBatch>;
};

export async function createPlan(options: ApplyOptions, world: World): Promise<ApplyPlan> {
  const loaded = await loadPolicies(options.policyPaths);
  const own = await loadExceptions(options.exceptionPaths);
  const { values, problems: valueProblems } =
    options.valuesFile === undefined
      ? { values: noValues, problems: [] }
      : await loadValues(options.valuesFile);
  checkOperation(operationIn({ ...values.globals, ...options.set }));
  const user =
    options.userInfoFile === undefined ? { problems: [] } : await loadUserInfo(options.userInfoFile);
  const { context, problems: contextProblems } =
    options.contextFile === undefined
      ? { context: noContext, problems: [] }
      : await loadContextFile(options.contextFile);
  const looksUp = loaded.policies.some((policy) => readsCluster(policy.raw));
  const batches = await resourceBatches(options, looksUp);
  const exceptions = [
    ...own.exceptions,
    ...(options.exceptionsWithinPolicies ? loaded.exceptions : []),
    ...(Array.isArray(batches) && options.exceptionsWithinResources ? exceptionsAmong(batches) : []),
  ];
  const compiled = compileAll(loaded, exceptions);
  const objects = Array.isArray(batches) && looksUp ? objectsOf(batches) : [];
  return {
    ...compiled,
    driver: createDriver(compiled.programs, {
      values,
      valuesFor: compileValues(values, options.set),
      requester: "requester" in user ? user.requester : undefined,
      answer: createAnswers([
        objectAnswers(createObjectStore([...context.resources, ...objects])),
        imageAnswers(context.images),
      ]),
      nowMs: world.nowMs(),
      seed: world.seed(),
    }),
    unsupported: loaded.unsupported,
    exceptions: exceptions.length,
    exceptionsLeftOut: options.exceptionsWithinPolicies ? 0 : loaded.exceptions.length,
    problems: [
      ...loaded.problems,
      ...own.problems,
      ...valueProblems,
      ...user.problems,
      ...contextProblems,
      ...compiled.problems,
    ],
    batches,
  };
}

function compileAll(
  { policies, sources }: LoadedPolicies,
  exceptions: readonly PolicyException[],
): { readonly programs: readonly PolicyProgram[]; readonly problems: readonly Problem[] } {
  const programs: PolicyProgram[] = [];
  const problems: Problem[] = [];
  for (const policy of policies) {
    const { program, diagnostics } = compilePolicy(policy, { exceptions, onDemand: true });
    if (program !== undefined) programs.push(program);
    problems.push(...diagnostics.map((diagnostic) => withSource(diagnostic, policy, sources)));
  }
  return { programs, problems };
}

function withSource(
  diagnostic: Problem["diagnostic"],
  policy: Policy,
  sources: LoadedPolicies["sources"],
): Problem {
  const source = sources.get(policy.origin.file);
  return source === undefined ? { diagnostic } : { diagnostic, source };
}

/** Policies that look objects up see the resources as their cluster: then all are read before the first is judged. */
async function resourceBatches(options: ApplyOptions, looksUp: boolean): Promise<ApplyPlan["batches"]> {
  const batches = readResources(options.resourcePaths);
  if (!looksUp && !options.exceptionsWithinResources) return batches;
  const all: ResourceBatch[] = [];
  for await (const batch of batches) all.push(batch);
  return all;
}

function readsCluster(raw: JsonObject): boolean {
  return /"(?:apiCall|configMap|globalReference)":/.test(JSON.stringify(raw));
}

function objectsOf(batches: readonly ResourceBatch[]): readonly JsonObject[] {
  return batches.flatMap((batch) => batch.resources.map(({ resource }) => resource));
}

function exceptionsAmong(batches: readonly ResourceBatch[]): readonly PolicyException[] {
  return objectsOf(batches)
    .filter((resource) => resource["kind"] === "PolicyException")
    .flatMap((resource) => parsePolicies(JSON.stringify(resource), "-").exceptions);
}

function checkOperation(operation: string | undefined): void {
  if (operation === undefined || ["CREATE", "UPDATE", "DELETE", "CONNECT"].includes(operation)) return;
  throw new UsageError(
    `\`request.operation\` is \`${operation}\`: it must be one of CREATE, UPDATE, DELETE, CONNECT`,
  );
}
