/** placeholder */
import type { Findings } from "./findings.ts";
import type { Policy, Rule } from "./policy.ts";
export function checkRule(_rule: Rule, _policy: Policy, _findings: Findings): void {}
