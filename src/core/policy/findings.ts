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

  /** Whether more would be left out: then there is no need to look for names that were meant. */
  get isFull(): boolean {
    return this.diagnostics.length >= MAX_FINDINGS;
  }

  #add(severity: Severity, finding: Finding): void {
    const { file, document } = this.#origin;
    if (this.isFull) {
      if (this.diagnostics.length === MAX_FINDINGS) this.diagnostics.push({ ...more, file, document });
      return;
    }
    this.diagnostics.push({ severity, file, document, ...finding });
  }
}

/** Of one document; nobody reads more, and a hostile one could have millions. */
const MAX_FINDINGS = 100;

const more: Diagnostic = {
  code: "policy/more-findings",
  severity: "warning",
  message: `only the first ${MAX_FINDINGS} findings of this document are listed`,
  help: "fix these first",
};
