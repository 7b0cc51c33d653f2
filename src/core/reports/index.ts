/** Door of `reports`: results of evaluation as report objects. */
export { mergedReports, resourceReport } from "./report.ts";
export { reportResults } from "./result.ts";
export { summarize } from "./summary.ts";
export type { PolicyReport } from "./report.ts";
export type { Evaluated, ObjectReference, ReportOptions, ReportResult } from "./result.ts";
export type { ReportSummary } from "./summary.ts";
