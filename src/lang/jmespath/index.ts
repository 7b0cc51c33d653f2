/** Door of `jmespath`: expressions of Kyverno's dialect, compiled once and evaluated under a budget. */
export { compileQuery, isSyntaxError } from "./compile-query.ts";
export { functionTable } from "./functions/table.ts";
export { QueryError, QuerySyntaxError } from "./query-error.ts";
export { describeQuery } from "./syntax/describe.ts";
export type { CompiledQuery } from "./compile-query.ts";
export type { DescribedFunction } from "./functions/table.ts";
export type { QueryRun } from "./query-run.ts";
