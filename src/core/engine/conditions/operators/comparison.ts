/**
 * GreaterThan and its kin. Two sides are compared as durations where one is and the other may be, then as quantities
 * where both are, then as floats, and as versions only where the key is nothing else.
 * SPEC: Kyverno 1.19 pkg/engine/variables/operator/numeric.go; kyverno-surface.md sections 0 and 4.4.
 */
import type { TypedJson } from "#json";
import { compareQuantity, compareSemver, parseQuantity, parseSemver } from "#text";

import type { KeyTest, OperatorDefinition } from "../operator.ts";
import { orders, type Order } from "./order.ts";
import { parseFloatText } from "./parse-float.ts";
import { pairSeconds, parseOwnDuration } from "./seconds.ts";

export const comparisons: readonly OperatorDefinition[] = orders.map((order) => ({
  name: order.name,
  exactSpelling: true,
  compileValue: (value) => compileComparison(value, order.holds),
}));

function compileComparison(value: TypedJson, holds: Order["holds"]): KeyTest {
  if (typeof value === "string") return compileText(value, holds);
  if (typeof value === "number" || typeof value === "bigint") return compileNumber(value, holds);
  return () => false;
}

/** Numbers are compared as float64, also two int64. */
function compileNumber(value: number | bigint, holds: Order["holds"]): KeyTest {
  const wanted = Number(value);
  return (key) => {
    if (typeof key === "number" || typeof key === "bigint") return holds(Number(key), wanted);
    if (typeof key !== "string") return false;
    const seconds = pairSeconds(key, value, undefined);
    if (seconds !== undefined) return holds(seconds.key, seconds.value);
    const float = parseFloatText(key);
    return float !== undefined && holds(float, wanted);
  };
}

function compileText(value: string, holds: Order["holds"]): KeyTest {
  const duration = parseOwnDuration(value);
  const quantity = parseQuantity(value);
  const float = parseFloatText(value);
  const version = parseSemver(value);
  function compareNumber(key: number | bigint): boolean {
    const seconds = pairSeconds(key, value, duration);
    if (seconds !== undefined) return holds(seconds.key, seconds.value);
    return float !== undefined && holds(Number(key), float);
  }
  return (key) => {
    if (typeof key === "number" || typeof key === "bigint") return compareNumber(key);
    if (typeof key !== "string") return false;
    const seconds = pairSeconds(key, value, duration);
    if (seconds !== undefined) return holds(seconds.key, seconds.value);
    const keyQuantity = quantity === undefined ? undefined : parseQuantity(key);
    if (quantity !== undefined && keyQuantity !== undefined)
      return holds(compareQuantity(keyQuantity, quantity), 0);
    const keyFloat = parseFloatText(key);
    if (keyFloat !== undefined) return compareNumber(keyFloat);
    const keyVersion = version === undefined ? undefined : parseSemver(key);
    return version !== undefined && keyVersion !== undefined && holds(compareSemver(keyVersion, version), 0);
  };
}
