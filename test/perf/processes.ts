/**
 * The command line as whole processes: `apply` over many pods (the slope), `test` over the conformance directories (B4),
 * and start-up, each beside `node -e 0` in the same run.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { printYaml, type JsonObject } from "#json";

import { runChild, type ChildFigure } from "./child.ts";
import { median } from "./measure.ts";
import { podSecurityFiles, requestOf, reviewText } from "./pod-security.ts";

const BIN = "dist/apps/bin.js";
const ROUNDS = 5;

/** Every command in turn, in every round. */
function rounds(
  commands: Readonly<Record<string, readonly string[]>>,
): ReadonlyMap<string, readonly ChildFigure[]> {
  const figures = new Map<string, ChildFigure[]>(Object.keys(commands).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, args] of Object.entries(commands)) figures.get(name)?.push(runChild(args));
  }
  return figures;
}

function cpuOf(figures: readonly ChildFigure[] | undefined): number {
  return median((figures ?? []).map((figure) => figure.cpuMs));
}

function spreadOf(figures: readonly ChildFigure[] | undefined): string {
  const sorted = (figures ?? []).map((figure) => figure.cpuMs).toSorted((a, b) => a - b);
  return `${sorted[0]?.toFixed(0)} to ${sorted.at(-1)?.toFixed(0)}`;
}

export function applySlope(): string {
  const folder = mkdtempSync(join(tmpdir(), "postern-pods-"));
  try {
    const commands: Record<string, readonly string[]> = {};
    for (const count of [500, 2000]) {
      const file = join(folder, `pods-${count}.yaml`);
      writeFileSync(file, Array.from({ length: count }, (_, index) => podYaml(index)).join("---\n"));
      commands[count] = [BIN, "apply", ...podSecurityFiles(), "-r", file];
    }
    const figures = rounds(commands);
    const slope = (cpuOf(figures.get("2000")) - cpuOf(figures.get("500"))) / 1500;
    const memory = (count: string): string =>
      `${median((figures.get(count) ?? []).map((figure) => figure.peakMib)).toFixed(0)} MiB at ${count}`;
    return [
      `apply: ${podSecurityFiles().length} files of policies on 500 and 2,000 pods of ${podYaml(0).length} bytes`,
      `  500: ${cpuOf(figures.get("500")).toFixed(0)} ms (${spreadOf(figures.get("500"))}); 2,000: ${cpuOf(figures.get("2000")).toFixed(0)} ms (${spreadOf(figures.get("2000"))})`,
      `  slope ${slope.toFixed(3)} ms of CPU a pod (goal: <= 0.4); memory ${memory("500")}, ${memory("2000")}`,
    ].join("\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A compliant pod of about 1.3 KB, as people write them. */
function podYaml(index: number): string {
  const pod = structuredClone(requestOf(reviewText).object) as unknown as {
    metadata: JsonObject;
    spec: { containers: Record<string, unknown>[] } & Record<string, unknown>;
  };
  const container = pod.spec.containers[0] ?? {};
  delete container["env"];
  delete container["livenessProbe"];
  return printYaml({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: `pod-${index}`, namespace: "shop", labels: pod.metadata["labels"] ?? {} },
    spec: { containers: [container], securityContext: pod.spec["securityContext"] },
  } as unknown as JsonObject);
}

export function testRows(): string {
  const data = process.env["POSTERN_CONFORMANCE_DIR"] ?? "../shared/conformance";
  const list = join(data, "kyverno-test/CORE.txt");
  if (!existsSync(list)) return "B4: no conformance data here";
  const folders = readFileSync(list, "utf8").split("\n").filter(Boolean);
  const paths = folders.map((folder) => join(data, "kyverno-test", folder, "kyverno-test.yaml"));
  const figures = rounds({ test: [BIN, "test", ...paths], json: [BIN, "test", "-o", "json", ...paths] });
  const rows = (JSON.parse(figures.get("json")?.[0]?.stdout ?? "[]") as unknown[]).length;
  const cpu = cpuOf(figures.get("test"));
  return [
    `B4: test over ${folders.length} directories, ${rows} rows`,
    `  ${cpu.toFixed(0)} ms of CPU (${spreadOf(figures.get("test"))}), start included: ${(cpu / rows).toFixed(3)} ms a row (goal: <= 1)`,
  ].join("\n");
}

export function startUp(): string {
  const figures = rounds({
    node: ["-e", "0"],
    version: [BIN, "version"],
    apply: [BIN, "apply", "examples/policies/require-labels.yaml", "-r", "examples/resources"],
  });
  const node = cpuOf(figures.get("node"));
  const line = (name: string): string =>
    `  ${name.padEnd(8)} ${cpuOf(figures.get(name)).toFixed(0)} ms (${spreadOf(figures.get(name))}), ${(cpuOf(figures.get(name)) / node).toFixed(2)} of node -e 0`;
  return ["start-up, CPU of the whole process", ...["node", "version", "apply"].map(line)].join("\n");
}
