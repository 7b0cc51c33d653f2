/**
 * Which roles somebody has, for policies that match or ask by role. Upstream goes through all bindings for each
 * request; here they are filed by subject as they change, and a request looks up its user and groups.
 * SPEC: Kyverno 1.19 pkg/userinfo/roleRef.go: a Role is named `namespace:name` by its binding's namespace.
 */
import type { UserInfo } from "#engine";
import type { Json, JsonObject } from "#json";
import { isArray, isObject } from "#json";
import { serviceAccountUserName } from "#k8s";

export type Roles = { readonly roles: readonly string[]; readonly clusterRoles: readonly string[] };

export type RoleIndex = {
  /** Adds or replaces a RoleBinding or ClusterRoleBinding. */
  readonly put: (binding: JsonObject) => void;
  readonly remove: (binding: JsonObject) => void;
  /** In the order in which bindings came; no name twice. */
  readonly rolesOf: (user: UserInfo) => Roles;
};

type Grant = { readonly kind: "role" | "clusterRole"; readonly name: string };

const NOBODY: Roles = { roles: [], clusterRoles: [] };

export function createRoleIndex(): RoleIndex {
  const bySubject = new Map<string, Map<string, Grant>>();
  const subjectsOf = new Map<string, readonly string[]>();

  function remove(binding: JsonObject): void {
    const key = keyOf(binding);
    for (const subject of subjectsOf.get(key) ?? []) {
      const grants = bySubject.get(subject);
      grants?.delete(key);
      if (grants?.size === 0) bySubject.delete(subject);
    }
    subjectsOf.delete(key);
  }

  function put(binding: JsonObject): void {
    remove(binding);
    const grant = grantOf(binding);
    if (grant === undefined) return;
    const key = keyOf(binding);
    const subjects = subjectsIn(binding);
    subjectsOf.set(key, subjects);
    for (const subject of subjects) {
      const grants = bySubject.get(subject) ?? new Map<string, Grant>();
      grants.set(key, grant);
      bySubject.set(subject, grants);
    }
  }

  return {
    put,
    remove,
    rolesOf(user) {
      const roles = new Set<string>();
      const clusterRoles = new Set<string>();
      for (const subject of [`User ${user.username}`, ...user.groups.map((group) => `Group ${group}`)]) {
        for (const grant of bySubject.get(subject)?.values() ?? []) {
          (grant.kind === "role" ? roles : clusterRoles).add(grant.name);
        }
      }
      if (roles.size === 0 && clusterRoles.size === 0) return NOBODY;
      return { roles: [...roles], clusterRoles: [...clusterRoles] };
    },
  };
}

function keyOf(binding: JsonObject): string {
  return `${textAt(binding, "metadata", "namespace")}/${textAt(binding, "metadata", "name")}`;
}

function grantOf(binding: JsonObject): Grant | undefined {
  const name = textAt(binding, "roleRef", "name");
  const kind = textAt(binding, "roleRef", "kind");
  if (kind === "ClusterRole") return { kind: "clusterRole", name };
  const namespace = textAt(binding, "metadata", "namespace");
  return kind === "Role" && namespace !== "" ? { kind: "role", name: `${namespace}:${name}` } : undefined;
}

function subjectsIn(binding: JsonObject): readonly string[] {
  const subjects = binding["subjects"];
  return isArray(subjects) ? subjects.filter(isObject).map(subjectKey) : [];
}

/** A service account is the user that the API server makes of it. */
function subjectKey(subject: JsonObject): string {
  const [kind, name] = [text(subject["kind"]), text(subject["name"])];
  if (kind !== "ServiceAccount") return `${kind} ${name}`;
  return `User ${serviceAccountUserName(text(subject["namespace"]), name)}`;
}

function textAt(object: JsonObject, outer: string, inner: string): string {
  const part = object[outer];
  return isObject(part) ? text(part[inner]) : "";
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
