/**
 * What a command is: data about its arguments and flags, and one function from the world and its input to an exit code.
 * Parsing, `--help`, completion scripts and the reference page are all made from this data.
 */
import type { World } from "#platform";

/**
 * `switch` takes no value; `text` the last value given; `list` every value given, also divided by commas; `texts` the
 * same without division.
 */
export type FlagKind = "switch" | "text" | "list" | "texts";

export type Flag = {
  readonly name: string;
  readonly short?: string;
  /** Other spellings that upstream's CLI takes. */
  readonly aliases?: readonly string[];
  readonly kind: FlagKind;
  /** What stands for the value in the help text. */
  readonly value?: string;
  readonly summary: string;
  /** Values that are allowed, where they are few. */
  readonly choices?: readonly string[];
  /** Set where the flag exists for compatibility and cannot be served: using it is an error that says this. */
  readonly unavailable?: string;
  /** Left out of the help text: a spelling, or a wish that is always granted. */
  readonly hidden?: boolean;
};

/** A table of the help text that says more than a flag's line can. */
export type HelpSection = {
  readonly title: string;
  readonly rows: readonly { readonly term: string; readonly says: string }[];
};

export type Example = { readonly command: string; readonly says: string };

/** Exit codes of every command. */
export const exitCodes = { fine: 0, policyResult: 1, wrongInput: 2, fault: 3 } as const;

export type Command = {
  readonly name: string;
  readonly summary: string;
  /** Positional arguments in the form of the help text: `<policies...>`. */
  readonly operands: string;
  readonly flags: readonly Flag[];
  /** Between the options and the examples. */
  readonly sections?: readonly HelpSection[];
  readonly examples: readonly Example[];
  readonly run: (world: World, input: CommandInput) => Promise<number>;
};

/** A command that has not been called is a name, a sentence and a way to load it; a group has commands below it. */
export type CommandEntry = {
  readonly name: string;
  readonly summary: string;
  readonly load?: () => Promise<Command>;
  readonly commands?: readonly CommandEntry[];
};

/** What the user typed, by the names of the flags' table. */
export class CommandInput {
  readonly operands: readonly string[];
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(operands: readonly string[], values: ReadonlyMap<string, readonly string[]>) {
    this.operands = operands;
    this.#values = values;
  }

  /** Every value of a list flag, or none. */
  list(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  text(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  /** Whether a switch is on. */
  on(name: string): boolean {
    const value = this.#values.get(name)?.at(-1);
    return value !== undefined && value !== "false";
  }
}

/** Wrong usage that only a command itself can see: shown like the parser's own, exit code 2. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
