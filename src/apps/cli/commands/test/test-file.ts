/**
 * The test file of the Kyverno CLI (`cli.kyverno.io/v1alpha1`, kind Test), decoded strictly: whatever is wrong is a
 * diagnostic with its place, and a test with one is not run, because it would not test what its author wrote.
 * SPEC: reference/kyverno-surface.md section 8.2 (test schema).
 */
import type { Diagnostic } from "#diag";
import { isObject, type Json, type JsonObject } from "#json";

import { decodeExpectation, expectationKeys, type Expectation } from "./expectation.ts";
import { FieldReader, type DocumentOrigin, type Fields } from "./field-reader.ts";

export type TestFile = DocumentOrigin & {
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

const API_VERSION = "cli.kyverno.io/v1alpha1";

const testKeys: readonly string[] = [
  "apiVersion",
  "kind",
  "metadata",
  "policies",
  "resources",
  "targetResources",
  "paramResources",
  "exceptions",
  "jsonPayload",
  "jsonPayloads",
  "httpPayloads",
  "envoyPayloads",
  "clusterResources",
  "variables",
  "values",
  "userinfo",
  "context",
  "apiCallResponses",
  "globalContextEntries",
  "results",
];

export type DecodedTest = { readonly test?: TestFile; readonly diagnostics: readonly Diagnostic[] };

/** A test file's document to a `TestFile`; where something is wrong there is none. */
export function decodeTestFile(value: Json, origin: DocumentOrigin): DecodedTest {
  const reader = new FieldReader(origin);
  if (isObject(value) && isDeprecated(value)) {
    reportDeprecated(value, reader);
    return { diagnostics: reader.diagnostics };
  }
  const fields = reader.object(value, "", testKeys);
  if (fields === undefined) return { diagnostics: reader.diagnostics };
  checkIdentity(fields, reader);
  const test = decodeTest(fields, origin);
  return reader.diagnostics.length > 0 ? { diagnostics: reader.diagnostics } : { test, diagnostics: [] };
}

/** The form before `cli.kyverno.io`: no apiVersion or kind, and the name at the top. */
function isDeprecated(value: JsonObject): boolean {
  const keys = new Set(Object.keys(value).map((key) => key.toLowerCase()));
  return !keys.has("apiversion") || !keys.has("kind") || (keys.has("name") && !keys.has("metadata"));
}

function reportDeprecated(value: JsonObject, reader: FieldReader): void {
  const name = typeof value["name"] === "string" ? value["name"] : "NAME";
  reader.report("name" in value ? "/name" : "", {
    code: "test/not-a-test",
    message:
      "this is no test of the current schema: `apiVersion` or `kind` is missing, or `name` stands at the top",
    help: `begin it with \`apiVersion: ${API_VERSION}\`, \`kind: Test\` and \`metadata: {name: ${name}}\`, without \`name\` at the top`,
  });
}

function checkIdentity(fields: Fields, reader: FieldReader): void {
  const identity = [
    { key: "kind", wanted: "Test" },
    { key: "apiVersion", wanted: API_VERSION },
  ];
  for (const { key, wanted } of identity) {
    const found = fields.text(key);
    if (found === wanted) continue;
    const message = `\`${key}: ${wanted}\` is expected${found === undefined ? "" : `, this is \`${found}\``}`;
    reader.report(`/${key}`, { code: "test/not-a-test", message });
  }
}

function decodeTest(fields: Fields, origin: DocumentOrigin): TestFile {
  const name = fields.value("metadata")?.["name"];
  const payload = fields.text("jsonPayload");
  const values = fields.value("values");
  return {
    ...origin,
    name: typeof name === "string" ? name : "",
    policies: fields.texts("policies"),
    resources: fields.texts("resources"),
    targetResources: fields.texts("targetResources"),
    exceptions: fields.texts("exceptions"),
    clusterResources: fields.texts("clusterResources"),
    payloads: [
      ...(payload === undefined ? [] : [payload]),
      ...["jsonPayloads", "httpPayloads", "envoyPayloads"].flatMap((key) => fields.texts(key)),
    ],
    ...fields.optional(["variables", "userinfo", "context"]),
    ...(values === undefined ? {} : { values }),
    apiCallResponses: fields.values("apiCallResponses"),
    globalContextEntries: fields.values("globalContextEntries"),
    results: fields.objects("results", expectationKeys).map(decodeExpectation),
  };
}
