/**
 * Every match condition that Postern registers, on a review of every resource of the core's data, by several users, whole
 * and with each optional field left out: it is always true or false, and for people always true.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { celEnv, parse, plan } from "@bufbuild/cel";
import { describe, expect, test } from "vitest";

import { conditionOf, exclusions, type IdentityExclusion } from "#controllers";
import type { JsonObject } from "#json";
import { conformanceFolder } from "../conformance/run.ts";
import { reviewOf } from "../support/gate.ts";
import { doorCases } from "./cases.ts";

const folder = conformanceFolder();
const present = existsSync(join(folder, "kyverno-test"));

const conditions = exclusions
  .filter((row): row is IdentityExclusion => row.by === "identity")
  .map((row) => ({ id: row.id, program: plan(celEnv(), parse(conditionOf(row).expression)) }));

const users: readonly JsonObject[] = [
  { username: "ann", groups: ["system:authenticated"] },
  {
    username: "system:serviceaccount:shop:app",
    uid: "u",
    groups: ["system:serviceaccounts"],
    extra: { a: ["b"] },
  },
  { username: "system:apiserver", groups: ["system:masters"] },
];

/** The request as it is, and without each of what may be missing. */
function* variants(request: JsonObject): Generator<JsonObject> {
  yield request;
  for (const name of ["namespace", "object", "oldObject", "options", "dryRun", "name", "subResource"]) {
    const { [name]: _, ...rest } = request;
    yield rest;
  }
  const userInfo = request["userInfo"] as JsonObject;
  for (const name of Object.keys(userInfo)) {
    const { [name]: _, ...rest } = userInfo;
    yield { ...request, userInfo: rest };
  }
}

describe.skipIf(!present)(present ? "conditions" : `conditions (skipped: no data at ${folder})`, () => {
  test("are total on every review of the data", { timeout: 300_000 }, () => {
    const resources = doorCases(folder).flatMap((given) => given.resources);
    const reviews = resources.flatMap((resource) =>
      users.map((userInfo) => reviewOf({ metadata: {}, ...resource }, { userInfo })["request"] as JsonObject),
    );
    let evaluated = 0;
    for (const review of reviews)
      for (const request of variants(review)) evaluated += expectTotal(request, review);
    expect(evaluated).toBeGreaterThan(50_000);
  });
});

/** How many conditions were evaluated. @throws for an error, and for a person who is let past */
function expectTotal(request: JsonObject, whole: JsonObject): number {
  const isApiServer = JSON.stringify(whole["userInfo"]).includes("system:apiserver");
  for (const { id, program } of conditions) {
    const result = program({ request });
    if (typeof result !== "boolean")
      throw new Error(`${id}: ${String(result)} for ${JSON.stringify(request)}`);
    if (!isApiServer && !result) throw new Error(`${id} lets somebody past: ${JSON.stringify(request)}`);
  }
  return conditions.length;
}
