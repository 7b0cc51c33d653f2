/**
 * What both doors are given: for each directory of the core's tests its policies, every one of them enforced, and its
 * resources. Files that a directory names and does not have are left out, as both doors would.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

import { createCatalog, reviewPolicyObject } from "#catalog";
import { isArray, isObject, loadYaml, type Json, type JsonObject } from "#json";

export type DoorCase = {
  readonly name: string;
  readonly policies: readonly JsonObject[];
  readonly resources: readonly JsonObject[];
};

/** The directories of `CORE.txt`, or none where the data is not there. */
export function doorCases(folder: string): readonly DoorCase[] {
  const root = join(folder, "kyverno-test");
  const list = join(root, "CORE.txt");
  if (!existsSync(list)) return [];
  return readFileSync(list, "utf8")
    .split("\n")
    .filter((name) => existsSync(join(root, name, "kyverno-test.yaml")))
    .map((name) => readCase(join(root, name), name));
}

function readCase(folder: string, name: string): DoorCase {
  const [test] = documentsIn(join(folder, "kyverno-test.yaml"));
  const named = (key: string): readonly JsonObject[] => {
    const paths = test?.[key];
    const texts = isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
    return texts.flatMap((path) => documentsIn(join(folder, path)));
  };
  return {
    name,
    policies: named("policies").filter(isPolicy).map(enforced).filter(isReady),
    resources: named("resources").filter((object) => typeof object["kind"] === "string"),
  };
}

function documentsIn(file: string): readonly JsonObject[] {
  if (!existsSync(file) || !statSync(file).isFile()) return [];
  return loadYaml(readFileSync(file, "utf8"), file).documents.flatMap(({ value }) =>
    isObject(value) ? [value] : [],
  );
}

function isPolicy({ apiVersion, kind }: JsonObject): boolean {
  return String(apiVersion).startsWith("kyverno.io/") && (kind === "ClusterPolicy" || kind === "Policy");
}

function isReady(policy: JsonObject): boolean {
  const catalog = createCatalog();
  catalog.put(policy);
  const ready = catalog.snapshot().entries[0]?.readiness.ready === true;
  // A cluster would not have stored what its admission refuses; the command line says so and does not evaluate it.
  return ready && reviewPolicyObject(policy).errors.length === 0;
}

/** The same policy, but each of its rules refuses, everywhere. */
function enforced(policy: JsonObject): JsonObject {
  const spec = isObject(policy["spec"]) ? policy["spec"] : {};
  const { validationFailureActionOverrides: _, ...rest } = spec;
  const rules = isArray(spec["rules"]) ? spec["rules"].map(enforcedRule) : [];
  return { ...policy, spec: { ...rest, validationFailureAction: "Enforce", rules } };
}

function enforcedRule(rule: Json): Json {
  if (!isObject(rule) || !isObject(rule["validate"])) return rule;
  const { failureAction: _, failureActionOverrides: __, ...validate } = rule["validate"];
  return { ...rule, validate };
}

/** Why a policy cannot be asked at both doors alike; `undefined` where it can. */
export function doorReason(policy: JsonObject): string | undefined {
  const text = JSON.stringify(policy["spec"]);
  // The command line has no requester, and then drops what a match says of one.
  if (
    /"(?:subjects|roles|clusterRoles)"|userInfo|serviceAccount(?:Name|Namespace)\b.*\{\{|request\.roles/.test(
      text,
    )
  )
    return "asks who calls";
  if (/"(?:configMap|apiCall|imageRegistry|globalReference)":/.test(text)) return "looks something up";
  if (/time_now|random\(/.test(text)) return "asks for the time or for chance";
  if (/\{\{\s*request\.(?!object|operation|namespace)/.test(text)) return "asks what only a request has";
  return undefined;
}
