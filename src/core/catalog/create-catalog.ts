/**
 * Keeps the documents of a cluster's policies and makes snapshots of them. Only what changed since the last snapshot is
 * compiled: a policy whose document changed, and those that a changed exception names.
 */
import type { PolicyProgram, ProgramIndex } from "#engine";
import { createProgramIndex } from "#engine";
import type { JsonObject } from "#json";
import type { FailurePolicy, PolicyException } from "#policy";
import { decodePolicyDocument } from "#policy";
import { isAuditOnly } from "./audit-only.ts";
import type { Catalog, CatalogEntry, CatalogSnapshot } from "./catalog.ts";
import { makeEntry } from "./catalog-entry.ts";
import { identityOf } from "./identity.ts";

export function createCatalog(): Catalog {
  return new DocumentCatalog();
}

class DocumentCatalog implements Catalog {
  /** By key; a ClusterPolicy's has no slash, so the two kinds never meet. */
  readonly #documents = new Map<string, JsonObject>();
  readonly #exceptions = new Map<string, PolicyException>();
  readonly #entries = new Map<string, CatalogEntry>();
  readonly #changed = new Set<string>();
  #snapshot: CatalogSnapshot = snapshotOf(0, []);

  put(object: JsonObject): void {
    const { kind, group, key } = identityOf(object);
    if (group !== "kyverno.io") return;
    if (kind === "PolicyException") this.#putException(key, decodeException(object));
    else if (kind === "ClusterPolicy" || kind === "Policy") {
      this.#documents.set(key, object);
      this.#changed.add(key);
    }
  }

  remove(object: JsonObject): void {
    const { kind, group, key } = identityOf(object);
    if (group !== "kyverno.io") return;
    if (kind === "PolicyException") this.#putException(key, undefined);
    else if (this.#documents.delete(key)) this.#changed.add(key);
  }

  snapshot(): CatalogSnapshot {
    if (this.#changed.size === 0) return this.#snapshot;
    for (const key of this.#changed) this.#renew(key);
    this.#changed.clear();
    const entries = [...this.#entries.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
    this.#snapshot = snapshotOf(this.#snapshot.revision + 1, entries);
    return this.#snapshot;
  }

  #renew(key: string): void {
    const object = this.#documents.get(key);
    if (object === undefined) {
      this.#entries.delete(key);
      return;
    }
    const exceptions = [...this.#exceptions]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, exception]) => exception)
      .filter((exception) => names(exception).has(key));
    this.#entries.set(key, makeEntry(object, exceptions, this.#entries.get(key)));
  }

  #putException(key: string, exception: PolicyException | undefined): void {
    const previous = this.#exceptions.get(key);
    if (exception === undefined) this.#exceptions.delete(key);
    else this.#exceptions.set(key, exception);
    for (const named of [...names(previous), ...names(exception)]) {
      if (this.#documents.has(named)) this.#changed.add(named);
    }
  }
}

/** An exception that cannot be read excepts nothing. */
function decodeException(object: JsonObject): PolicyException | undefined {
  const { exceptions } = decodePolicyDocument(object, { file: "", document: 0 }, { admission: false });
  return exceptions[0];
}

function names(exception: PolicyException | undefined): ReadonlySet<string> {
  return new Set(exception?.exceptions.map(({ policyName }) => policyName));
}

function snapshotOf(revision: number, entries: readonly CatalogEntry[]): CatalogSnapshot {
  const inForce = entries.flatMap(({ program, ownWebhook }) =>
    program === undefined ? [] : [{ program, ownWebhook }],
  );
  const byKey = new Map<string, PolicyProgram>(inForce.map(({ program }) => [program.key, program]));
  const general = inForce.filter(({ ownWebhook }) => !ownWebhook).map(({ program }) => program);
  const auditOnly = new Set(
    inForce.filter(({ program }) => isAuditOnly(program.policy)).map(({ program }) => program.key),
  );
  const answering = general.filter(({ key }) => !auditOnly.has(key));
  const withPolicy = (wanted: FailurePolicy): ProgramIndex<PolicyProgram> =>
    createProgramIndex(answering.filter(({ policy }) => policy.failurePolicy === wanted));
  return {
    revision,
    entries,
    fail: withPolicy("Fail"),
    ignore: withPolicy("Ignore"),
    audited: createProgramIndex(general.filter(({ key }) => auditOnly.has(key))),
    isAuditOnly: (key) => auditOnly.has(key),
    programOf: (key) => byKey.get(key),
  };
}
