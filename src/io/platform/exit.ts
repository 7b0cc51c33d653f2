/**
 * How the process ends: with a code, after its outputs have taken everything. Whatever escapes is a fault of Postern and
 * ends with code 3 and one line; the stack is shown where `POSTERN_DEBUG` is set.
 */
import { Fault } from "#diag";
import type { World } from "./world.ts";

/** Runs `main` to its exit code; never rejects. */
export async function runToExit(world: World, main: () => Promise<number>): Promise<void> {
  let code = 3;
  try {
    code = await main();
  } catch (error) {
    world.stderr.write(`${describeFault(error, world.env["POSTERN_DEBUG"] !== undefined)}\n`);
  }
  await world.stdout.flush();
  await world.stderr.flush();
  process.exitCode = code;
}

function describeFault(error: unknown, debug: boolean): string {
  if (error instanceof Fault && !debug) return `postern: ${error.message} (${error.code})`;
  const text =
    error instanceof Error ? (debug ? error.stack : `${error.name}: ${error.message}`) : String(error);
  const help = debug
    ? ""
    : "\n  this is a fault of Postern: please report it; POSTERN_DEBUG=1 shows where it happened";
  return `postern: internal fault: ${text}${help}`;
}
