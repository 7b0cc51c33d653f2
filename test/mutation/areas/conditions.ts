/** Mistakes in conditions: blocks, operators, errors that disappear. */
import { mutantsIn, type Mutant } from "../mutant.ts";

export const conditionMutants: readonly Mutant[] = mutantsIn("core/engine/conditions", ["conditions"], {
  conditions: [
    ["`all` not asked where `any` holds", "return evaluateAll(block.all, context, met);", "return HOLDS;"],
    [
      "only the last block counts",
      "if (isEvaluationError(answer) || !answer.result)",
      "if (isEvaluationError(answer))",
    ],
    ["an error of the value is a condition not met", "return right;", "return false;"],
    ["an error of the key is a condition not met", "return left;", "return false;"],
    ["an unknown operator holds", "return new EvaluationError(operator.error);", "return true;"],
    ["conditions of no known shape hold", "if (!areConditions(spec))", "if (spec === undefined)"],
    ["an `any` without conditions holds", 'return missed === "" ? FAILS :', 'return missed === "" ? HOLDS :'],
  ],
  "operator-table": [
    [
      "operators may be misspelled",
      "const misspelled = definition.exactSpelling && operator !== definition.name;",
      "const misspelled = false;",
    ],
  ],
  "operators/order": [
    ["GreaterThanOrEquals without the bound", "key >= value", "key > value"],
    ["GreaterThan with the bound", "key > value", "key >= value"],
    ["LessThanOrEquals without the bound", "key <= value", "key < value"],
    ["LessThan with the bound", "key < value", "key <= value"],
  ],
  "operators/equality": [
    ["null differs from everything", "key !== null && !test(key)", "!test(key)"],
    ["quantities are texts", "compareQuantity(given, quantity) === 0", "key === value"],
  ],
  "operators/sets": [
    [
      "AnyIn wants all",
      "count: (keys, { hit }) => keys.some((key) => hit(key))",
      "count: (keys, { hit }) => keys.every((key) => hit(key))",
    ],
    [
      "AllIn is content with one",
      "count: (keys, { hit }) => keys.every((key) => hit(key))",
      "count: (keys, { hit }) => keys.some((key) => hit(key))",
    ],
    ["AnyNotIn wants all", "keys.some((key) => miss(key))", "keys.every((key) => miss(key))"],
    ["AllNotIn is content with one", "!keys.some((key) => hit(key))", "!keys.every((key) => hit(key))"],
  ],
  "operators/membership": [
    [
      "wildcards of keys ignored",
      "return hasWildcard(text) && values.some(",
      "return values.length > 99 && values.some(",
    ],
  ],
  "operators/former-sets": [
    [
      "In is content with one",
      "key.every((text) => members.has(text)) === wanted",
      "key.some((text) => members.has(text)) === wanted",
    ],
  ],
  "operators/seconds": [
    ["numbers are milliseconds", "const SECOND = 1000000000n;", "const SECOND = 1000000n;"],
  ],
  "operators/comparison": [
    [
      "versions are compared the wrong way round",
      "holds(compareSemver(keyVersion, version), 0)",
      "holds(compareSemver(version, keyVersion), 0)",
    ],
  ],
});
