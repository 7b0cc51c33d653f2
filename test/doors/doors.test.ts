/**
 * The same policies and the same resources at two doors: sent as reviews to the gate over HTTPS, and given to
 * `postern apply` as files. They must say the same, to the letter: what is refused, by which rules, and why.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";

import { main } from "#cli";
import { printYaml, type JsonObject } from "#json";
import { gvkOf, isNamespaced } from "#k8s";
import type { Output } from "#platform";
import { reviewOf, startGate, type GateAnswer, type TestGate } from "../support/gate.ts";
import { conformanceFolder } from "../conformance/run.ts";
import { doorCases, doorReason, type DoorCase } from "./cases.ts";

/** Messages by rule, by policy. */
type Said = Readonly<Record<string, Readonly<Record<string, string>>>>;

const folder = conformanceFolder();
const present = existsSync(join(folder, "kyverno-test"));
const cases = doorCases(folder);

describe.skipIf(!present)(present ? "doors" : `doors (skipped: no data at ${folder})`, () => {
  let gate: TestGate;
  let files = "";

  beforeAll(async () => {
    gate = await startGate([], { options: { maxQueued: 10_000 } });
    files = mkdtempSync(join(tmpdir(), "postern-doors-"));
  });
  afterAll(async () => {
    await gate.stop();
    rmSync(files, { recursive: true, force: true });
  });

  test("say the same of every resource of the core", { timeout: 300_000 }, async () => {
    const tally = { compared: 0, refused: 0, failed: 0 };
    const left = new Map<string, number>();
    for (const given of cases) {
      const policies = given.policies.filter((policy) => {
        const reason = doorReason(policy);
        if (reason !== undefined) left.set(reason, (left.get(reason) ?? 0) + 1);
        return reason === undefined;
      });
      if (policies.length === 0 || given.resources.length === 0) continue;
      await compare({ ...given, policies }, tally);
    }
    process.stderr.write(
      `doors: ${JSON.stringify(tally)}, policies left out: ${JSON.stringify(Object.fromEntries(left))}\n`,
    );
    expect(tally.compared).toBeGreaterThan(500);
    expect(tally.refused).toBeGreaterThan(200);
  });

  async function compare(
    given: DoorCase,
    tally: { compared: number; refused: number; failed: number },
  ): Promise<void> {
    gate.usePolicies(given.policies.map((policy) => printYaml(policy)));
    for (const [index, resource] of given.resources.entries()) {
      const cli = await applyOne(given.policies, resource);
      const answers = [
        await gate.post("/validate/fail", reviewOf(stored(resource))),
        await gate.post("/validate/ignore", reviewOf(stored(resource))),
      ];
      const at = `${given.name} resource ${index}`;
      expect(refusals(answers), at).toEqual(cli.fail);
      if (Object.keys(cli.fail).length === 0 && Object.keys(cli.error).length > 0) {
        expect(
          answers.some(({ status, response }) => status === 500 || response?.["warnings"] !== undefined),
          at,
        ).toBe(true);
        tally.failed += 1;
      }
      tally.compared += 1;
      if (Object.keys(cli.fail).length > 0) tally.refused += 1;
    }
  }

  /** What `postern apply` says of one resource: rules that fail, with those that end in an error beside them. */
  async function applyOne(
    policies: readonly JsonObject[],
    resource: JsonObject,
  ): Promise<{ readonly fail: Said; readonly error: Said }> {
    const [policyFile, resourceFile] = [join(files, "policies.yaml"), join(files, "resource.yaml")];
    writeFileSync(policyFile, policies.map((policy) => printYaml(policy)).join("---\n"));
    writeFileSync(resourceFile, printYaml(resource));
    let text = "";
    let complaints = "";
    const world = {
      stdout: output((piece) => (text += piece)),
      stderr: output((piece) => (complaints += piece)),
      env: { NO_COLOR: "1" },
      nowMs: () => 0,
      seed: () => 1,
      stdinIsTty: () => true,
    };
    const code = await main(world, [
      "apply",
      policyFile,
      "-r",
      resourceFile,
      "-p",
      "--output-format",
      "json",
    ]);
    if (code > 1) throw new Error(`postern apply: ${complaints}`);
    // Where no rule answered there is no report.
    const report = JSON.parse(text || "{}") as { results?: readonly ReportResult[] };
    const { results = [] } = report;
    const error = collect(results.filter(({ result }) => result === "error"));
    const violated = results.filter(
      ({ result, scored }) => result === "fail" || (result === "warn" && !scored),
    );
    if (violated.length === 0) return { fail: {}, error };
    return { fail: collect(results.filter(({ result }) => result !== "pass" && result !== "skip")), error };
  }
});

/** As an API server has it: in the namespace that it was created in. */
function stored(resource: JsonObject): JsonObject {
  const metadata = (resource["metadata"] ?? {}) as JsonObject;
  const kind = gvkOf(String(resource["apiVersion"]), String(resource["kind"]));
  if (metadata["namespace"] !== undefined || !isNamespaced(kind)) return resource;
  return { ...resource, metadata: { ...metadata, namespace: "default" } };
}

type ReportResult = {
  readonly policy: string;
  readonly rule: string;
  readonly result: string;
  readonly message?: string;
  readonly scored?: boolean;
};

function collect(results: readonly ReportResult[]): Said {
  const said: Record<string, Record<string, string>> = {};
  for (const { policy, rule, message } of results) {
    const name = policy.slice(policy.indexOf("/") + 1);
    said[name] = { ...said[name], [rule]: message ?? "" };
  }
  return said;
}

/** The refusals of both webhooks together, read out of the text that people see. */
function refusals(answers: readonly GateAnswer[]): Said {
  const said: Record<string, Record<string, string>> = {};
  for (const { response } of answers) {
    if (response?.["allowed"] !== false) continue;
    const { message } = response["status"] as { message: string };
    const listed = message.split("due to the following policies \n\n")[1] ?? "";
    Object.assign(said, parse(listed, { version: "1.1" }) as Record<string, Record<string, string>>);
  }
  return said;
}

function output(write: (text: string) => void): Output {
  return { isTty: false, columns: 80, write, flush: async () => undefined, closed: () => false };
}
