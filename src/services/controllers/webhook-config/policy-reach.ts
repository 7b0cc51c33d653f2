/**
 * What the rules of one policy are to be called for, kind by kind, and what of it no webhook will be called for. The
 * computed rules count (autogen's too), with their operations or upstream's defaults.
 */
import type { CatalogEntry } from "#catalog";
import type { Discovery } from "#kube";
import type { MatchBlock, Operation, ResourceDescription, Rule } from "#policy";
import type { Exclusion } from "./exclusions.ts";
import type { Reach, Target } from "./resources.ts";
import { reachOf } from "./resources.ts";

/** Something that a policy matches and that is not enforced. */
export type Gap = {
  /** `leases.coordination.k8s.io`, or a sentence's subject. */
  readonly what: string;
  readonly why: string;
};

export type Wanted = { readonly target: Target; readonly operations: readonly Operation[] };

export type PolicyReach = {
  /** For the webhooks that policies share. */
  readonly open: readonly Wanted[];
  /** Kinds that a control plane writes at boot, which the policy names. */
  readonly boot: readonly Wanted[];
  readonly gaps: readonly Gap[];
};

const ALL: readonly Operation[] = ["CREATE", "UPDATE", "DELETE", "CONNECT"];
/** A pattern says nothing of an object that is being deleted. */
const WITHOUT_DELETE: readonly Operation[] = ["CREATE", "UPDATE", "CONNECT"];

export function policyReach(
  entry: CatalogEntry,
  discovery: Discovery,
  rows: readonly Exclusion[],
): PolicyReach {
  const open: Wanted[] = [];
  const boot: Wanted[] = [];
  const never = new Map<string, Gap>();
  const unreached = new Set<string>();
  const sort = ({ target, behind, byName }: Reach, operations: readonly Operation[]): void => {
    if (behind === undefined) open.push({ target, operations });
    else if (!byName) unreached.add(nameOf(target));
    else if (behind.strength === "named") boot.push({ target, operations });
    else
      never.set(nameOf(target), { what: nameOf(target), why: `no webhook may hold it up: ${behind.reason}` });
  };
  for (const rule of entry.inForce?.rules ?? []) {
    for (const resources of descriptionsIn(rule.match)) {
      const operations = operationsOf(resources, rule);
      const reached = (resources.kinds ?? []).flatMap((kind) => reachOf(kind, discovery, rows));
      for (const reach of reached) sort(reach, operations);
    }
  }
  return { open, boot, gaps: [...never.values(), ...wildcardGap(unreached, [...open, ...boot])] };
}

/** One sentence for all that a wildcard does not reach. */
function wildcardGap(unreached: ReadonlySet<string>, reached: readonly Wanted[]): readonly Gap[] {
  const known = new Set(reached.map(({ target }) => nameOf(target)));
  // Status subresources are what nobody means by a wildcard, and every kind has one.
  const names = [...unreached].filter((name) => !known.has(name) && !name.includes("/status")).sort();
  if (names.length === 0) return [];
  const some = names.slice(0, 5).join(", ");
  const more = names.length > 5 ? ` and ${names.length - 5} more` : "";
  return [
    {
      what: `${some}${more}`,
      why: "a wildcard does not reach what a control plane needs to boot and to heal: name a kind to guard it",
    },
  ];
}

function descriptionsIn({ any = [], all = [], direct }: MatchBlock): readonly ResourceDescription[] {
  const filters = any.length > 0 ? any : all.length > 0 ? all : direct === undefined ? [] : [direct];
  return filters.flatMap(({ resources }) => (resources === undefined ? [] : [resources]));
}

function operationsOf({ operations = [] }: ResourceDescription, rule: Rule): readonly Operation[] {
  if (operations.length > 0) return ALL.filter((operation) => operations.includes(operation));
  const { body } = rule;
  const isPattern =
    body.kind === "validate" &&
    (body.validate.check.kind === "pattern" || body.validate.check.kind === "anyPattern");
  return isPattern ? WITHOUT_DELETE : ALL;
}

function nameOf({ group, resource }: Target): string {
  return group === "" ? resource : `${resource}.${group}`;
}
