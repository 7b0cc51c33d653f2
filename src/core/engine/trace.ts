/**
 * `explain` is the same evaluation with a sink. A traced program is compiled apart, so that the fast one pays nothing.
 */
import type { Json } from "#json";

export type TraceStep = {
  readonly rule: string;
  readonly step:
    | "match"
    | "exclude"
    | "exception"
    | "precondition"
    | "context"
    | "query"
    | "pattern"
    | "deny"
    | "element";
  readonly outcome: string;
  readonly detail?: Json;
};

export type TraceSink = { readonly emit: (step: TraceStep) => void };
