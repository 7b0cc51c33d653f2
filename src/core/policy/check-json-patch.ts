/**
 * `patchesJson6902`: a list of operations, as YAML or JSON text in the policy. Texts with variables in them are read as
 * they stand, since a variable may stand for a part of a value.
 * SPEC: pkg/validation/policy validateJSONPatchPathForForwardSlash, validateJSONPatch.
 */
import { isArray, isObject, loadYaml } from "#json";
import { textField } from "./fields.ts";
import type { Findings } from "./findings.ts";

const operations: readonly string[] = ["add", "remove", "replace", "move", "copy", "test"];

/** @param pointer of the text; places within it have no pointer of their own */
export function checkJsonPatch(text: string, pointer: string, findings: Findings): void {
  const report = (message: string, help: string): void =>
    findings.error({ code: "policy/json-patch", pointer, message, help });
  const { documents, diagnostics } = loadYaml(text, "");
  const patch = documents[0]?.value;
  const failure = diagnostics[0];
  if (failure !== undefined || patch === undefined || !isArray(patch)) {
    // An unquoted variable is no YAML and becomes some when it is replaced.
    if (text.includes("{{")) return;
    return report(
      failure === undefined
        ? "the patch is no list of operations"
        : `the patch cannot be read: ${failure.message}`,
      "write a list: `- op: add`, `path: /metadata/labels/a`, `value: b`",
    );
  }
  for (const [index, operation] of patch.entries()) {
    if (!isObject(operation))
      report(`operation ${index} of the patch is no map`, "write `op`, `path` and `value`");
    else checkOperation(textField(operation, "op") ?? "", textField(operation, "path") ?? "", report);
  }
}

function checkOperation(op: string, path: string, report: (message: string, help: string) => void): void {
  if (!operations.includes(op))
    report(`\`${op}\` is no operation of a JSON patch`, `use one of ${operations.join(", ")}`);
  if (path !== "" && !path.startsWith("/") && !path.startsWith("{{")) {
    report(`the path \`${path}\` does not begin with a slash`, `write \`/${path.replaceAll(".", "/")}\``);
  }
}

/** The paths of a patch's operations, as written; none where the text is no patch. */
export function jsonPatchPaths(text: string): readonly string[] {
  const patch = loadYaml(text, "").documents[0]?.value;
  if (patch === undefined || !isArray(patch)) return [];
  return patch.flatMap((operation) => (isObject(operation) ? (textField(operation, "path") ?? []) : []));
}
