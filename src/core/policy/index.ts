/** Door of `policy`: documents to policies. */
export { autogenRules, computeRules } from "./autogen.ts";
export { decodePolicyDocument, parsePolicies } from "./parse-policies.ts";
export type { ParsedFile } from "./parse-policies.ts";
export type {
  ContextEntry,
  ContextSource,
  FailureAction,
  FailureActionOverride,
  FailurePolicy,
  ForeachSpec,
  LabelSelectorSpec,
  MatchBlock,
  Operation,
  Origin,
  ParsedPolicies,
  Policy,
  PolicyException,
  ResourceDescription,
  ResourceFilter,
  Rule,
  RuleBody,
  Subject,
  UnsupportedPolicy,
  ValidateCheck,
  ValidateSpec,
} from "./policy.ts";
