/** The run of `postern serve`: until SIGTERM or SIGINT, then in order to the end. */
import { serve } from "#daemon";
import type { World } from "#platform";
import type { CommandInput } from "../../command.ts";
import { exitCodes } from "../../command.ts";
import { readVersion } from "../version.ts";
import { decodeServeOptions } from "./options.ts";

export async function runServe(world: World, input: CommandInput): Promise<number> {
  const options = decodeServeOptions(world.env, input);
  const stop = new AbortController();
  // A second signal ends the process at once, as people expect of Ctrl-C.
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => stop.abort());
  await serve(world, options, { version: readVersion(), stop: stop.signal });
  return exitCodes.fine;
}
