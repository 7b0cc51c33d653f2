/** Which texts name an entry. */
import { expect, test } from "vitest";

import { compileMention } from "./mention.ts";

test.each<[name: string, text: string, named: boolean]>([
  ["v", "v", true],
  ["v", "a || v", true],
  ["v", "to_string(v)", true],
  ["v", "'v'", true],
  ["v", "v.x", true],
  ["v", "x.v", false],
  ["v", "x.v || v", true],
  ["v", "v1", false],
  ["v", "v_1", false],
  ["v", "a_v", true],
  ["v", "av", false],
  ["v", "1v", false],
  ["v", "V", false],
  ["v", "é.v", false],
  ["my-var", '"my-var"', true],
  ["my.var", '"my.var"', true],
  ["my.var", '"my-var"', true],
  ["v*", '"v*"', true],
  ["v+", "w", false],
  ["v(", "v(", false],
  ["é", '"é"', false],
  ["", ".", false],
])("%s in %s: %s", (name, text, named) => {
  expect(compileMention(name)(text)).toBe(named);
});
