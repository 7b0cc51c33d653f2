/**
 * Fields that hold a JMESPath query: it must parse. A text with variables in it is not known yet and is left alone.
 */
import { compileQuery, isSyntaxError } from "#jmespath";
import { textField } from "./fields.ts";
import type { Findings } from "./findings.ts";
import type { Node } from "./nodes.ts";
import { placeOf } from "./nodes.ts";

export function checkQuery(node: Node, key: string, findings: Findings): void {
  const query = textField(node.value, key);
  if (query === undefined || query === "" || query.includes("{{")) return;
  reportBadQuery(query, placeOf(node, key), findings);
}

/** Whether the query parses; where it does not, the place is reported. */
export function reportBadQuery(query: string, pointer: string, findings: Findings): boolean {
  const compiled = compileQuery(query);
  if (!isSyntaxError(compiled)) return true;
  findings.error({
    code: "policy/bad-query",
    pointer,
    message: `\`${query}\` is no JMESPath query: ${compiled.message}`,
    help: "`postern jp parse` shows how a query is read",
  });
  return false;
}
