/**
 * What is known of a kind without a cluster: its plural, its scope, the kinds of its subresources. Every door asks here,
 * so that the command line and the cluster agree on which objects live in a namespace. A kind that is not in the table
 * (a custom resource) counts as namespaced, as upstream's CLI has it.
 */
import type { GroupVersionKind } from "./gvk.ts";
import { kindTable } from "./kind-table.ts";

export type KnownKind = {
  readonly group: string;
  readonly kind: string;
  /** The resource name in URLs and in RBAC rules: `pods`. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** Kind of the object that a subresource takes: `exec` to `PodExecOptions`. */
  readonly subresources: ReadonlyMap<string, string>;
};

const knownKinds: ReadonlyMap<string, KnownKind> = new Map(
  Object.entries(kindTable).flatMap(([group, rows]) =>
    rows.map((row) => [`${group}/${row.slice(0, row.indexOf(" "))}`, readRow(group, row)] as const),
  ),
);

/** The built-in or policy kind of this group and name, whatever the version; `undefined` for custom resources. */
export function knownKind(group: string, kind: string): KnownKind | undefined {
  return knownKinds.get(`${group}/${kind}`);
}

/** Whether objects of this kind live in a namespace; a kind that is not known does. */
export function isNamespaced(gvk: GroupVersionKind): boolean {
  return knownKind(gvk.group, gvk.kind)?.namespaced ?? true;
}

/**
 * The resource name of a kind (`pods`); for a custom resource the usual guess.
 * SPEC: apimachinery `meta.UnsafeGuessKindToResource`.
 */
export function pluralOf(gvk: GroupVersionKind): string {
  const known = knownKind(gvk.group, gvk.kind);
  if (known !== undefined) return known.plural;
  const lower = gvk.kind.toLowerCase();
  if (lower.endsWith("s")) return `${lower}es`;
  if (lower.endsWith("y")) return `${lower.slice(0, -1)}ies`;
  return lower === "" ? "" : `${lower}s`;
}

function readRow(group: string, row: string): KnownKind {
  const [kind = "", plural = "", scope = "", ...pairs] = row.split(" ");
  const subresources = pairs.map((pair) => {
    const [name = "", subKind = ""] = pair.split("=");
    return [name, subKind] as const;
  });
  return { group, kind, plural, namespaced: scope === "N", subresources: new Map(subresources) };
}
