/**
 * YAML text in the style of Kubernetes' own tools: sorted keys, lists at their key's column, no line folding, no
 * aliases. What is printed reads back as the same value under YAML 1.1 and 1.2 alike: texts that either would take
 * for something else are quoted.
 */
import { dump } from "js-yaml";
import type { Json } from "./json.ts";
import { compareKeys } from "./key-order.ts";

export function printYaml(value: Json): string {
  return dump(value, { sortKeys: compareKeys, noRefs: true, lineWidth: -1, seqNoIndent: true });
}
