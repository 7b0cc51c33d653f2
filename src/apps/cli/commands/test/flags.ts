/** The flags of `postern test`: upstream's, and what strictness adds. */
import type { Flag } from "../../command.ts";

const NO_REGISTRY = "no registry is reached yet: give image data in the test's context file";

export const testFlags: readonly Flag[] = [
  {
    name: "file-name",
    short: "f",
    kind: "text",
    value: "name",
    summary: "name of the test files in folders (kyverno-test.yaml)",
  },
  {
    name: "test-case-selector",
    short: "t",
    kind: "text",
    value: "selector",
    summary: "run some: policy=NAME,rule=NAME,resource=NAME, wildcards allowed",
  },
  {
    name: "output-format",
    short: "o",
    kind: "text",
    value: "format",
    summary: "print rows for machines",
    choices: ["json", "yaml", "markdown", "junit"],
  },
  { name: "fail-only", kind: "switch", summary: "show only what is not met" },
  { name: "detailed-results", kind: "switch", summary: "show every row" },
  { name: "require-tests", kind: "switch", summary: "fail when no test is found" },
  {
    name: "upstream-counting",
    kind: "switch",
    summary: "let rows pass that no rule answered, as upstream does, and say how many",
  },
  { name: "registry", kind: "switch", summary: "look images up in their registry", unavailable: NO_REGISTRY },
  {
    name: "git-branch",
    short: "b",
    kind: "text",
    value: "branch",
    summary: "branch of a repository",
    unavailable: "repositories are not fetched: clone it first and name the folder",
  },
];
