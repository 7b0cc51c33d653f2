/** Door of `diag`: how Postern says that something is wrong, and how work is bounded. */
export { Budget, Interruption } from "./budget.ts";
export { catalogue } from "./catalogue.ts";
export { hasErrors } from "./diagnostic.ts";
export { Fault } from "./fault.ts";
export { Bug, invariant, unreachable } from "./invariant.ts";
export { nearestName } from "./suggestion.ts";
export type { DiagnosticCode } from "./catalogue.ts";
export type { Diagnostic, Position, Severity, Span } from "./diagnostic.ts";
