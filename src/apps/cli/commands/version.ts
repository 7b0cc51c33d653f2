/** `postern version`: three lines for people, or the same as JSON or YAML. */
import { readFileSync } from "node:fs";
import type { Command } from "../command.ts";
import { UsageError, exitCodes } from "../command.ts";

export const versionCommand: Command = {
  name: "version",
  summary: "Print the version.",
  operands: "",
  flags: [{ name: "output", short: "o", kind: "text", value: "format", summary: "json or yaml" }],
  examples: [
    { command: "postern version", says: "for people" },
    { command: "postern version -o json", says: "for scripts" },
  ],
  run: async (world, input) => {
    const format = input.text("output");
    if (format !== undefined && format !== "json" && format !== "yaml") {
      throw new UsageError(`\`--output ${format}\`: it must be one of json, yaml`);
    }
    world.stdout.write(render(readVersion(), format));
    return exitCodes.fine;
  },
};

function render(version: string, format: "json" | "yaml" | undefined): string {
  if (format === "json") return `${JSON.stringify({ version, time: "---", gitCommitId: "---" }, null, 2)}\n`;
  if (format === "yaml") return `version: ${version}\ntime: "---"\ngitCommitId: "---"\n`;
  return `Version: ${version}\nTime: ---\nGit commit ID: ---\n`;
}

/** The package's own version; the sources and `dist` are at the same depth below it. */
export function readVersion(): string {
  const text = readFileSync(new URL("../../../../package.json", import.meta.url), "utf8");
  const parsed: unknown = JSON.parse(text);
  if (typeof parsed !== "object" || parsed === null || !("version" in parsed)) return "unknown";
  return String(parsed.version);
}
