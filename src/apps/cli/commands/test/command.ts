/** `postern test`: do policies answer as their authors expect? The engine is loaded when it runs, not for `--help`. */
import type { Command } from "../../command.ts";
import { testFlags } from "./flags.ts";

export const testCommand: Command = {
  name: "test",
  summary: "Run the tests of policies: every kyverno-test.yaml below the given folders.",
  operands: "<paths...>",
  flags: testFlags,
  examples: [
    { command: "postern test .", says: "every test below this folder" },
    { command: "postern test policies/ --fail-only", says: "only what is not met" },
    { command: "postern test . -t policy=require-*,rule=*,resource=*", says: "some of them" },
    { command: "postern test . -o junit > report.xml", says: "for a CI system" },
    {
      command: "postern test . --upstream-counting",
      says: "rows that no rule answered pass, and are counted",
    },
  ],
  run: async (world, input) => (await import("./session.ts")).runTests(world, input),
};
