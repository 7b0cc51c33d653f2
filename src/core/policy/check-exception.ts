/** placeholder */
import type { Findings } from "./findings.ts";
import type { PolicyException } from "./policy.ts";
export function checkException(_exception: PolicyException, _pointer: string, _findings: Findings): void {}
