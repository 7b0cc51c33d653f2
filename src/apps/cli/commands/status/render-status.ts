/** `postern status` for people: what needs somebody first, then the gate, replicas, policies and faults at a glance. */
import type { Paint } from "../../render/paint.ts";
import { harmless } from "../../render/paint.ts";
import type { ClusterStatus, ReplicaStatus, WebhookStatus } from "./cluster-status.ts";
import { attentionIn } from "./cluster-status.ts";

const MAX_POLICIES = 10;

/** @param nowMs clock time that ages are counted from */
export function renderStatus(status: ClusterStatus, paint: Paint, nowMs: number): string {
  const sections = [
    [`${paint.bold("cluster")}  ${harmless(status.server)}`],
    attentionLines(status, paint),
    section("webhooks", status.webhooks.map(webhookCells), paint),
    section(
      "replicas",
      status.replicas.map((replica) => replicaCells(replica, nowMs)),
      paint,
    ),
    policyLines(status, paint),
    section(
      "last faults",
      status.lastFaults.map(({ at, replica, code, message }) => [age(at, nowMs), replica, code, message]),
      paint,
    ),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function attentionLines(status: ClusterStatus, paint: Paint): readonly string[] {
  const texts = attentionIn(status);
  if (texts.length === 0) return [`${paint.green("✓")} the gate is up and nothing needs attention`];
  return texts.map((text) => `${paint.yellow("!")} ${harmless(text)}`);
}

function webhookCells({
  name,
  failurePolicy,
  timeoutSeconds,
  rules,
  handPatches,
}: WebhookStatus): readonly string[] {
  const patched = handPatches.length === 0 ? "" : "by hand";
  return [name, failurePolicy, `${timeoutSeconds}s`, `${rules} ${rules === 1 ? "rule" : "rules"}`, patched];
}

function replicaCells({ name, alive, renewedAt, state }: ReplicaStatus, nowMs: number): readonly string[] {
  const seen = `seen ${age(renewedAt, nowMs)} ago`;
  if (state === undefined) return [name, alive ? "silent" : "gone", "", "", "", seen];
  const { allowed, denied, fault, shed } = state.answers;
  return [
    name,
    alive ? (state.ready ? "ready" : "not ready") : "gone",
    state.leader ? "leader" : "",
    `${state.policies.inForce} ${state.policies.inForce === 1 ? "policy" : "policies"}`,
    `${allowed} allowed, ${denied} denied, ${fault} faults, ${shed} shed`,
    seen,
  ];
}

function policyLines({ policies }: ClusterStatus, paint: Paint): readonly string[] {
  const { total, ready, notReady, partlyEnforced } = policies;
  return [
    `${paint.bold("policies")}  ${ready} of ${total} ready, ${partlyEnforced.length} partly enforced`,
    ...noteLines("not ready", notReady, paint.red),
    ...noteLines("partly", partlyEnforced, paint.yellow),
  ];
}

type Notes = ClusterStatus["policies"]["notReady"];

function noteLines(word: string, notes: Notes, color: Paint["red"]): readonly string[] {
  const shown = notes
    .slice(0, MAX_POLICIES)
    .map(({ policy, message }) => `  ${color(word)}  ${harmless(policy)}: ${harmless(message)}`);
  const more = notes.length - shown.length;
  return more > 0 ? [...shown, `  and ${more} more: \`-o json\` lists all`] : shown;
}

/** Rows in columns as wide as they need to be; nothing where there are no rows. */
function section(title: string, rows: readonly (readonly string[])[], paint: Paint): readonly string[] {
  if (rows.length === 0) return [];
  const widths = rows.reduce<readonly number[]>(
    (most, row) => row.map((cell, column) => Math.max(most[column] ?? 0, harmless(cell).length)),
    [],
  );
  const lines = rows.map((row) =>
    `  ${row.map((cell, column) => harmless(cell).padEnd(widths[column] ?? 0)).join("  ")}`.trimEnd(),
  );
  return [paint.bold(title), ...lines];
}

/** `12s`, `5m`, `3h`, `8d`: the coarsest unit that is not zero. */
function age(time: string, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - Date.parse(time)) / 1000));
  if (Number.isNaN(seconds)) return "never";
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}
