/** Door of `engine`. */
export { decide } from "./decide.ts";
export { compileKinds } from "./match/kinds.ts";
export { compileMatch } from "./match/match.ts";
export { compileStatement } from "./match/statement.ts";
export { compilePattern } from "./pattern/compile-pattern.ts";
export { matchTyped } from "./pattern/scalar.ts";
export { createProgramIndex } from "./program-index.ts";
export type { Action, PolicyFault, PolicyOutcome } from "./decide.ts";
export type { EvaluationRequest, Fact, Facts, GivenValues, Lookup, LookupKind, UserInfo } from "./request.ts";
export type { TraceSink, TraceStep } from "./trace.ts";
export type { Needs, RuleResult, RuleStatus, RuleType, Verdict } from "./verdict.ts";
