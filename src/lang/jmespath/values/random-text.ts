/**
 * A random text that a regular expression matches. The pattern has been accepted by RE2 before; what cannot be built
 * by choosing (word boundaries, flags) gives nothing of its own. Repetition without an upper bound stops at a fixed
 * one, and the length of the text is charged to the budget as it grows.
 */
import type { QueryRun } from "../query-run.ts";

/** How often `*`, `+` and `{2,}` repeat at most, beyond their minimum. */
const UNBOUNDED = 32;

type Generate = (run: QueryRun) => string;

export function randomText(pattern: string, run: QueryRun): string {
  return new PatternReader(pattern).alternatives()(run);
}

class PatternReader {
  readonly #characters: readonly string[];
  #at = 0;

  constructor(pattern: string) {
    this.#characters = [...pattern];
  }

  alternatives(): Generate {
    const found = [this.#sequence()];
    while (this.#take("|")) found.push(this.#sequence());
    return (run) => pick(found, run)(run);
  }

  #sequence(): Generate {
    const parts: Generate[] = [];
    while (this.#at < this.#characters.length && this.#peek() !== "|" && this.#peek() !== ")") {
      parts.push(this.#repeated());
    }
    return (run) => parts.map((part) => part(run)).join("");
  }

  #repeated(): Generate {
    let part = this.#atom();
    for (let bounds = this.#bounds(); bounds !== undefined; bounds = this.#bounds()) {
      part = repeat(part, bounds);
      this.#take("?");
    }
    return part;
  }

  #bounds(): readonly [number, number] | undefined {
    if (this.#take("*")) return [0, UNBOUNDED];
    if (this.#take("+")) return [1, UNBOUNDED];
    if (this.#take("?")) return [0, 1];
    const rest = this.#characters.slice(this.#at, this.#at + 12).join("");
    const counted = /^\{(\d+)(,(\d*))?\}/.exec(rest);
    if (counted === null) return undefined;
    this.#at += counted[0].length;
    const least = Number(counted[1]);
    if (counted[2] === undefined) return [least, least];
    return [least, counted[3] === "" ? least + UNBOUNDED : Number(counted[3])];
  }

  #atom(): Generate {
    const character = this.#next();
    if (character === "(") return this.#group();
    if (character === "[") return oneOf(this.#class());
    if (character === "^" || character === "$") return () => "";
    if (character === ".") return oneOf([[0x20, 0x7e]]);
    if (character === "\\") return this.#escaped();
    return () => character;
  }

  #group(): Generate {
    if (this.#take("?")) {
      const flags = this.#until(/[:>)]/);
      if (flags.endsWith(")")) return () => "";
    }
    const inner = this.alternatives();
    this.#take(")");
    return inner;
  }

  #escaped(): Generate {
    const letter = this.#next();
    const known = CLASSES.get(letter);
    if (known !== undefined) return oneOf(known);
    if ("bBAzQE".includes(letter)) return () => "";
    const literal = CONTROLS.get(letter) ?? letter;
    return () => literal;
  }

  /** Ranges of code points; a negated class is read against printable ASCII. */
  #class(): readonly Range[] {
    const negated = this.#take("^");
    const ranges: Range[] = [];
    let first = true;
    while (this.#at < this.#characters.length && (first || this.#peek() !== "]")) {
      first = false;
      ranges.push(...this.#classItem());
    }
    this.#take("]");
    return negated ? complement(ranges) : ranges;
  }

  #classItem(): readonly Range[] {
    const character = this.#next();
    if (character === "[" && this.#peek() === ":") {
      const name = this.#until(/\]/).slice(1, -2);
      return POSIX.get(name) ?? PRINTABLE;
    }
    if (character === "\\" && CLASSES.has(this.#peek())) return CLASSES.get(this.#next()) ?? [];
    const low = character === "\\" ? this.#literal() : character;
    if (this.#peek() !== "-" || this.#characters[this.#at + 1] === "]") return [rangeOf(low, low)];
    this.#next();
    const high = this.#next();
    return [rangeOf(low, high === "\\" ? this.#literal() : high)];
  }

  #literal(): string {
    const letter = this.#next();
    return CONTROLS.get(letter) ?? letter;
  }

  #until(end: { readonly test: (text: string) => boolean }): string {
    let text = "";
    while (this.#at < this.#characters.length && !end.test(text.slice(-1))) text += this.#next();
    return text;
  }

  #peek(): string {
    return this.#characters[this.#at] ?? "";
  }

  #next(): string {
    const character = this.#peek();
    this.#at++;
    return character;
  }

  #take(mark: string): boolean {
    if (this.#peek() !== mark) return false;
    this.#at++;
    return true;
  }
}

type Range = readonly [number, number];

const PRINTABLE: readonly Range[] = [[0x20, 0x7e]];
const DIGITS: readonly Range[] = [[0x30, 0x39]];
const WORDS: readonly Range[] = [
  [0x61, 0x7a],
  [0x41, 0x5a],
  [0x30, 0x39],
  [0x5f, 0x5f],
];
const SPACES: readonly Range[] = [[0x20, 0x20]];

const CLASSES: ReadonlyMap<string, readonly Range[]> = new Map([
  ["d", DIGITS],
  ["w", WORDS],
  ["s", SPACES],
  ["D", complement(DIGITS)],
  ["W", complement(WORDS)],
  ["S", complement(SPACES)],
]);

const LOWER: Range = [0x61, 0x7a];
const UPPER: Range = [0x41, 0x5a];

const POSIX: ReadonlyMap<string, readonly Range[]> = new Map([
  ["alnum", [LOWER, UPPER, ...DIGITS]],
  ["alpha", [LOWER, UPPER]],
  ["digit", DIGITS],
  ["lower", [LOWER]],
  ["space", SPACES],
  ["upper", [UPPER]],
  ["word", WORDS],
  ["xdigit", [...DIGITS, [0x61, 0x66]]],
]);

const CONTROLS: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
  ["f", "\f"],
  ["v", "\v"],
]);

function rangeOf(low: string, high: string): Range {
  return [low.codePointAt(0) ?? 0, high.codePointAt(0) ?? 0];
}

function complement(ranges: readonly Range[]): readonly Range[] {
  const left: Range[] = [];
  for (let code = 0x20; code <= 0x7e; code++) {
    if (!ranges.some(([low, high]) => code >= low && code <= high)) left.push([code, code]);
  }
  return left.length === 0 ? PRINTABLE : left;
}

function oneOf(ranges: readonly Range[]): Generate {
  const sizes = ranges.map(([low, high]) => high - low + 1);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  return (run) => {
    let at = Math.floor(run.random() * total);
    for (const [index, size] of sizes.entries()) {
      if (at < size) return String.fromCodePoint((ranges[index]?.[0] ?? 0) + at);
      at -= size;
    }
    return "";
  };
}

function repeat(part: Generate, [least, most]: readonly [number, number]): Generate {
  return (run) => {
    const times = least + Math.floor(run.random() * (most - least + 1));
    run.budget.charge(times);
    let text = "";
    for (let index = 0; index < times; index++) text += part(run);
    return text;
  };
}

function pick(choices: readonly Generate[], run: QueryRun): Generate {
  return choices[Math.floor(run.random() * choices.length)] ?? (() => "");
}
