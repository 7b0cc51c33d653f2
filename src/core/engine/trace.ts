/**
 * `explain` is the same evaluation with a sink that hears each step. A program that traces is compiled apart
 * (`CompileOptions.traced`), so that the fast one pays nothing.
 */

/** `match` is heard for rules that do not match; the others in the order in which a rule goes through them. */
export type TraceStep = {
  /** Name of the computed rule. */
  readonly rule: string;
  readonly step: "match" | "precondition" | "exception" | "check";
  /** Why it ended here (`status: message`, or why it does not match), or that it went on. */
  readonly outcome: string;
};

export type TraceSink = { readonly emit: (step: TraceStep) => void };
