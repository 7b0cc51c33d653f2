/** placeholder */
import type { Findings } from "./findings.ts";
import type { Policy } from "./policy.ts";
export function checkPolicy(_policy: Policy, _pointer: string, _findings: Findings): void {}
