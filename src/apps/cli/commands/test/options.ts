/** What the user asked `postern test` for, decoded from the words of the command line. */
import { UsageError, type CommandInput } from "../../command.ts";
import { parseTestSelector, type TestSelector } from "./selector.ts";

export type SessionOptions = {
  readonly paths: readonly string[];
  /** Of test files in folders. */
  readonly fileName: string;
  readonly select: TestSelector;
  /** As it was typed; absent where everything is run. */
  readonly selector?: string;
  /** A form for machines; absent where people read. */
  readonly format?: string;
  readonly failOnly: boolean;
  readonly detailed: boolean;
  readonly requireTests: boolean;
  readonly upstreamCounting: boolean;
};

/** @throws UsageError for no paths and for a selector that cannot be read */
export function decodeSessionOptions(input: CommandInput): SessionOptions {
  if (input.operands.length === 0) throw new UsageError("no tests: name folders or test files");
  const selector = input.text("test-case-selector");
  const select = parseTestSelector(selector ?? "policy=*,rule=*,resource=*");
  if (typeof select === "string") throw new UsageError(select);
  const format = input.text("output-format");
  return {
    paths: input.operands,
    fileName: input.text("file-name") ?? "kyverno-test.yaml",
    select,
    ...(selector === undefined ? {} : { selector }),
    ...(format === undefined ? {} : { format }),
    failOnly: input.on("fail-only"),
    detailed: input.on("detailed-results"),
    requireTests: input.on("require-tests"),
    upstreamCounting: input.on("upstream-counting"),
  };
}
