/**
 * DurationGreaterThan and its kin, which upstream deprecates: texts must be durations, numbers are whole seconds, and
 * the comparison is exact to the nanosecond.
 * SPEC: Kyverno 1.19 pkg/engine/variables/operator/duration.go; kyverno-surface.md section 4.4.
 */
import type { TypedJson } from "#json";
import { parseDuration } from "#text";

import type { KeyTest, OperatorDefinition } from "../operator.ts";
import { orders, type Order } from "./order.ts";
import { secondsOfNumber } from "./seconds.ts";

export const durations: readonly OperatorDefinition[] = orders.map((order) => ({
  name: `Duration${order.name}`,
  exactSpelling: true,
  compileValue: (value) => compileDuration(value, order.holds),
}));

function compileDuration(value: TypedJson, holds: Order["holds"]): KeyTest {
  const wanted = nanoseconds(value);
  if (wanted === undefined) return () => false;
  return (key) => {
    const given = nanoseconds(key);
    return given !== undefined && holds(given, wanted);
  };
}

function nanoseconds(value: TypedJson): bigint | undefined {
  if (typeof value === "number" || typeof value === "bigint") return secondsOfNumber(value);
  return typeof value === "string" ? parseDuration(value) : undefined;
}
