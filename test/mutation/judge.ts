/**
 * Those who should see a mistake: a conformance suite or a check of our own, run as a process in a workspace. A suite
 * need not be without a miss: what counts is a miss that the unchanged code does not have.
 */
import { execFile } from "node:child_process";

export type Judgement =
  | { readonly kind: "answered"; readonly faults: readonly string[] }
  /** It did not get to an answer: a suite that throws, a check that cannot be loaded. */
  | { readonly kind: "broke"; readonly text: string }
  | { readonly kind: "endless" };

const LONGEST_MS = 60_000;
const CHECK = "check:";

/** @param data the conformance folder */
export async function ask(judge: string, folder: string, data: string): Promise<Judgement> {
  if (judge.startsWith(CHECK)) {
    const run = await runNode(folder, [`build/mutation/checks/${judge.slice(CHECK.length)}.js`]);
    if (run.code === 0) return { kind: "answered", faults: [] };
    const assertion = /^AssertionError.*$/m.exec(run.stderr)?.[0];
    return assertion === undefined ? unanswered(run) : { kind: "answered", faults: [assertion] };
  }
  const run = await runNode(folder, ["build/conformance/main.js", judge, "--all", "--data", data]);
  if (run.code !== 0 && run.code !== 1) return unanswered(run);
  const faults = run.stdout.split("\n").filter((line) => /^(?:miss|stale deviation) /.test(line));
  return { kind: "answered", faults };
}

/** Whether the mistake shows: a fault that the unchanged code has not, or more of them. */
export function hasNews(faults: readonly string[], before: readonly string[]): boolean {
  return faults.length > before.length || faults.some((fault) => !before.includes(fault));
}

type Run = { readonly code: number | undefined; readonly stdout: string; readonly stderr: string };

function unanswered({ code, stdout, stderr }: Run): Judgement {
  return code === undefined ? { kind: "endless" } : { kind: "broke", text: `${stderr}\n${stdout}`.trim() };
}

/** A code of `undefined` means that the process was stopped. */
async function runNode(folder: string, args: readonly string[]): Promise<Run> {
  return new Promise((done) => {
    const options = { cwd: folder, timeout: LONGEST_MS, maxBuffer: 256 * 1024 * 1024 };
    const child = execFile(process.execPath, [...args], options, (_error, stdout, stderr) => {
      done({ code: child.exitCode ?? undefined, stdout, stderr });
    });
  });
}
