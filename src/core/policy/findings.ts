/**
 * What decoding and checking a document collects. Everything lands here as a value with its place; nobody below throws
 * at what an author wrote.
 */
import type { Diagnostic, DiagnosticCode, Severity } from "#diag";
import type { Origin } from "./policy.ts";

export type Finding = {
  readonly code: DiagnosticCode;
  /** RFC 6901, from the root of the document as it stands in the file. */
  readonly pointer: string;
  readonly message: string;
  readonly help?: string;
};

export class Findings {
  readonly #origin: Origin;
  readonly diagnostics: Diagnostic[] = [];
  #errors = 0;

  constructor(origin: Origin) {
    this.#origin = origin;
  }

  /** Number of errors so far: a caller that saw none more added may trust what was checked in between. */
  get errors(): number {
    return this.#errors;
  }

  /** The policy is not evaluated. */
  error(finding: Finding): void {
    this.#errors++;
    this.#add("error", finding);
  }

  /** The policy is evaluated; its author should know. */
  warn(finding: Finding): void {
    this.#add("warning", finding);
  }

  #add(severity: Severity, finding: Finding): void {
    const { file, document } = this.#origin;
    this.diagnostics.push({ severity, file, document, ...finding });
  }
}
