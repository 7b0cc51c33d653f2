/** All suites, loaded when asked for. One line each. */
import type { Suite } from "../suite.ts";

export const suites: Readonly<Record<string, () => Promise<{ readonly suite: Suite }>>> = {
  autogen: () => import("./autogen.ts"),
  jmespath: () => import("./jmespath.ts"),
  "jmespath-functions": () => import("./jmespath-functions.ts"),
  "jmespath-language": () => import("./jmespath-language.ts"),
  kinds: () => import("./kinds.ts"),
  match: () => import("./match.ts"),
  pattern: () => import("./pattern.ts"),
  scalar: () => import("./scalar.ts"),
  values: () => import("./values.ts"),
  conditions: () => import("./conditions.ts"),
  context: () => import("./context.ts"),
  substitution: () => import("./substitution.ts"),
  rules: () => import("./rules.ts"),
  "kyverno-test-core": () => import("./kyverno-test-core.ts"),
  "oracle-core": () => import("./oracle-core.ts"),
  "oracle-core-messages": () => import("./oracle-core-messages.ts"),
};
