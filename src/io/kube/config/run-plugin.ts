/**
 * One run of a credential plugin. What it complains about is told in its own words: on the terminal as it comes where
 * somebody sits there (it may show an address to open and a code to type), in the fault otherwise. One that hangs is
 * killed, and is not waited for even where its children live on.
 */
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";

import { Fault } from "#diag";

const TIMEOUT_MS = 60_000;
/** Somebody who looks for a password takes longer than a program. */
const PERSON_TIMEOUT_MS = 300_000;
const MAX_OUTPUT = 4 * 1024 * 1024;

export type PluginProgram = {
  /** As the kubeconfig names it: for messages. */
  readonly command: string;
  readonly path: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What to do where there is no such program; may be empty. */
  readonly installHint: string;
  /** Whether it reads what somebody types. */
  readonly input: boolean;
  /** Whether somebody reads what it complains about. */
  readonly person: boolean;
  /** Milliseconds; for tests. */
  readonly timeoutMs?: number;
};

/**
 * What it printed.
 * @throws Fault `kube/credentials`
 */
export function runPlugin(program: PluginProgram): Promise<string> {
  const timeoutMs = program.timeoutMs ?? (program.person ? PERSON_TIMEOUT_MS : TIMEOUT_MS);
  return new Promise((done, fail) => {
    const child = spawn(program.path, program.args, {
      env: program.env,
      stdio: [program.input ? "inherit" : "ignore", "pipe", program.person ? "inherit" : "pipe"],
    });
    const output = collect(child, "stdout");
    const complaint = collect(child, "stderr");
    const end = (what: string, cause?: unknown): void => {
      clearTimeout(timer);
      fail(new Fault("kube/credentials", `credential plugin \`${program.command}\`: ${what}`, { cause }));
    };
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      child.stdout?.destroy();
      child.stderr?.destroy();
      end(`no answer within ${timeoutMs / 1000} s`);
    }, timeoutMs);
    child.on("error", (error) => end(notStarted(error, program.installHint), error));
    child.on("close", (code, signal) => {
      if (code !== 0) return end(complaint().trim() || `it ended with ${signal ?? `exit code ${code}`}`);
      clearTimeout(timer);
      done(output());
    });
  });
}

/** What comes out of a program, up to a limit that no honest one reaches. */
function collect(child: ChildProcess, name: "stdout" | "stderr"): () => string {
  const chunks: Buffer[] = [];
  let bytes = 0;
  child[name]?.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_OUTPUT) chunks.push(chunk);
    else child.kill("SIGKILL");
  });
  return () => Buffer.concat(chunks).toString("utf8");
}

function notStarted(error: Error, installHint: string): string {
  const code = "code" in error ? error.code : "";
  if (code === "EACCES") return "it may not be run: check that it is executable";
  if (code !== "ENOENT") return error.message;
  const hint = installHint.trim();
  return `there is no such program in PATH${hint === "" ? ": install it" : `\n${hint}`}`;
}
