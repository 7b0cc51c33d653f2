/** Fields that hold a JMESPath query. */
import type { Findings } from "./findings.ts";
import type { Node } from "./nodes.ts";

export function checkQuery(_node: Node, _key: string, _findings: Findings): void {}

export function reportBadQuery(_query: string, _pointer: string, _findings: Findings): boolean {
  return true;
}
