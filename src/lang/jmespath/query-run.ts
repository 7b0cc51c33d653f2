/**
 * What one evaluation may use of the world. Everything that is not in the document comes through here, so that an
 * expression gives the same answer for the same run: no clock, no randomness, no name service in this layer.
 */
import type { Budget } from "#diag";
import type { Json } from "#json";
import type { QueryError } from "./query-error.ts";

export type QueryRun = {
  /** Charged by what is visited and built; leaves the evaluation by an `Interruption` when it is spent. */
  readonly budget: Budget;
  /** The present, in milliseconds since 1970. */
  readonly nowMs: number;
  /** The next number in [0, 1), seeded by the driver. */
  readonly random: () => number;
  /** Whether a host name resolves to public addresses only; may leave by `Interruption("pending")`. */
  readonly externalHost: (host: string) => boolean | QueryError;
};

/** One compiled node: the current value to its result. */
export type Evaluate = (value: Json, run: QueryRun) => Json | QueryError;
