import { test } from "vitest";
import { suite } from "../../../test/conformance/suites/autogen.ts";
test("x", async () => {
  let n = 0,
    ok = 0;
  for await (const row of suite.run("../shared/conformance/vectors/engine/autogen.jsonl")) {
    if (!("passed" in row)) continue;
    n++;
    if (row.passed) ok++;
    else
      console.log(
        row.id,
        JSON.stringify(row.want),
        "\n",
        JSON.stringify(row.got),
        JSON.stringify(row.input).slice(0, 800),
      );
  }
  console.log(ok, n);
});
