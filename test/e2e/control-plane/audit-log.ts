/**
 * The API server's own record of who wrote what. A test that says "nobody called the gate" reads here that there was
 * something to call it for.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export type AuditEvent = {
  readonly user: string;
  readonly groups: readonly string[];
  /** `create`, `update`, `patch`, `delete`, `deletecollection`, … */
  readonly verb: string;
  readonly group: string;
  /** Plural; with its subresource, `pods/status`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly status: number;
  readonly annotations: Readonly<Record<string, string>>;
};

export type AuditLog = {
  readonly flags: readonly string[];
  /** What was written since the last mark; reads are not in it. */
  readonly events: () => readonly AuditEvent[];
  /** What there is now is no longer among the events. */
  readonly mark: () => void;
};

const policy = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [{ level: "None", verbs: ["get", "list", "watch"] }, { level: "Metadata" }],
};

export function createAuditLog(folder: string): AuditLog {
  const policyFile = join(folder, "audit-policy.json");
  const file = join(folder, "audit.log");
  writeFileSync(policyFile, JSON.stringify(policy));
  let from = 0;
  const lines = (): readonly string[] => {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    return text
      .slice(0, text.lastIndexOf("\n") + 1)
      .split("\n")
      .slice(0, -1);
  };
  return {
    flags: [`--audit-policy-file=${policyFile}`, `--audit-log-path=${file}`],
    events: () => lines().slice(from).map(decodeEvent),
    mark: () => {
      from = lines().length;
    },
  };
}

type RawEvent = {
  readonly verb: string;
  readonly user: { readonly username: string; readonly groups?: readonly string[] };
  readonly impersonatedUser?: { readonly username: string; readonly groups?: readonly string[] };
  readonly objectRef?: {
    readonly apiGroup?: string;
    readonly resource?: string;
    readonly subresource?: string;
    readonly namespace?: string;
    readonly name?: string;
  };
  readonly responseStatus?: { readonly code?: number };
  readonly annotations?: Readonly<Record<string, string>>;
};

function decodeEvent(line: string): AuditEvent {
  const event = JSON.parse(line) as RawEvent;
  const who = event.impersonatedUser ?? event.user;
  const { apiGroup = "", resource = "", subresource, namespace = "", name = "" } = event.objectRef ?? {};
  return {
    user: who.username,
    groups: who.groups ?? [],
    verb: event.verb,
    group: apiGroup,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    namespace,
    name,
    status: event.responseStatus?.code ?? 0,
    annotations: event.annotations ?? {},
  };
}
