/**
 * The price of looking at a whole value. A few multi-selects in a row (`[@, @] | [@, @] | …`) make a value that shares
 * its parts and is small in memory, but doubles with each step for everybody who walks it; so whole walks are paid
 * for before they are made.
 */
import type { Budget } from "#diag";
import type { Json } from "#json";

/** @throws Interruption when the value is larger than what is left of the budget */
export function chargeValue(value: Json, budget: Budget): void {
  if (value === null || typeof value !== "object") return;
  const parts = Object.values(value);
  budget.charge(1 + parts.length);
  for (const part of parts) chargeValue(part, budget);
}
