/** Mistakes in overlay patterns: anchors, lists, scalars, references. */
import { mutantsIn, type Mutant } from "../mutant.ts";

export const patternMutants: readonly Mutant[] = mutantsIn("core/engine/pattern", ["pattern"], {
  "anchor-handlers": [
    ["a condition on an absent key holds", "return new Failure(ABSENT, null);", "return undefined;"],
    [
      "a global anchor that does not hold fails",
      "new Failure(GLOBAL, null, [cause.under(step)])",
      "cause.under(step)",
    ],
    [
      "a condition that does not hold fails",
      "new Failure(CONDITION, null, [cause.under(step)])",
      "cause.under(step)",
    ],
    [
      "negation negated",
      "readMember(map, key, inherited) === undefined ? undefined",
      "readMember(map, key, inherited) !== undefined ? undefined",
    ],
    [
      "existence looks at the first element only",
      "for (const element of list)",
      "for (const element of list.slice(0, 1))",
    ],
    ["existence of what is no list holds", "return new Failure(noList, value);", "return undefined;"],
    [
      "existence demands one of its items only",
      "for (const item of items) {",
      "for (const item of items.slice(0, 1)) {",
    ],
  ],
  check: [
    [
      "members of prototypes are present",
      "inherited && !Object.hasOwn(map, key) ? undefined : map[key]",
      "map[key]",
      "check:patterns",
    ],
  ],
  anchor: [["equality read as condition", '["=", "equality"]', '["=", "condition"]']],
  comparison: [
    [
      "`>=` without the bound",
      '">=": (sign) => sign >= 0',
      '">=": (sign) => sign > 0',
      "scalar",
      "check:patterns",
    ],
    [
      "`<=` without the bound",
      '"<=": (sign) => sign <= 0',
      '"<=": (sign) => sign < 0',
      "scalar",
      "check:patterns",
    ],
    ["`>` with the bound", '">": (sign) => sign > 0', '">": (sign) => sign >= 0', "scalar", "check:patterns"],
    ["`<` with the bound", '"<": (sign) => sign < 0', '"<": (sign) => sign <= 0', "scalar", "check:patterns"],
    ["durations are no quantities", "duration?.(text) ?? quantity?.(text)", "quantity?.(text)"],
    ["`!` ignored for texts", 'const wanted = operator === "";', "const wanted = true;"],
    ["null is no number", 'return "0";', "return undefined;"],
    ["booleans have no text", "return value ? forTrue : forFalse;", "return false;"],
  ],
  "compile-list": [
    [
      "the last element is not looked at",
      "[compilePart(first, `${place}0/`)], (list) => list.length)",
      "[compilePart(first, `${place}0/`)], (list) => list.length - 1)",
    ],
    ["lists of one length are too short", "list.length < checks.length ?", "list.length <= checks.length ?"],
    [
      "one skipped element skips the list",
      "return applied || skipped === undefined ?",
      "return skipped === undefined ?",
    ],
    [
      "a list whose elements are all skipped passes",
      "return applied || skipped === undefined ? undefined : allSkipped(skipped);",
      "return undefined;",
    ],
  ],
  "compile-map": [
    [
      "a condition of the map itself does not skip where another holds",
      "skipped === undefined || (applied && !own) ?",
      "skipped === undefined || applied ?",
    ],
    ["keys with anchors below come last", "ordered.unshift(key);", "ordered.push(key);"],
    [
      "`*` holds for null",
      "(readMember(map, text, inherited) ?? null) === null ?",
      "readMember(map, text, inherited) === undefined ?",
    ],
    [
      "a map is not asked for its type",
      "if (!isObject(value))\n            return new Failure(notMap, value);",
      "if (!isObject(value))\n            return undefined;",
    ],
  ],
  "compile-pattern": [
    [
      "a key that an anchor expects is never missed",
      'if (path === "" || (expectsKeys && missesKey(check, resource, budget)))',
      'if (path === "")',
    ],
    ["a skip is a failure", "if (isSkip(failure))", 'if (isSkip(failure) && message === "")'],
    [
      "only the first of a list of scalars",
      "for (const element of value) {",
      "for (const element of value.slice(0, 1)) {",
    ],
  ],
  failure: [["the path turned round", "this.path = step + this.path;", "this.path = this.path + step;"]],
  "metadata-keys": [
    [
      "the last key that fits a wildcard",
      "compareKeys(key, best) < 0",
      "compareKeys(key, best) > 0",
      "check:patterns",
    ],
    ["wildcards in labels only", '(bare === "labels" || bare === "annotations")', '(bare === "labels")'],
  ],
  operator: [
    ["outside of a range is outside of both", 'join: inside ? "all" : "any"', 'join: "all"', "scalar"],
    ["a range without its lower bound", 'inside ? ">=" : "<"', 'inside ? ">" : "<"', "scalar"],
    ["a range without its upper bound", 'inside ? "<=" : ">"', 'inside ? "<" : ">"', "scalar"],
    ["`>` found before `>=`", '[">=", "<=", ">", "<", "!"]', '[">", "<", ">=", "<=", "!"]', "scalar"],
    ["alternatives read as conditions", '.split("|")', '.split("||")', "scalar"],
    ["conditions read as alternatives", '.split("&")', '.split("&&")', "scalar"],
  ],
  scalar: [
    ["null does not fit an empty text", 'value === null || value === "" ||', "value === null ||", "scalar"],
    [
      "integers in texts are not compared",
      'return typeof value === "string" && /^[+-]?\\d+$/.test(value) && integerEquals(value, pattern);',
      "return false;",
      "scalar",
    ],
    [
      "a text is not compared with itself",
      "return (value) => value === pattern || test(value);",
      "return (value) => test(value);",
      "scalar",
    ],
    ["the sign of an integer in a text is lost", 'text.startsWith("-") ? -size : size', "size", "scalar"],
    [
      "both sides of a range are one too many",
      'condition.join === "all" ?',
      'condition.join !== "all" ?',
      "scalar",
    ],
  ],
  references: [
    [
      "references are taken from the root",
      'leaves.get(target.startsWith("/") ? target : cleanPath(`${path}/${target}`)) ?? null',
      "leaves.get(cleanPath(`/${target}`)) ?? null",
      "substitution",
      "check:references",
    ],
    [
      "the operator before a reference is lost",
      "return operator + text;",
      "return text;",
      "substitution",
      "check:references",
    ],
    [
      "an escaped reference is resolved",
      'const apart = start === 0 || (start > taken && text[start - 1] !== "\\\\");',
      "const apart = start === 0 || start > taken;",
      "substitution",
      "check:references",
    ],
  ],
});
