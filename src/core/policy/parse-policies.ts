/**
 * A file of policies to values. Documents stand alone: whatever is wrong with one, the others are read. Lists are taken
 * apart. Every document ends in one of the four lists or has a diagnostic of its own.
 *
 * INVARIANT: never throws, whatever the text is.
 */
import type { Diagnostic } from "#diag";
import { nearestName } from "#diag";
import type { Json, JsonObject } from "#json";
import { appendPointer, isArray, isObject, loadYaml } from "#json";
import { wrongType } from "./check-shape.ts";
import { decodeException } from "./decode-exception.ts";
import { decodePolicy } from "./decode-policy.ts";
import { objectField, optional, textField } from "./fields.ts";
import { Findings } from "./findings.ts";
import type { DecodedKind } from "./kinds.ts";
import { decodedKinds, isDecodedKind, isUnsupportedKind, kyvernoKinds, specShapeOf } from "./kinds.ts";
import type { Origin, ParsedPolicies, Policy, PolicyException, UnsupportedPolicy } from "./policy.ts";

export type ParsedFile = ParsedPolicies & { readonly diagnostics: readonly Diagnostic[] };

/** The policies in YAML or JSON text. */
export function parsePolicies(text: string, file: string): ParsedFile {
  const { documents, diagnostics } = loadYaml(text, file);
  const parsed = startFile(diagnostics, true);
  for (const { value, index } of documents) sortDocument(value, { file, document: index }, parsed);
  return parsed;
}

export type DecodeOptions = {
  /** Without: only what cannot be read is an error, as for a policy that got past admission some other way. */
  readonly admission?: boolean;
};

/** The policies in one document, which may be a list. */
export function decodePolicyDocument(value: Json, origin: Origin, options: DecodeOptions = {}): ParsedFile {
  const parsed = startFile([], options.admission ?? true);
  sortDocument(value, origin, parsed);
  return parsed;
}

type OpenFile = {
  readonly policies: Policy[];
  readonly exceptions: PolicyException[];
  readonly unsupported: UnsupportedPolicy[];
  readonly others: { readonly value: JsonObject; readonly origin: Origin }[];
  readonly diagnostics: Diagnostic[];
  readonly admission: boolean;
};

function startFile(diagnostics: readonly Diagnostic[], admission: boolean): OpenFile {
  return {
    policies: [],
    exceptions: [],
    unsupported: [],
    others: [],
    diagnostics: [...diagnostics],
    admission,
  };
}

function sortDocument(value: Json, origin: Origin, parsed: OpenFile): void {
  if (value === null) return;
  const findings = new Findings(origin);
  if (!isObject(value)) wrongType(value, "a Kubernetes object", origin.pointer ?? "", findings);
  else if (isList(value)) return unwrapList(value, origin, parsed);
  else sortObject(value, origin, { parsed, findings });
  parsed.diagnostics.push(...findings.diagnostics);
}

function isList(value: JsonObject): boolean {
  const kind = textField(value, "kind") ?? "";
  return kind.endsWith("List") && isArray(value["items"]);
}

function unwrapList(list: JsonObject, origin: Origin, parsed: OpenFile): void {
  const pointer = appendPointer(origin.pointer ?? "", "items");
  const items = list["items"] ?? null;
  for (const [index, item] of (isArray(items) ? items : []).entries()) {
    sortDocument(item, { ...origin, pointer: appendPointer(pointer, index) }, parsed);
  }
}

type Desk = { readonly parsed: OpenFile; readonly findings: Findings };

function sortObject(value: JsonObject, origin: Origin, { parsed, findings }: Desk): void {
  const apiVersion = textField(value, "apiVersion") ?? "";
  const kind = textField(value, "kind") ?? "";
  const slash = apiVersion.indexOf("/");
  const group = slash < 0 ? "" : apiVersion.slice(0, slash);
  const version = apiVersion.slice(slash + 1);
  if (kind === "" || apiVersion === "") return reportNoKind(value, origin, findings);
  if (isDecodedKind(kind) && group === "kyverno.io") {
    if (!decodedKinds[kind].includes(version)) return reportVersion(apiVersion, kind, origin, findings);
    return decodeKind({ kind, apiVersion, version, raw: value, origin }, { parsed, findings });
  }
  if (isUnsupportedKind(group, kind)) {
    parsed.unsupported.push(decodeUnsupported(apiVersion, kind, value, origin));
  } else if (isMistaken(group, kind)) reportMistake(group, kind, origin, findings);
  else parsed.others.push({ value, origin });
}

type Sorted = {
  readonly kind: DecodedKind;
  readonly apiVersion: string;
  readonly version: string;
  readonly raw: JsonObject;
  readonly origin: Origin;
};

function decodeKind({ kind, apiVersion, version, raw, origin }: Sorted, { parsed, findings }: Desk): void {
  const shape = specShapeOf(kind, version);
  const { admission } = parsed;
  if (kind === "PolicyException") {
    const exception = decodeException({ shape, raw, origin, admission }, findings);
    if (exception !== undefined) parsed.exceptions.push(exception);
    return;
  }
  const policy = decodePolicy({ kind, apiVersion, shape, raw, origin, admission }, findings);
  if (policy !== undefined) parsed.policies.push(policy);
}

function decodeUnsupported(
  apiVersion: string,
  kind: string,
  raw: JsonObject,
  origin: Origin,
): UnsupportedPolicy {
  const metadata = objectField(raw, "metadata") ?? {};
  return {
    apiVersion,
    kind,
    name: textField(metadata, "name") ?? "",
    ...optional("namespace", textField(metadata, "namespace")),
    raw,
    origin,
  };
}

function reportNoKind(value: JsonObject, origin: Origin, findings: Findings): void {
  const missing = textField(value, "kind") === undefined ? "kind" : "apiVersion";
  findings.error({
    code: "policy/no-kind",
    pointer: origin.pointer ?? "",
    message: `the document has no \`${missing}\``,
    help: "begin the document with `apiVersion: kyverno.io/v1` and `kind: ClusterPolicy`",
  });
}

function reportVersion(apiVersion: string, kind: DecodedKind, origin: Origin, findings: Findings): void {
  const supported = decodedKinds[kind].map((version) => `\`kyverno.io/${version}\``).join(" and ");
  findings.error({
    code: "policy/unknown-version",
    pointer: appendPointer(origin.pointer ?? "", "apiVersion"),
    message: `\`${kind}\` is not known in version \`${apiVersion}\``,
    help: `supported versions: ${supported}`,
  });
}

/** Something of Kyverno's, as far as one can tell, that exists nowhere. */
function isMistaken(group: string, kind: string): boolean {
  if (group === "kyverno.io") return !kyvernoKinds.includes(kind);
  if (!isDecodedKind(kind)) return false;
  return group === "" || nearestName(group, ["kyverno.io"]) !== undefined || group.includes("kyverno");
}

function reportMistake(group: string, kind: string, origin: Origin, findings: Findings): void {
  const root = origin.pointer ?? "";
  if (isDecodedKind(kind)) {
    const versions = decodedKinds[kind].map((version) => `\`kyverno.io/${version}\``).join(" and ");
    findings.error({
      code: "policy/unknown-version",
      pointer: appendPointer(root, "apiVersion"),
      message: `\`${kind}\` is no kind of the group \`${group}\``,
      help: `supported versions: ${versions}`,
    });
    return;
  }
  const nearest = nearestName(kind, kyvernoKinds);
  findings.error({
    code: "policy/unknown-kind",
    pointer: appendPointer(root, "kind"),
    message: `\`${kind}\` is no kind of \`kyverno.io\``,
    help:
      nearest === undefined
        ? `kinds of the group: ${kyvernoKinds.join(", ")}`
        : `did you mean \`${nearest}\`?`,
  });
}
