/**
 * Context entries: a free name, one source, and what each source needs.
 * SPEC: pkg/validation/policy validateRuleContext.
 */
import { checkQuery } from "./check-query.ts";
import type { RuleSite } from "./check-rule.ts";
import { contextSourceNames } from "./decode-context.ts";
import { field, listField, textField } from "./fields.ts";
import type { Findings } from "./findings.ts";
import type { Node } from "./nodes.ts";
import { childNode, childNodes, placeOf } from "./nodes.ts";

export function checkContexts({ rule }: RuleSite, findings: Findings): void {
  for (const owner of contextOwners(rule)) {
    for (const entry of childNodes(owner, "context")) checkEntry(entry, findings);
  }
}

/** Everything in a rule that may have a context: the rule, its foreach entries at any depth, its mutate targets. */
export function contextOwners(rule: Node): readonly Node[] {
  const bodies = ["validate", "mutate", "generate"].flatMap((key) => childNode(rule, key) ?? []);
  return [
    rule,
    ...bodies.flatMap((body) => nestedForeach(body)),
    ...bodies.flatMap((body) => childNodes(body, "targets")),
  ];
}

export function nestedForeach(owner: Node): readonly Node[] {
  return childNodes(owner, "foreach").flatMap((entry) => [entry, ...nestedForeach(entry)]);
}

const reservedNames: readonly string[] = [
  "images",
  "request",
  "serviceAccountName",
  "serviceAccountNamespace",
  "element",
  "elementIndex",
];

function checkEntry(entry: Node, findings: Findings): void {
  const name = textField(entry.value, "name") ?? "";
  if (name === "") {
    findings.error({
      code: "policy/missing-field",
      pointer: placeOf(entry, "name"),
      message: "the context entry has no name",
      help: "give it the name that variables use",
    });
  } else if (reservedNames.some((reserved) => name === reserved || name.startsWith(`${reserved}.`))) {
    findings.error({
      code: "policy/reserved-name",
      pointer: placeOf(entry, "name"),
      message: `\`${name}\` is a name that Kyverno sets itself`,
      help: "choose another name",
    });
  }
  const present = contextSourceNames.filter((key) => field(entry.value, key) !== undefined);
  const [only] = present;
  if (only === undefined || present.length > 1) return reportSources(entry, present, findings);
  const source = childNode(entry, only);
  if (source !== undefined) checkSource(only, source, findings);
}

function reportSources(entry: Node, present: readonly string[], findings: Findings): void {
  const list = contextSourceNames.map((name) => `\`${name}\``).join(", ");
  findings.error({
    code: "policy/context-source",
    pointer: entry.pointer,
    message: `a context entry has exactly one of ${list}; this one has ${present.length === 0 ? "none" : present.join(" and ")}`,
    help: present.length === 0 ? "say where the value comes from" : "make an entry of each",
  });
}

function checkSource(kind: string, source: Node, findings: Findings): void {
  switch (kind) {
    case "apiCall":
      checkApiCall(source, findings);
      break;
    case "variable":
      checkVariable(source, findings);
      break;
    case "configMap":
    case "globalReference":
      checkNamed(source, "name", findings);
      break;
    default:
      checkNamed(source, "reference", findings);
  }
  checkQuery(source, "jmesPath", findings);
}

function checkNamed(source: Node, key: string, findings: Findings): void {
  if ((textField(source.value, key) ?? "") !== "") return;
  reportSource(placeOf(source, key), `\`${key}\` is empty`, "say what to load", findings);
}

function checkVariable(source: Node, findings: Findings): void {
  if (field(source.value, "value") !== undefined || (textField(source.value, "jmesPath") ?? "") !== "")
    return;
  reportSource(source.pointer, "a variable needs a `value` or a `jmesPath`", "add one of them", findings);
}

function checkApiCall(source: Node, findings: Findings): void {
  const hasPath = (textField(source.value, "urlPath") ?? "") !== "";
  const hasService = field(source.value, "service") !== undefined;
  if (hasPath === hasService) {
    const found = hasPath ? "has both" : "has neither";
    reportSource(
      source.pointer,
      `an API call has either \`urlPath\` or \`service\`; this one ${found}`,
      "keep or add one",
      findings,
    );
  }
  const hasData = (listField(source.value, "data") ?? []).length > 0;
  const method = textField(source.value, "method") ?? "GET";
  if (hasData && method !== "POST") {
    reportSource(
      placeOf(source, "data"),
      `\`data\` is sent with POST only, and the method is \`${method}\``,
      "set `method: POST`",
      findings,
    );
  }
}

function reportSource(pointer: string, message: string, help: string, findings: Findings): void {
  findings.error({ code: "policy/context-source", pointer, message, help });
}
