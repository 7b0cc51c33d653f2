/**
 * Everything that one test needs, read from the files that it names: programs, resources, values, who asks, and what
 * lookups are answered from. Paths are relative to the test file. Whatever cannot be read is a problem with its place,
 * and the rest of the test goes on without it.
 */
import { compilePolicy, type PolicyProgram } from "#engine";
import { isArray, isObject, type JsonObject } from "#json";
import type { World } from "#platform";
import type { PolicyException, UnsupportedPolicy } from "#policy";

import { createAnswers, imageAnswers, objectAnswers, type AnswerSource } from "../../drive/answers.ts";
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
import { NamedFiles } from "./named-files.ts";
import type { TestFile } from "./test-file.ts";

export type TestPlan = {
  readonly test: TestFile;
  readonly unsupported: readonly UnsupportedPolicy[];
  readonly programs: readonly PolicyProgram[];
  readonly resources: readonly JsonObject[];
  readonly driver: Driver;
  /** Of everything that was read. */
  readonly problems: readonly Problem[];
  /** Those of the policy files, which say why a policy is not there. */
  readonly policyProblems: readonly Problem[];
  readonly source: SourceText;
};

/** What lookups are answered from: what the test gives, or, as `apply` does it, the resources themselves. */
export type TestCluster = "given" | "resources";

export async function createTestPlan(
  test: TestFile,
  source: SourceText,
  world: World,
  answers: TestCluster,
): Promise<TestPlan> {
  const files = new NamedFiles(test, source);
  const loaded = await loadPolicies(files.paths(test.policies, "/policies"));
  const own = await loadExceptions(files.paths(test.exceptions, "/exceptions"));
  const values = await valuesOf(test, source, files);
  const user =
    test.userinfo === undefined
      ? { problems: [] }
      : await loadUserInfo(files.path(test.userinfo, "/userinfo"));
  const resources = await objectsOf(files.paths(test.resources, "/resources"));
  const given = await givenOf(test, files);
  const programs = compileAll(loaded, own.exceptions);
  const read = [loaded, own, values, user, resources, given];
  return {
    test,
    source,
    unsupported: loaded.unsupported,
    programs,
    resources: withoutDuplicates(resources.objects),
    driver: createDriver(programs, {
      values: values.values,
      valuesFor: compileValues(values.values, {}),
      requester: "requester" in user ? user.requester : undefined,
      answer: createAnswers(
        answers === "resources" ? [objectAnswers(createObjectStore(resources.objects))] : given.answers,
      ),
      nowMs: world.nowMs(),
      seed: world.seed(),
    }),
    problems: files.place(read.flatMap(({ problems }) => problems)),
    policyProblems: loaded.problems,
  };
}

type Given = { readonly answers: readonly AnswerSource[]; readonly problems: readonly Problem[] };

/** What the test gives in place of a cluster, of services and of a registry. */
async function givenOf(test: TestFile, files: NamedFiles): Promise<Given> {
  const { context, problems } =
    test.context === undefined
      ? { context: noContext, problems: [] }
      : await loadContextFile(files.path(test.context, "/context"));
  const cluster = await clusterObjects(files.paths(test.clusterResources, "/clusterResources"));
  const globals = await globalFiles(test, files);
  return {
    answers: [
      callAnswers(test.apiCallResponses),
      globalAnswers(test.globalContextEntries, globals.of),
      ...clusterAnswers(test, [...context.resources, ...cluster.objects]),
      imageAnswers(context.images),
    ],
    problems: [...problems, ...cluster.problems, ...globals.problems],
  };
}

/** Without cluster resources a lookup stays unanswered: the values must have it, or the variable is unknown. */
function clusterAnswers(test: TestFile, objects: readonly JsonObject[]): readonly AnswerSource[] {
  const given = test.clusterResources.length > 0 || test.context !== undefined;
  return given ? [objectAnswers(createObjectStore(objects))] : [];
}

/** Values in the test file win over those of the file that it names. */
async function valuesOf(test: TestFile, source: SourceText, files: NamedFiles): Promise<LoadedValues> {
  if (test.values !== undefined) return decodeValues(test.values, source, test.document, "/values");
  if (test.variables === undefined) return { values: noValues, problems: [] };
  return loadValues(files.path(test.variables, "/variables"));
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
async function clusterObjects(paths: readonly string[]): Promise<Objects> {
  const { objects, problems } = await objectsOf(paths);
  const inner = objects.flatMap((object) => {
    const spec = object["spec"];
    const resources = isObject(spec) ? spec["resources"] : undefined;
    return object["kind"] === "ClusterResource" && isArray(resources) ? resources.filter(isObject) : [object];
  });
  return { objects: inner, problems };
}

/** The objects of the files that global context entries name. */
async function globalFiles(
  test: TestFile,
  files: NamedFiles,
): Promise<{
  readonly of: (names: readonly string[]) => readonly JsonObject[];
  readonly problems: readonly Problem[];
}> {
  const byName = new Map<string, readonly JsonObject[]>();
  const problems: Problem[] = [];
  for (const { name, pointer } of globalNames(test)) {
    if (byName.has(name)) continue;
    const found = await objectsOf([files.path(name, pointer)]);
    byName.set(name, found.objects);
    problems.push(...found.problems);
  }
  return { of: (names) => names.flatMap((name) => byName.get(name) ?? []), problems };
}

function globalNames(test: TestFile): readonly { readonly name: string; readonly pointer: string }[] {
  return test.globalContextEntries.flatMap((entry, at) => {
    const names = entry["resourceFiles"];
    if (!isArray(names)) return [];
    return names.flatMap((name, index) =>
      typeof name === "string"
        ? [{ name, pointer: `/globalContextEntries/${at}/resourceFiles/${index}` }]
        : [],
    );
  });
}

function compileAll(
  loaded: LoadedPolicies,
  exceptions: readonly PolicyException[],
): readonly PolicyProgram[] {
  return loaded.policies.flatMap(
    (policy) => compilePolicy(policy, { exceptions, onDemand: true }).program ?? [],
  );
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
