/**
 * CPU and memory of whole processes: a child prints its own account when it ends, start-up and collection included.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type ChildFigure = {
  /** Milliseconds of CPU, user and system. */
  readonly cpuMs: number;
  /** Peak resident memory in MiB. */
  readonly peakMib: number;
  readonly status: number;
  readonly stdout: string;
};

const account = `
import { writeFileSync } from "node:fs";
process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(process.env.POSTERN_BENCH_FILE, JSON.stringify([(userCPUTime + systemCPUTime) / 1000, maxRSS / 1024]));
});
`;

/** @param args what stands behind `node` */
export function runChild(args: readonly string[]): ChildFigure {
  const folder = mkdtempSync(join(tmpdir(), "postern-bench-"));
  try {
    const preload = join(folder, "account.mjs");
    const file = join(folder, "account.json");
    writeFileSync(preload, account);
    const child = spawnSync(process.execPath, ["--import", preload, ...args], {
      encoding: "utf8",
      maxBuffer: 256 * 1024 * 1024,
      env: { ...process.env, POSTERN_BENCH_FILE: file, NO_COLOR: "1" },
    });
    const [cpuMs = Number.NaN, peakMib = Number.NaN] = JSON.parse(readFileSync(file, "utf8")) as number[];
    return { cpuMs, peakMib, status: child.status ?? -1, stdout: child.stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
