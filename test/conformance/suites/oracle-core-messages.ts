/** The messages of the original, beside `oracle-core`'s statuses. */
import type { Suite } from "../suite.ts";
import { oracleSuite } from "./oracle-core.ts";

export const suite: Suite = oracleSuite(
  "oracle-core-messages",
  95,
  (given) => `${given.status}: ${given.message}`,
);
