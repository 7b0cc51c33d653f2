/** All suites, loaded when asked for. One line each. */
import type { Suite } from "../suite.ts";

export const suites: Readonly<Record<string, () => Promise<{ readonly suite: Suite }>>> = {
  autogen: () => import("./autogen.ts"),
  kinds: () => import("./kinds.ts"),
  match: () => import("./match.ts"),
  pattern: () => import("./pattern.ts"),
  scalar: () => import("./scalar.ts"),
  values: () => import("./values.ts"),
};
