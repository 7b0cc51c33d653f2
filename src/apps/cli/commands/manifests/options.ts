/** What `postern manifests` was asked for. Every value that ends up as a flag of `postern serve` is checked as one. */
import type { CommandInput } from "../../command.ts";
import { UsageError } from "../../command.ts";
import { serveFlags } from "../serve/flags.ts";

export type InstallOptions = {
  readonly namespace: string;
  readonly image: string;
  readonly replicas: number;
  readonly names: "postern" | "kyverno";
  readonly infrastructureNamespaces: readonly string[];
  readonly hostNetwork: boolean;
  readonly port: number;
  readonly priorityClass: string;
  readonly certManager: boolean;
  readonly crds: "all" | "none" | "only";
  readonly serveFlags: readonly string[];
};

/** @throws UsageError */
export function decodeInstallOptions(input: CommandInput, version: string): InstallOptions {
  const extra = input.list("serve-flag");
  for (const flag of extra) checkServeFlag(flag);
  return {
    namespace: dnsLabel(input.text("namespace") ?? "postern", "namespace"),
    image: input.text("image") ?? `postern:${version}`,
    replicas: wholeNumber(input, "replicas", { otherwise: 3, least: 1, most: 100 }),
    names: input.text("names") === "kyverno" ? "kyverno" : "postern",
    infrastructureNamespaces: input
      .list("infrastructure-namespaces")
      .map((name) => dnsLabel(name, "infrastructure-namespaces")),
    hostNetwork: input.on("host-network"),
    port: wholeNumber(input, "port", { otherwise: 9443, least: 1, most: 65_535 }),
    priorityClass: input.text("priority-class") ?? "system-cluster-critical",
    certManager: input.on("cert-manager"),
    crds: (input.text("crds") ?? "all") as InstallOptions["crds"],
    serveFlags: extra,
  };
}

function checkServeFlag(flag: string): void {
  const name = /^--([a-z-]+)(?:=.*)?$/.exec(flag)?.[1];
  if (serveFlags.some((known) => known.name === name)) return;
  throw new UsageError(
    `\`--serve-flag ${flag}\`: \`postern serve\` has no such flag; write --serve-flag=--name=value`,
  );
}

function dnsLabel(text: string, flag: string): string {
  if (/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(text)) return text;
  throw new UsageError(
    `\`--${flag} ${text}\`: a namespace's name has lower-case letters, digits and dashes, at most 63`,
  );
}

function wholeNumber(
  input: CommandInput,
  name: string,
  range: { readonly otherwise: number; readonly least: number; readonly most: number },
): number {
  const text = input.text(name);
  if (text === undefined) return range.otherwise;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= range.least && value <= range.most) return value;
  throw new UsageError(
    `\`--${name} ${text}\`: it must be a whole number from ${range.least} to ${range.most}`,
  );
}
