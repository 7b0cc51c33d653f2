/**
 * Colors, decided once per output: `always` and `never` as the user said, otherwise only on a terminal that has them and
 * where `NO_COLOR` is not set. Text from documents is made harmless here: a resource must not be able to send commands
 * to somebody's terminal.
 */
import type { Output, World } from "#platform";
import picocolors from "picocolors";
import type { CommandInput } from "../command.ts";

export type Paint = ReturnType<typeof picocolors.createColors>;

/** @param when `auto` where the user said nothing */
export function paintFor(output: Output, env: World["env"], when: string = "auto"): Paint {
  return picocolors.createColors(when === "always" || (when !== "never" && hasColors(output, env)));
}

/** What the flags `--color` and `--remove-color` ask for. */
export function colorChoice(input: CommandInput): string {
  return input.on("remove-color") ? "never" : (input.text("color") ?? "auto");
}

function hasColors(output: Output, env: World["env"]): boolean {
  return output.isTty && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb";
}

/**
 * Text of others within a line of ours: control characters, line ends and what reorders a line become visible, so that no
 * name can forge output or speak to the terminal or the CI system that reads it.
 */
export function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, visible);
}

/** The same for messages, which may have lines of their own. */
export function harmlessLines(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, (unit) =>
    unit === "\r" ? "" : visible(unit),
  );
}

function visible(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
