/** Door of `engine`. */
export { compilePolicy, DEFAULT_BUDGET } from "./compile-policy.ts";
export { decide } from "./decide.ts";
export { evaluate } from "./evaluate.ts";
export { compileKinds } from "./match/kinds.ts";
export { compileMatch } from "./match/match.ts";
export { compileStatement } from "./match/statement.ts";
export { compilePattern } from "./pattern/compile-pattern.ts";
export { matchTyped } from "./pattern/scalar.ts";
export { createProgramIndex } from "./program-index.ts";
export { unsupportedPart } from "./rules/unsupported.ts";
export type { CompileOptions } from "./compile-policy.ts";
export type { PolicyProgram, RuleProgram } from "./program.ts";
export type { ProgramIndex } from "./program-index.ts";
export type { Action, PolicyFault, PolicyOutcome } from "./decide.ts";
export type { EvaluationRequest, Fact, Facts, GivenValues, Lookup, LookupKind, UserInfo } from "./request.ts";
export type { TraceSink, TraceStep } from "./trace.ts";
export type { Needs, RuleResult, RuleStatus, RuleType, Verdict } from "./verdict.ts";
