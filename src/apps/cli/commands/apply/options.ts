/** What the user asked `apply` for, decoded once; contradictions are wrong usage. */
import type { Json } from "#json";
import type { CommandInput } from "../../command.ts";
import { UsageError } from "../../command.ts";
import { parseSet } from "../../load/values.ts";

export type ApplyFormat = "people" | "table" | "report-yaml" | "report-json";

export type ApplyOptions = {
  readonly policyPaths: readonly string[];
  readonly resourcePaths: readonly string[];
  readonly exceptionPaths: readonly string[];
  readonly exceptionsWithinPolicies: boolean;
  readonly exceptionsWithinResources: boolean;
  readonly valuesFile: string | undefined;
  readonly set: Readonly<Record<string, Json>>;
  readonly userInfoFile: string | undefined;
  readonly contextFile: string | undefined;
  readonly namespace: string | undefined;
  readonly format: ApplyFormat;
  readonly detailed: boolean;
  readonly auditWarn: boolean;
  readonly warnExitCode: number;
  readonly warnNoPass: boolean;
};

/** @throws UsageError */
export function decodeApplyOptions(input: CommandInput): ApplyOptions {
  const set = parseSet(input.list("set"));
  if (typeof set === "string") throw new UsageError(set);
  const valuesFile = input.text("values-file");
  if (valuesFile !== undefined && Object.keys(set).length > 0) {
    throw new UsageError("pass the values either using set flag or values_file flag");
  }
  const resourcePaths = [...input.list("resource"), ...(input.on("stdin") ? ["-"] : [])];
  checkPaths(input.operands, resourcePaths);
  return {
    policyPaths: input.operands,
    resourcePaths: [...new Set(resourcePaths)],
    exceptionPaths: input.list("exception"),
    exceptionsWithinPolicies: input.on("exceptions-within-policies"),
    exceptionsWithinResources: input.on("exceptions-within-resources"),
    valuesFile,
    set,
    userInfoFile: input.text("userinfo"),
    contextFile: input.text("context-file"),
    namespace: input.text("namespace"),
    format: formatOf(input),
    detailed: input.on("detailed-results"),
    auditWarn: input.on("audit-warn"),
    warnExitCode: decodeExitCode(input.text("warn-exit-code") ?? "0"),
    warnNoPass: input.on("warn-no-pass"),
  };
}

function checkPaths(policies: readonly string[], resources: readonly string[]): void {
  if (policies.length === 0) throw new UsageError("no policies: name files or folders that hold some");
  if (resources.length === 0) {
    throw new UsageError("no resources: name files, folders or - (standard input) with `-r`");
  }
  if (policies.includes("-") && resources.includes("-")) {
    throw new UsageError("policies and resources cannot both come from standard input");
  }
  const remote = policies.find((path) => /^(https?|oci):\/\//.test(path));
  if (remote !== undefined)
    throw new UsageError(`\`${remote}\`: fetch it first, policies are read from files and folders`);
}

function formatOf(input: CommandInput): ApplyFormat {
  const format = input.text("output-format");
  if (format === "table" || input.on("table")) return "table";
  if (format === undefined && !input.on("policy-report")) return "people";
  return format === "json" ? "report-json" : "report-yaml";
}

function decodeExitCode(text: string): number {
  const code = Number(text);
  if (!Number.isInteger(code) || code < 0 || code > 255) {
    throw new UsageError(`\`--warn-exit-code ${text}\`: an exit code is a whole number from 0 to 255`);
  }
  return code;
}
