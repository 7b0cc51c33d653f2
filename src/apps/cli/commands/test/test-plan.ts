/**
 * Everything that one test needs, read from the files that it names: programs, resources, values, who asks, and what
 * lookups are answered from. Paths are relative to the test file. Whatever cannot be read is a problem with its place,
 * and the rest of the test goes on without it.
 */
import { dirname, join } from "node:path";

import { compilePolicy, type PolicyProgram } from "#engine";
import { isArray, isObject, type JsonObject } from "#json";
import type { World } from "#platform";
import type { Policy, UnsupportedPolicy } from "#policy";

import { createAnswers, imageAnswers, objectAnswers } from "../../drive/answers.ts";
import { createDriver, type Driver } from "../../drive/driver.ts";
import { createObjectStore } from "../../drive/object-store.ts";
import { metadataText, textMember } from "../../load/object-text.ts";
import { loadContextFile, noContext } from "../../load/context-file.ts";
import { loadExceptions } from "../../load/exceptions.ts";
import { loadPolicies, type LoadedPolicies } from "../../load/policies.ts";
import type { Problem, SourceText } from "../../load/problem.ts";
import { readResources } from "../../load/resources.ts";
import { loadUserInfo } from "../../load/user-info.ts";
import { compileValues, decodeValues, loadValues, noValues, type LoadedValues } from "../../load/values.ts";
import { callAnswers, globalAnswers } from "./mock-answers.ts";
import type { TestFile } from "./test-file.ts";

export type TestPlan = {
  readonly test: TestFile;
  readonly policies: readonly Policy[];
  readonly unsupported: readonly UnsupportedPolicy[];
  readonly programs: readonly PolicyProgram[];
  readonly resources: readonly JsonObject[];
  readonly driver: Driver;
  readonly problems: readonly Problem[];
};

/** What lookups are answered from: what the test gives, or, as `apply` does it, the resources themselves. */
export type TestCluster = "given" | "resources";

export async function createTestPlan(
  test: TestFile,
  source: SourceText,
  world: World,
  answers: TestCluster,
): Promise<TestPlan> {
  const path = (file: string): string => join(dirname(test.file), file);
  const loaded = await loadPolicies(test.policies.map(path));
  const own = await loadExceptions(test.exceptions.map(path));
  const values = await valuesOf(test, source, path);
  const user = test.userinfo === undefined ? { problems: [] } : await loadUserInfo(path(test.userinfo));
  const context =
    test.context === undefined
      ? { context: noContext, problems: [] }
      : await loadContextFile(path(test.context));
  const resources = await objectsOf(test.resources.map(path));
  const cluster = await clusterObjects(test, path);
  const compiled = compileAll(loaded, own.exceptions);
  const globals = await globalFiles(test, path);
  return {
    test,
    policies: loaded.policies,
    unsupported: loaded.unsupported,
    programs: compiled.programs,
    resources: withoutDuplicates(resources.objects),
    driver: createDriver(compiled.programs, {
      values: values.values,
      valuesFor: compileValues(values.values, {}),
      requester: "requester" in user ? user.requester : undefined,
      answer: createAnswers(
        answers === "resources"
          ? [objectAnswers(createObjectStore(resources.objects))]
          : [
              callAnswers(test.apiCallResponses),
              globalAnswers(test.globalContextEntries, globals.of),
              ...clusterAnswers(test, [...context.context.resources, ...cluster.objects]),
              imageAnswers(context.context.images),
            ],
      ),
      nowMs: world.nowMs(),
      seed: world.seed(),
    }),
    problems: [
      ...loaded.problems,
      ...own.problems,
      ...values.problems,
      ...user.problems,
      ...context.problems,
      ...resources.problems,
      ...cluster.problems,
      ...globals.problems,
      ...compiled.problems,
    ],
  };
}

/** Without cluster resources a lookup stays unanswered: the values must have it, or the variable is unknown. */
function clusterAnswers(
  test: TestFile,
  objects: readonly JsonObject[],
): readonly ReturnType<typeof objectAnswers>[] {
  const given = test.clusterResources.length > 0 || test.context !== undefined;
  return given ? [objectAnswers(createObjectStore(objects))] : [];
}

/** Values in the test file win over those of the file that it names. */
async function valuesOf(
  test: TestFile,
  source: SourceText,
  path: (file: string) => string,
): Promise<LoadedValues> {
  if (test.values !== undefined) return decodeValues(test.values, source, test.document, "/values");
  return test.variables === undefined ? { values: noValues, problems: [] } : loadValues(path(test.variables));
}

type Objects = { readonly objects: readonly JsonObject[]; readonly problems: readonly Problem[] };

async function objectsOf(paths: readonly string[]): Promise<Objects> {
  const objects: JsonObject[] = [];
  const problems: Problem[] = [];
  if (paths.length === 0) return { objects, problems };
  for await (const batch of readResources(paths)) {
    for (const { resource } of batch.resources) objects.push(resource);
    problems.push(...batch.problems);
  }
  return { objects, problems };
}

/** ClusterResource documents hold objects in their spec. */
async function clusterObjects(test: TestFile, path: (file: string) => string): Promise<Objects> {
  const { objects, problems } = await objectsOf(test.clusterResources.map(path));
  const inner = objects.flatMap((object) => {
    const spec = object["spec"];
    const resources = isObject(spec) ? spec["resources"] : undefined;
    return object["kind"] === "ClusterResource" && isArray(resources) ? resources.filter(isObject) : [object];
  });
  return { objects: inner, problems };
}

async function globalFiles(
  test: TestFile,
  path: (file: string) => string,
): Promise<{
  readonly of: (files: readonly string[]) => readonly JsonObject[];
  readonly problems: readonly Problem[];
}> {
  const files = test.globalContextEntries.flatMap((entry) =>
    isArray(entry["resourceFiles"]) ? entry["resourceFiles"].filter((file) => typeof file === "string") : [],
  );
  const byFile = new Map<string, readonly JsonObject[]>();
  const problems: Problem[] = [];
  for (const file of new Set(files)) {
    const found = await objectsOf([path(file)]);
    byFile.set(file, found.objects);
    problems.push(...found.problems);
  }
  return { of: (names) => names.flatMap((name) => byFile.get(name) ?? []), problems };
}

function compileAll(
  loaded: LoadedPolicies,
  exceptions: Parameters<typeof compilePolicy>[1]["exceptions"],
): { readonly programs: readonly PolicyProgram[]; readonly problems: readonly Problem[] } {
  const programs: PolicyProgram[] = [];
  const problems: Problem[] = [];
  for (const policy of loaded.policies) {
    const { program, diagnostics } = compilePolicy(policy, { exceptions, onDemand: true });
    if (program !== undefined) programs.push(program);
    const source = loaded.sources.get(policy.origin.file);
    for (const diagnostic of diagnostics)
      problems.push(source === undefined ? { diagnostic } : { diagnostic, source });
  }
  return { programs, problems };
}

/** The first of two objects with the same kind, namespace and name wins. */
function withoutDuplicates(objects: readonly JsonObject[]): readonly JsonObject[] {
  const seen = new Set<string>();
  return objects.filter((object) => {
    const key = [
      textMember(object, "apiVersion"),
      textMember(object, "kind"),
      metadataText(object, "namespace"),
      metadataText(object, "name"),
    ].join("\n");
    return !seen.has(key) && seen.add(key);
  });
}
