/**
 * From one policy document, as a cluster holds it, to its entry: decoded as what got past admission some other way (only
 * what cannot be read is an error), asked whether every rule of it can be evaluated, and compiled whole, so that no
 * request ever waits for a compilation.
 */
import type { Diagnostic } from "#diag";
import type { PolicyProgram } from "#engine";
import { compilePolicy, unsupportedPart } from "#engine";
import type { JsonObject } from "#json";
import { isArray, isObject } from "#json";
import type { Policy, PolicyException } from "#policy";
import { autogenRules, decodePolicyDocument } from "#policy";
import type { CatalogEntry, NotReadyReason } from "./catalog.ts";
import type { MatchCondition } from "./configuration.ts";
import { identityOf } from "./identity.ts";

/** What an entry has of the program in force. */
type InForce = Pick<CatalogEntry, "program" | "inForce" | "matchConditions" | "ownWebhook" | "needsRoles">;

const NOTHING: InForce = { matchConditions: [], ownWebhook: false, needsRoles: false };

/** A policy's half of the permission to be opened by the watchdog. */
export const OPEN_WHEN_DEAD = "postern.dev/open-when-dead";

/**
 * @param exceptions those that name the policy
 * @param previous the entry until now, whose program goes on where there is no new one
 */
export function makeEntry(
  object: JsonObject,
  exceptions: readonly PolicyException[],
  previous: CatalogEntry | undefined,
): CatalogEntry {
  const { kind, name, namespace, key, uid, generation } = identityOf(object);
  const identity = {
    kind: kind === "Policy" ? ("Policy" as const) : ("ClusterPolicy" as const),
    name,
    namespace,
    key,
    uid,
    generation,
    object,
  };
  const decoded = decodePolicyDocument(object, { file: key, document: 0 }, { admission: false });
  const { diagnostics } = decoded;
  const [policy] = decoded.policies;
  const notReady = (reason: NotReadyReason, message: string): CatalogEntry => {
    // Whoever switches admission off means it; every other reason leaves the guard where it was.
    const kept = reason === "AdmissionDisabled" ? NOTHING : inForceOf(previous);
    const keepsOldProgram = kept.program !== undefined;
    return {
      ...identity,
      diagnostics,
      readiness: { ready: false, reason, message, keepsOldProgram },
      ...kept,
    };
  };
  const error = diagnostics.find(({ severity }) => severity === "error");
  if (error !== undefined || policy === undefined) return notReady("Invalid", describe(error));
  if (!policy.admission)
    return notReady("AdmissionDisabled", "spec.admission is false: it is for background scans only");
  const missing = unsupportedIn(policy);
  if (missing !== undefined) return notReady("NotSupportedYet", missing);
  try {
    const { program } = compilePolicy(policy, { exceptions });
    if (program === undefined) return notReady("Invalid", "it could not be compiled");
    return {
      ...identity,
      diagnostics,
      readiness: { ready: true },
      ...describeProgram(policy, program, { generation, exceptions }),
    };
  } catch (fault) {
    // A bug of Postern's own, met by one policy, is that policy's trouble and nobody else's.
    return notReady("Invalid", `internal fault: ${fault instanceof Error ? fault.message : String(fault)}`);
  }
}

function inForceOf(entry: CatalogEntry | undefined): InForce {
  if (entry?.program === undefined || entry.inForce === undefined) return NOTHING;
  const { program, inForce, matchConditions, ownWebhook, needsRoles } = entry;
  return { program, inForce, matchConditions, ownWebhook, needsRoles };
}

function describeProgram(
  policy: Policy,
  program: PolicyProgram,
  {
    generation,
    exceptions,
  }: { readonly generation: number; readonly exceptions: readonly PolicyException[] },
): InForce {
  const matchConditions = matchConditionsIn(policy.raw);
  return {
    program,
    inForce: { policy, rules: program.rules.map(({ rule }) => rule), generation },
    matchConditions,
    ownWebhook: matchConditions.length > 0 || policy.annotations[OPEN_WHEN_DEAD] === "true",
    needsRoles: [policy.raw, ...exceptions.map(({ raw }) => raw)].some(mentionsRoles),
  };
}

/**
 * Whether anything in a document may ask for roles: by `roles` and `clusterRoles` of a filter, or in a query. A word in a
 * message counts as well; knowing the bindings then costs memory and nothing else.
 */
function mentionsRoles(raw: JsonObject): boolean {
  return /\b(?:clusterRoles|roles)\b/.test(JSON.stringify(raw["spec"] ?? null));
}

function unsupportedIn(policy: Policy): string | undefined {
  for (const rule of autogenRules(policy)) {
    const part = unsupportedPart(rule);
    if (part !== undefined) return `rule ${rule.name}: ${part} is not supported yet`;
  }
  return undefined;
}

function describe(error: Diagnostic | undefined): string {
  if (error === undefined) return "it cannot be read";
  return error.pointer === undefined ? error.message : `${error.pointer}: ${error.message}`;
}

function matchConditionsIn(raw: JsonObject): readonly MatchCondition[] {
  const spec = raw["spec"];
  const webhook = isObject(spec) ? spec["webhookConfiguration"] : undefined;
  const conditions = isObject(webhook) ? webhook["matchConditions"] : undefined;
  if (!isArray(conditions)) return [];
  return conditions
    .filter(isObject)
    .flatMap(({ name, expression }) =>
      typeof name === "string" && typeof expression === "string" ? [{ name, expression }] : [],
    );
}
