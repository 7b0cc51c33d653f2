/**
 * The test file of the Kyverno CLI (`cli.kyverno.io/v1alpha1`, kind Test), decoded strictly: an unknown key is an error
 * with the place and the nearest known name, because a misspelt key in a test hides an expectation. Keys are matched
 * without regard to case, as upstream's decoder does.
 * SPEC: reference/kyverno-surface.md section 8.2 (test schema).
 */
import { nearestName, type Diagnostic } from "#diag";
import { isArray, isObject, type Json, type JsonObject } from "#json";

export type ExpectedStatus = "pass" | "fail" | "skip" | "warn" | "error";

export type ResourceSpec = Readonly<
  Partial<Record<"group" | "version" | "kind" | "namespace" | "subresource" | "name", string>>
>;

/** One entry of `results`: a row for each resource that it names. */
export type Expectation = {
  readonly policy: string;
  readonly rule: string;
  readonly result: ExpectedStatus;
  readonly kind: string;
  readonly resources: readonly string[];
  readonly resourceSpecs: readonly ResourceSpec[];
  readonly operation?: string;
  readonly patchedResources?: string;
  readonly generatedResources: readonly string[];
  readonly cloneSourceResource?: string;
  readonly failOnMissingResources: boolean;
  /** Of the entry, in the test file. */
  readonly pointer: string;
};

export type TestFile = {
  readonly file: string;
  readonly document: number;
  readonly name: string;
  readonly policies: readonly string[];
  readonly resources: readonly string[];
  readonly targetResources: readonly string[];
  readonly exceptions: readonly string[];
  readonly clusterResources: readonly string[];
  /** JSON, HTTP and Envoy payloads: only the CEL kinds read them. */
  readonly payloads: readonly string[];
  /** A values file, and the inline values that win over it. */
  readonly variables?: string;
  readonly values?: JsonObject;
  readonly userinfo?: string;
  readonly context?: string;
  readonly apiCallResponses: readonly JsonObject[];
  readonly globalContextEntries: readonly JsonObject[];
  readonly results: readonly Expectation[];
};

const testKeys: readonly string[] =
  "apiVersion kind metadata policies resources targetResources paramResources exceptions jsonPayload jsonPayloads httpPayloads envoyPayloads clusterResources variables values userinfo context apiCallResponses globalContextEntries results".split(
    " ",
  );

const resultKeys: readonly string[] =
  "policy rule result kind resources resourceSpecs operation patchedResources generatedResource generatedResources cloneSourceResource failOnMissingResources isValidatingAdmissionPolicy isMutatingAdmissionPolicy isValidatingPolicy isImageValidatingPolicy isMutatingPolicy isGeneratingPolicy isDeletingPolicy".split(
    " ",
  );

const specKeys: readonly string[] = ["group", "version", "kind", "namespace", "subresource", "name"];

const statuses: readonly string[] = ["pass", "fail", "skip", "warn", "error"];
const operations: readonly string[] = ["CREATE", "UPDATE", "DELETE"];

/** A test file's document to a `TestFile`; whatever is wrong is a diagnostic, and then there is no test. */
export function decodeTestFile(
  value: Json,
  origin: { readonly file: string; readonly document: number },
): { readonly test?: TestFile; readonly diagnostics: readonly Diagnostic[] } {
  const reader = new Reader(origin);
  const test = reader.test(value);
  return test === undefined || reader.diagnostics.length > 0
    ? { diagnostics: reader.diagnostics }
    : { test, diagnostics: [] };
}

class Reader {
  readonly diagnostics: Diagnostic[] = [];
  readonly #origin: { readonly file: string; readonly document: number };

  constructor(origin: { readonly file: string; readonly document: number }) {
    this.#origin = origin;
  }

  test(value: Json): TestFile | undefined {
    const fields = this.#fields(value, "", testKeys);
    if (fields === undefined) return undefined;
    this.#identity(fields);
    const metadata = fields.get("metadata");
    const name = isObject(metadata) && typeof metadata["name"] === "string" ? metadata["name"] : "";
    const single = this.#text(fields, "", "jsonPayload");
    return {
      ...this.#origin,
      name,
      policies: this.#texts(fields, "", "policies"),
      resources: this.#texts(fields, "", "resources"),
      targetResources: this.#texts(fields, "", "targetResources"),
      exceptions: this.#texts(fields, "", "exceptions"),
      clusterResources: this.#texts(fields, "", "clusterResources"),
      payloads: [
        ...(single === undefined ? [] : [single]),
        ...["jsonPayloads", "httpPayloads", "envoyPayloads"].flatMap((key) => this.#texts(fields, "", key)),
      ],
      ...this.#optional(fields, "", ["variables", "userinfo", "context"]),
      ...this.#values(fields),
      apiCallResponses: this.#objects(fields, "apiCallResponses"),
      globalContextEntries: this.#objects(fields, "globalContextEntries"),
      results: this.#results(fields.get("results")),
    };
  }

  #identity(fields: ReadonlyMap<string, Json>): void {
    if (fields.get("kind") !== "Test") this.#report("/kind", "test/not-a-test", "`kind` must be `Test`");
    if (fields.get("apiVersion") !== "cli.kyverno.io/v1alpha1") {
      this.#report("/apiVersion", "test/not-a-test", "`apiVersion` must be `cli.kyverno.io/v1alpha1`");
    }
  }

  #results(value: Json | undefined): Expectation[] {
    if (value === undefined || value === null) return [];
    if (!isArray(value)) {
      this.#report("/results", "test/wrong-type", "`results` must be a list");
      return [];
    }
    return value.flatMap((item, index) => this.#result(item, `/results/${index}`) ?? []);
  }

  #result(value: Json, pointer: string): Expectation | undefined {
    const fields = this.#fields(value, pointer, resultKeys);
    if (fields === undefined) return undefined;
    const policy = this.#text(fields, pointer, "policy") ?? "";
    const result = this.#text(fields, pointer, "result") ?? "";
    if (policy === "") this.#report(pointer, "test/missing-field", "a result needs the name of a policy");
    this.#oneOf(`${pointer}/result`, result, statuses);
    const operation = this.#text(fields, pointer, "operation");
    if (operation !== undefined) this.#oneOf(`${pointer}/operation`, operation, operations);
    const generated = this.#text(fields, pointer, "generatedResource");
    return {
      policy,
      rule: this.#text(fields, pointer, "rule") ?? "",
      result: decodeStatus(result),
      kind: this.#text(fields, pointer, "kind") ?? "",
      resources: this.#texts(fields, pointer, "resources"),
      resourceSpecs: this.#specs(fields.get("resourceSpecs"), `${pointer}/resourceSpecs`),
      generatedResources: [
        ...(generated === undefined ? [] : [generated]),
        ...this.#texts(fields, pointer, "generatedResources"),
      ],
      failOnMissingResources: fields.get("failOnMissingResources") === true,
      ...this.#optional(fields, pointer, ["operation", "patchedResources", "cloneSourceResource"]),
      pointer,
    };
  }

  #specs(value: Json | undefined, pointer: string): ResourceSpec[] {
    if (!isArray(value)) return [];
    return value.flatMap((item, index) => {
      const fields = this.#fields(item, `${pointer}/${index}`, specKeys);
      return fields === undefined ? [] : [this.#optional(fields, `${pointer}/${index}`, specKeys)];
    });
  }

  /** The members of an object by their known spelling; unknown ones are reported and left out. */
  #fields(value: Json, pointer: string, known: readonly string[]): Map<string, Json> | undefined {
    if (!isObject(value)) {
      this.#report(pointer, "test/wrong-type", "an object is expected here");
      return undefined;
    }
    const fields = new Map<string, Json>();
    for (const [key, item] of Object.entries(value)) {
      const name = known.find((candidate) => candidate.toLowerCase() === key.toLowerCase());
      if (name !== undefined) fields.set(name, item);
      else this.#unknown(pointer, key, known);
    }
    return fields;
  }

  #unknown(pointer: string, key: string, known: readonly string[]): void {
    const nearest = nearestName(key, known);
    this.#report(
      `${pointer}/${key}`,
      "test/unknown-field",
      `unknown field \`${key}\``,
      nearest === undefined ? undefined : `did you mean \`${nearest}\`?`,
    );
  }

  #text(fields: ReadonlyMap<string, Json>, pointer: string, key: string): string | undefined {
    const value = fields.get(key);
    if (value === undefined || value === null || value === "") return undefined;
    if (typeof value === "string") return value;
    this.#report(`${pointer}/${key}`, "test/wrong-type", `\`${key}\` must be a string`);
    return undefined;
  }

  #optional<K extends string>(
    fields: ReadonlyMap<string, Json>,
    pointer: string,
    keys: readonly K[],
  ): Partial<Record<K, string>> {
    const found: Partial<Record<K, string>> = {};
    for (const key of keys) {
      const value = this.#text(fields, pointer, key);
      if (value !== undefined) found[key] = value;
    }
    return found;
  }

  #texts(fields: ReadonlyMap<string, Json>, pointer: string, key: string): string[] {
    const value = fields.get(key);
    if (value === undefined || value === null) return [];
    if (isArray(value) && value.every((item) => typeof item === "string")) return [...value];
    this.#report(`${pointer}/${key}`, "test/wrong-type", `\`${key}\` must be a list of strings`);
    return [];
  }

  #values(fields: ReadonlyMap<string, Json>): { readonly values?: JsonObject } {
    const values = fields.get("values");
    return isObject(values) ? { values } : {};
  }

  #objects(fields: ReadonlyMap<string, Json>, key: string): JsonObject[] {
    const value = fields.get(key);
    if (value === undefined || value === null) return [];
    if (isArray(value) && value.every(isObject)) return [...value];
    this.#report(`/${key}`, "test/wrong-type", `\`${key}\` must be a list of objects`);
    return [];
  }

  #oneOf(pointer: string, value: string, allowed: readonly string[]): void {
    if (allowed.includes(value)) return;
    this.#report(pointer, "test/wrong-value", `\`${value}\` is not one of ${allowed.join(", ")}`);
  }

  #report(pointer: string, code: TestCode, message: string, help?: string): void {
    this.diagnostics.push({
      code,
      severity: "error",
      message,
      ...this.#origin,
      pointer,
      ...(help === undefined ? {} : { help }),
    });
  }
}

type TestCode =
  | "test/not-a-test"
  | "test/unknown-field"
  | "test/wrong-type"
  | "test/wrong-value"
  | "test/missing-field";

/** What is none of the words has been reported by then. */
function decodeStatus(text: string): ExpectedStatus {
  return text as ExpectedStatus;
}
