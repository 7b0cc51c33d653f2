/** One document that a flag names (values, user, context): read whole, its kind checked, unknown fields reported. */
import { Fault, nearestName } from "#diag";
import type { Json, JsonObject } from "#json";
import { isArray, isObject, loadYaml, member } from "#json";
import { readText } from "#platform";
import { textMember } from "./object-text.ts";
import type { Problem, SourceText } from "./problem.ts";
import { faultProblem, placeProblem, wholeFile } from "./problem.ts";

const MAX_DOCUMENT_FILE = 16 * 1024 * 1024;

export type InputDocument = {
  readonly value: JsonObject;
  readonly source: SourceText;
  readonly document: number;
};

/** The documents of a file, and what is wrong with it. */
export async function readInputDocuments(file: string): Promise<{
  readonly documents: readonly InputDocument[];
  readonly problems: readonly Problem[];
}> {
  try {
    const source = wholeFile(file, await readText(file, MAX_DOCUMENT_FILE));
    const { documents, diagnostics } = loadYaml(source.text, file);
    return {
      documents: documents.flatMap(({ value, index }) =>
        isObject(value) ? [{ value, source, document: index }] : [],
      ),
      problems: diagnostics.map((diagnostic) => ({ diagnostic, source })),
    };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { documents: [], problems: [faultProblem(file, error)] };
  }
}

/** The one document of a file, which must be of the kind `kind`. */
export async function readInputDocument(
  file: string,
  kind: string,
): Promise<{ readonly input?: InputDocument; readonly problems: readonly Problem[] }> {
  const { documents, problems } = await readInputDocuments(file);
  const input = documents.find(({ value }) => member(value, "kind") === kind) ?? documents[0];
  if (input === undefined) return { problems: problems.length > 0 ? problems : [emptyProblem(file, kind)] };
  if (member(input.value, "kind") === kind) return { input, problems };
  const found = textMember(input.value, "kind");
  // Upstream takes any word here: one that is nearly right is a slip, another one is another file.
  const slip = found !== "" && nearestName(found, [kind]) !== undefined;
  const problem = placeProblem(input.source, input.document, found === "" ? "" : "/kind", {
    code: "input/wrong-kind",
    severity: slip ? "warning" : "error",
    message: `\`kind: ${kind}\` is expected${found === "" ? "" : `, this is \`${found}\``}`,
    help: `start the file with \`apiVersion: cli.kyverno.io/v1alpha1\` and \`kind: ${kind}\``,
  });
  return { problems: [...problems, problem], ...(slip ? { input } : {}) };
}

function emptyProblem(file: string, kind: string): Problem {
  return {
    diagnostic: {
      code: "input/wrong-kind",
      severity: "error",
      file,
      message: `\`kind: ${kind}\` is expected, the file is empty`,
    },
  };
}

/** Reads members of an input document; whatever has the wrong type, or is not known, becomes a problem. */
export class InputReader {
  readonly problems: Problem[] = [];
  readonly #source: SourceText;
  readonly #document: number;

  constructor(source: SourceText, document: number) {
    this.#source = source;
    this.#document = document;
  }

  /** Reports members that are not among `known`; they change nothing. */
  checkNames(value: JsonObject, pointer: string, known: readonly string[]): void {
    for (const key of Object.keys(value)) {
      if (known.includes(key)) continue;
      const nearest = nearestName(key, known);
      this.#say(`${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`, {
        code: "input/unknown-field",
        severity: "warning",
        message: `unknown field \`${key}\``,
        ...(nearest === undefined ? {} : { help: `did you mean \`${nearest}\`?` }),
      });
    }
  }

  objects(
    value: Json | undefined,
    pointer: string,
  ): { readonly value: JsonObject; readonly pointer: string }[] {
    if (value === undefined || value === null) return [];
    if (!isArray(value)) {
      this.#wrongType(pointer, "a list");
      return [];
    }
    return value.flatMap((item, index) => {
      if (isObject(item)) return [{ value: item, pointer: `${pointer}/${index}` }];
      this.#wrongType(`${pointer}/${index}`, "an object");
      return [];
    });
  }

  object(value: Json | undefined, pointer: string): JsonObject {
    if (isObject(value)) return value;
    if (value !== undefined && value !== null) this.#wrongType(pointer, "an object");
    return {};
  }

  text(value: Json | undefined, pointer: string): string {
    if (typeof value === "string") return value;
    if (value !== undefined && value !== null) this.#wrongType(pointer, "a string");
    return "";
  }

  texts(value: Json | undefined, pointer: string): readonly string[] {
    if (value === undefined || value === null) return [];
    if (isArray(value) && value.every((item) => typeof item === "string")) return value;
    this.#wrongType(pointer, "a list of strings");
    return [];
  }

  #wrongType(pointer: string, expected: string): void {
    this.#say(pointer, { code: "input/wrong-type", message: `${expected} is expected here` });
  }

  #say(pointer: string, said: Parameters<typeof placeProblem>[3]): void {
    this.problems.push(placeProblem(this.#source, this.#document, pointer, said));
  }
}
