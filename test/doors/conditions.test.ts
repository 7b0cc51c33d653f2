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
    let evaluated = 0;
    for (const { resources } of doorCases(folder)) {
      for (const resource of resources) {
        for (const userInfo of users) {
          const { request } = reviewOf({ metadata: {}, ...resource }, { userInfo }) as {
            request: JsonObject;
          };
          const isApiServer = userInfo["username"] === "system:apiserver";
          for (const variant of variants(request)) {
            for (const { id, program } of conditions) {
              const result = program({ request: variant } as never);
              if (typeof result !== "boolean")
                throw new Error(`${id}: ${String(result)} for ${JSON.stringify(variant)}`);
              if (!isApiServer && !result) throw new Error(`${id} lets ${String(userInfo["username"])} past`);
              evaluated += 1;
            }
          }
        }
      }
    }
    expect(evaluated).toBeGreaterThan(50_000);
  });
});
