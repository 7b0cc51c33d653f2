#!/usr/bin/env node
/** The executable: the real world, the words of the command line, the way to exit. Nothing else may stand here. */
import { main } from "#cli";
import { createWorld, runToExit } from "#platform";

const world = createWorld();
await runToExit(world, () => main(world, process.argv.slice(2)));
