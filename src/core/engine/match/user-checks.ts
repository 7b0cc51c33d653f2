/**
 * The conditions on who makes a request. Roles are compared literally, subjects with wildcards. Whether they are asked
 * at all when nobody is known (scans, the command line without user information) is decided by `filter.ts`.
 * SPEC: Kyverno 1.19 pkg/engine/utils/match.go, pkg/utils/match CheckSubjects; kyverno-surface.md section 1.2.
 */
import { serviceAccountUserName } from "#k8s";
import type { ResourceFilter, Subject } from "#policy";
import { compileWildcard } from "#text";
import type { EvaluationRequest, Facts, UserInfo } from "../request.ts";
import type { Check } from "./check.ts";

type SubjectTest = (user: UserInfo) => boolean;

const NOBODY: UserInfo = { username: "", groups: [] };

/** The checks of a filter's `roles`, `clusterRoles` and `subjects`; empty lists ask nothing. */
export function compileUserChecks(filter: ResourceFilter): readonly Check[] {
  const checks: Check[] = [];
  const { roles = [], clusterRoles = [], subjects = [] } = filter;
  if (roles.length > 0) {
    checks.push({
      passes: (_resource, _request, facts) => intersects(roles, facts.roles),
      reason: () => "user info does not match roles for the given conditionBlock",
    });
  }
  if (clusterRoles.length > 0) {
    checks.push({
      passes: (_resource, _request, facts) => intersects(clusterRoles, facts.clusterRoles),
      reason: () => "user info does not match clustersRoles for the given conditionBlock",
    });
  }
  if (subjects.length > 0) {
    const tests = subjects.map(compileSubject);
    checks.push({
      passes: (_resource, request) => someSubject(tests, request.userInfo ?? NOBODY),
      reason: () => "user info does not match subject for the given conditionBlock",
    });
  }
  return checks;
}

/** Whether a filter names users at all. `subjects: []` does, and then matches everybody. */
export function hasUserPart(filter: ResourceFilter): boolean {
  return filter.roles !== undefined || filter.clusterRoles !== undefined || filter.subjects !== undefined;
}

/** No user, no roles: a scan, or the command line without user information. */
export function isAnonymous(request: EvaluationRequest, facts: Facts): boolean {
  if (facts.roles.length > 0 || facts.clusterRoles.length > 0) return false;
  const user = request.userInfo;
  if (user === undefined) return true;
  return (
    user.username === "" && user.groups.length === 0 && user.uid === undefined && user.extra === undefined
  );
}

function compileSubject(subject: Subject): SubjectTest {
  switch (subject.kind) {
    case "User": {
      const test = compileWildcard(subject.name);
      return (user) => test(user.username);
    }
    case "ServiceAccount": {
      const test = compileWildcard(serviceAccountUserName(subject.namespace ?? "", subject.name));
      return (user) => test(user.username);
    }
    case "Group": {
      const test = compileWildcard(subject.name);
      return (user) => user.groups.some(test);
    }
    default:
      return () => false;
  }
}

function someSubject(tests: readonly SubjectTest[], user: UserInfo): boolean {
  for (const test of tests) if (test(user)) return true;
  return false;
}

function intersects(wanted: readonly string[], actual: readonly string[]): boolean {
  for (const text of actual) if (wanted.includes(text)) return true;
  return false;
}
