/** Mistakes in what becomes of verdicts: allowed, refused, failed, reported. */
import { mutantsIn, type Mutant } from "../mutant.ts";

export const decideMutants: readonly Mutant[] = mutantsIn("core/engine", ["check:decide"], {
  decide: [
    [
      "a fault is a refusal",
      'return { kind: "fault", message: failing',
      'return { kind: "deny", message: failing',
    ],
    [
      "a fault of an Ignore policy fails the call",
      'faults.filter((fault) => fault.failurePolicy === "Fail")',
      "faults",
    ],
    ["Audit refuses", 'rule.status === "fail" && rule.action === "Enforce"', 'rule.status === "fail"'],
    [
      "an error refuses",
      'result.rules.some((rule) => rule.status === "fail" &&',
      'result.rules.some((rule) => rule.status !== "pass" &&',
    ],
    [
      "an error in Audit is a fault",
      'rule.status === "error" && rule.action === "Enforce"',
      'rule.status === "error"',
    ],
    ["of two policies with one name one is lost", "return taken.has(name) ? policy : name;", "return name;"],
    ["emitWarning ignored", "(rule.emitWarning || rule.action", "(rule.action"],
    [
      "a policy's fault is quiet",
      'if (outcome.result.kind === "fault")\n        return false;',
      'if (outcome.result.kind === "fault")\n        return true;',
    ],
    [
      "an error is quiet",
      'if (rule.status !== "pass" && rule.status !== "skip")\n            return false;',
      'if (rule.status === "fail")\n            return false;',
    ],
    [
      "faults of a refusal are lost",
      "collectDenials(outcomes)), faults };",
      "collectDenials(outcomes)), faults: NO_FAULTS };",
    ],
    [
      "faults of an Ignore policy are not counted",
      "outcomes.flatMap(warningsOf), faults }",
      "outcomes.flatMap(warningsOf), faults: NO_FAULTS }",
    ],
    [
      "a refusal names what is in Audit",
      'return rule.action === "Enforce" && rule.status !== "pass"',
      'return rule.status !== "pass"',
    ],
    [
      "a refusal does not name errors",
      'rule.action === "Enforce" && rule.status !== "pass" && rule.status !== "skip"',
      'rule.action === "Enforce" && rule.status === "fail"',
    ],
  ],
  "denial-text": [
    ["names are sorted by bytes", "Number(lead + left) - Number(lead + right) ||", ""],
    ["long lines break one character later", "if (width > BEST_WIDTH &&", "if (width > BEST_WIDTH + 1 &&"],
    [
      "texts that look like numbers are not quoted",
      "if (!isPrintable(text) || looksLikeAnotherType(text))",
      "if (!isPrintable(text))",
    ],
  ],
});

export const reportMutants: readonly Mutant[] = mutantsIn("core/reports", ["check:reports"], {
  result: [
    [
      "a policy that is not scored fails",
      '!scored || (auditWarn && rule.action === "Audit") ?',
      'auditWarn && rule.action === "Audit" ?',
    ],
    [
      "Audit warns without being asked",
      '(auditWarn && rule.action === "Audit")',
      '(rule.action === "Audit")',
    ],
    ["any word is a severity", "(severities.has(severity) ?", '(severity !== "" ?'],
  ],
  report: [
    [
      "an object of a namespace has a report of the cluster",
      'namespace === undefined ? "ClusterPolicyReport" : "PolicyReport"',
      '"ClusterPolicyReport"',
    ],
    ["Policies among ClusterPolicies", '.filter(([policy]) => !policy.includes("/")).flatMap', ".flatMap"],
  ],
  summary: [["each result counts once for all", "counts[result] += 1;", "counts[result] = 1;"]],
});
