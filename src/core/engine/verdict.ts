/**
 * What evaluation says. A verdict is about the resource; what is done about it (allow, deny, 5xx) is `decide`'s, which
 * alone joins the two.
 */
import type { FailureAction } from "#policy";
import type { Lookup } from "./request.ts";

export type RuleStatus = "pass" | "fail" | "warn" | "error" | "skip";

export type RuleType = "Validation" | "Mutation" | "Generation" | "ImageVerify";

export type RuleResult = {
  /** Name of the computed rule (`autogen-…` included). */
  readonly rule: string;
  readonly type: RuleType;
  readonly status: RuleStatus;
  readonly message: string;
  /** Where the resource failed, as a JSON pointer into it. */
  readonly path?: string;
  /** What a failure of this rule means for this request's namespace. */
  readonly action: FailureAction;
  readonly emitWarning: boolean;
  readonly properties?: Readonly<Record<string, string>>;
  /** Keys (`namespace/name`) of the exceptions that made this a skip. */
  readonly exceptions?: readonly string[];
};

export type Verdict = {
  readonly kind: "verdict";
  /** `name`, or `namespace/name` for a namespaced policy. */
  readonly policy: string;
  readonly scored: boolean;
  readonly severity?: string | undefined;
  readonly category?: string | undefined;
  /** One for each rule that answered; a rule that does not match has none. */
  readonly rules: readonly RuleResult[];
};

/** The engine stopped for want of these; fetch them, add them to the facts and call again. */
export type Needs = { readonly kind: "needs"; readonly lookups: readonly Lookup[] };
