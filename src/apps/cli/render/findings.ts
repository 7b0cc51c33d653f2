/**
 * What policies say of one resource, for people: the resource, then each rule that has something to say, with the place
 * in the manifest that the author has to change. A resource about which there is nothing to say is not printed.
 */
import type { RuleResult, RuleStatus } from "#engine";
import type { LoadedResource } from "../load/resources.ts";
import { metadataText, resourceName, textMember } from "../load/object-text.ts";
import { excerpt } from "./excerpt.ts";
import type { Paint } from "./paint.ts";
import { harmless, harmlessLines } from "./paint.ts";
import { placeOf } from "./resource-place.ts";
import { wrapText } from "./wrap-text.ts";

export type Finding = {
  readonly policy: string;
  readonly result: RuleResult;
  /** As it is counted. */
  readonly status: RuleStatus;
  readonly severity?: string | undefined;
};

const INDENT = "      ";

export function renderFindings(
  loaded: LoadedResource,
  findings: readonly Finding[],
  options: { readonly paint: Paint; readonly columns: number },
): string {
  const { paint } = options;
  const worst = findings.some(({ status }) => status === "fail" || status === "error");
  const sign = worst
    ? paint.red("✗")
    : findings.some(({ status }) => status === "warn")
      ? paint.yellow("!")
      : paint.green("✓");
  const title = `${sign} ${paint.bold(harmless(resourceTitle(loaded)))}  ${paint.dim(fileLine(loaded))}`;
  return `${[title, ...findings.flatMap((finding) => findingLines(loaded, finding, options))].join("\n")}\n\n`;
}

function resourceTitle({ resource }: LoadedResource): string {
  const namespace = metadataText(resource, "namespace");
  const name = resourceName(resource) || "(no name)";
  return `${textMember(resource, "kind")} ${namespace === "" ? name : `${namespace}/${name}`}`;
}

function fileLine(loaded: LoadedResource): string {
  const file = loaded.source.file === "-" ? "<stdin>" : loaded.source.file;
  const line = placeOf(loaded, undefined).span?.start.line;
  return harmless(line === undefined ? file : `${file}:${line}`);
}

const statusWords: Readonly<Record<RuleStatus, string>> = {
  pass: "pass ",
  fail: "FAIL ",
  warn: "warn ",
  error: "ERROR",
  skip: "skip ",
};

/** The color of a status, one everywhere. */
export function statusColor(status: RuleStatus, paint: Paint): (text: string) => string {
  if (status === "pass") return paint.green;
  if (status === "fail") return paint.red;
  if (status === "skip") return paint.dim;
  return status === "error" ? paint.magenta : paint.yellow;
}

function findingLines(
  loaded: LoadedResource,
  { policy, result, status, severity }: Finding,
  { paint, columns }: { readonly paint: Paint; readonly columns: number },
): readonly string[] {
  const color = statusColor(status, paint);
  const notes = [severity ?? "", status === "fail" && result.action === "Audit" ? "audit" : ""].filter(
    (note) => note !== "",
  );
  const after = notes.length === 0 ? "" : `  ${paint.dim(`(${harmless(notes.join(", "))})`)}`;
  const head = `  ${color(statusWords[status])} ${paint.bold(harmless(policy))} ${paint.dim("›")} ${harmless(result.rule)}${after}`;
  if (status === "pass") return [head];
  const message = wrapText(
    harmlessLines(shortMessage(result)),
    Math.max(40, Math.min(columns, 110) - INDENT.length - 2),
  );
  return [head, ...message.map((line) => `${INDENT}  ${line}`), ...placeLines(loaded, result, color, paint)];
}

function placeLines(
  loaded: LoadedResource,
  result: RuleResult,
  color: (text: string) => string,
  paint: Paint,
): readonly string[] {
  if (result.path === undefined || result.path === "" || result.path === "/") return [];
  const place = placeOf(loaded, result.path);
  const missing =
    place.missing === undefined ? "" : paint.dim(`  (there is no \`${harmless(place.missing)}\` here)`);
  const path = `${INDENT}  ${paint.cyan(harmless(place.path))}${missing}`;
  if (place.span === undefined) return [path];
  const { source } = loaded;
  return [path, ...excerpt({ source, span: place.span, indent: `${INDENT}  `, mark: color }, paint)];
}

/** Upstream's texts name the rule and the path once more; both are shown beside it. */
export function shortMessage({ message, rule, path }: RuleResult): string {
  const tail = path === undefined ? ` rule ${rule} failed` : ` rule ${rule} failed at path ${path}`;
  const short = message.replace(/^validation (error|failure): /, "");
  return (short.endsWith(tail) ? short.slice(0, -tail.length) : short).trim() || message;
}
