/** All functions, by group. The order of the list is that of their names. */
import { arithmeticFunctions } from "./arithmetic.ts";
import { certificateFunctions } from "./certificates.ts";
import { conversionFunctions } from "./conversions.ts";
import type { FunctionDefinition } from "./definition.ts";
import { signatureOf } from "./definition.ts";
import { encodingFunctions } from "./encodings.ts";
import { expressionFunctions } from "./by-expression.ts";
import { listFunctions } from "./lists.ts";
import { nameFunctions } from "./names.ts";
import { numberFunctions } from "./numbers.ts";
import { objectFunctions } from "./objects.ts";
import { patternFunctions } from "./patterns.ts";
import { textFunctions } from "./texts.ts";
import { timeFunctions } from "./times.ts";

const definitions: readonly FunctionDefinition[] = [
  ...arithmeticFunctions,
  ...certificateFunctions,
  ...conversionFunctions,
  ...encodingFunctions,
  ...expressionFunctions,
  ...listFunctions,
  ...nameFunctions,
  ...numberFunctions,
  ...objectFunctions,
  ...patternFunctions,
  ...textFunctions,
  ...timeFunctions,
].toSorted((left, right) => (left.name < right.name ? -1 : 1));

const byName: ReadonlyMap<string, FunctionDefinition> = new Map(
  definitions.map((definition) => [definition.name, definition]),
);

export function findFunction(name: string): FunctionDefinition | undefined {
  return byName.get(name);
}

/** What people may know about a function, for `postern jp function` and the reference page. */
export type DescribedFunction = {
  readonly name: string;
  /** `split(string, string) array`. */
  readonly signature: string;
  readonly note: string;
};

/** Every function of the language, sorted by name. */
export const functionTable: readonly DescribedFunction[] = definitions.map((definition) => ({
  name: definition.name,
  signature: signatureOf(definition),
  note: definition.note,
}));
