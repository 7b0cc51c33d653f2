/**
 * Reads the objects of a test file strictly: an unknown key and a value of another type are errors with their place,
 * because a misspelt key in a test hides an expectation. Keys are matched without regard to case, as upstream's decoder
 * does. Reading goes on after an error, so that one run shows all of them.
 */
import { nearestName, type Diagnostic, type DiagnosticCode } from "#diag";
import { appendPointer, isArray, isObject, type Json, type JsonObject } from "#json";

export type DocumentOrigin = { readonly file: string; readonly document: number };

type Complaint = { readonly code: TestCode; readonly message: string; readonly help?: string };
type TestCode = Extract<DiagnosticCode, `test/${string}`>;

/** Collects what is wrong with one document. */
export class FieldReader {
  readonly diagnostics: Diagnostic[] = [];
  readonly #origin: DocumentOrigin;

  constructor(origin: DocumentOrigin) {
    this.#origin = origin;
  }

  /** The members of an object by their known spelling; unknown ones are reported and left out. */
  object(value: Json, pointer: string, known: readonly string[]): Fields | undefined {
    if (!isObject(value)) {
      this.report(pointer, { code: "test/wrong-type", message: "an object is expected here" });
      return undefined;
    }
    const members = new Map<string, Member>();
    for (const [key, item] of Object.entries(value)) {
      const name = known.find((candidate) => candidate.toLowerCase() === key.toLowerCase());
      const place = appendPointer(pointer, key);
      if (name === undefined) this.#unknown(place, key, known);
      else if (item !== null) members.set(name, { value: item, pointer: place });
    }
    return new Fields(this, pointer, members);
  }

  report(pointer: string, complaint: Complaint): void {
    this.diagnostics.push({ ...complaint, severity: "error", ...this.#origin, pointer });
  }

  #unknown(pointer: string, key: string, known: readonly string[]): void {
    const nearest = nearestName(key, known);
    const help = nearest === undefined ? {} : { help: `did you mean \`${nearest}\`?` };
    this.report(pointer, { code: "test/unknown-field", message: `unknown field \`${key}\``, ...help });
  }
}

type Member = { readonly value: Json; readonly pointer: string };

/** One object's known members. A member that is null counts as absent. */
export class Fields {
  /** Of the object. */
  readonly pointer: string;
  readonly #reader: FieldReader;
  readonly #members: ReadonlyMap<string, Member>;

  constructor(reader: FieldReader, pointer: string, members: ReadonlyMap<string, Member>) {
    this.#reader = reader;
    this.pointer = pointer;
    this.#members = members;
  }

  /** An empty text counts as absent. */
  text(key: string): string | undefined {
    const value = this.#typed(key, "a string", isText);
    return value === "" ? undefined : value;
  }

  /** A text that must be there. */
  required(key: string, what: string): string {
    const value = this.text(key);
    if (value === undefined && !isFaulty(this.#members.get(key)?.value)) {
      this.#reader.report(this.pointer, { code: "test/missing-field", message: `${what} needs \`${key}\`` });
    }
    return value ?? "";
  }

  /** One of a few words, where the text is there. */
  word<W extends string>(key: string, allowed: readonly W[]): W | undefined {
    const text = this.text(key);
    if (text === undefined) return undefined;
    const word = allowed.find((candidate) => candidate === text);
    if (word === undefined) {
      const message = `\`${text}\` is not one of ${allowed.join(", ")}`;
      this.#reader.report(this.#place(key), { code: "test/wrong-value", message });
    }
    return word;
  }

  /** The texts among `keys` that are there. */
  optional<K extends string>(keys: readonly K[]): Partial<Record<K, string>> {
    const found: Partial<Record<K, string>> = {};
    for (const key of keys) {
      const value = this.text(key);
      if (value !== undefined) found[key] = value;
    }
    return found;
  }

  texts(key: string): readonly string[] {
    return this.#typed(key, "a list of strings", isTexts) ?? [];
  }

  flag(key: string): boolean {
    return this.#typed(key, "true or false", isFlag) ?? false;
  }

  value(key: string): JsonObject | undefined {
    return this.#typed(key, "an object", isObject);
  }

  values(key: string): readonly JsonObject[] {
    return this.#typed(key, "a list of objects", isObjects) ?? [];
  }

  /** The objects of a list, read with the keys that they may have. */
  objects(key: string, known: readonly string[]): readonly Fields[] {
    const items = this.#typed(key, "a list", isArray) ?? [];
    return items.flatMap(
      (item, index) => this.#reader.object(item, appendPointer(this.#place(key), index), known) ?? [],
    );
  }

  #typed<T extends Json>(key: string, expected: string, is: (value: Json) => value is T): T | undefined {
    const member = this.#members.get(key);
    if (member === undefined) return undefined;
    if (is(member.value)) return member.value;
    this.#reader.report(member.pointer, {
      code: "test/wrong-type",
      message: `\`${key}\` must be ${expected}`,
    });
    return undefined;
  }

  #place(key: string): string {
    return this.#members.get(key)?.pointer ?? appendPointer(this.pointer, key);
  }
}

/** A value that has been reported for its type. */
function isFaulty(value: Json | undefined): boolean {
  return value !== undefined && !isText(value);
}

function isText(value: Json): value is string {
  return typeof value === "string";
}

function isTexts(value: Json): value is readonly string[] {
  return isArray(value) && value.every(isText);
}

function isFlag(value: Json): value is boolean {
  return typeof value === "boolean";
}

function isObjects(value: Json): value is readonly JsonObject[] {
  return isArray(value) && value.every(isObject);
}
