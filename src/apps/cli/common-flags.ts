/** Flags that every command takes. */
import type { Flag } from "./command.ts";

export const commonFlags: readonly Flag[] = [
  {
    name: "color",
    kind: "text",
    value: "when",
    summary: "color the output",
    choices: ["auto", "always", "never"],
  },
  { name: "remove-color", kind: "switch", summary: "same as --color never", hidden: true },
];
