/**
 * Work is counted in steps, so that no policy can hold a thread: a step is about one visited node; byte-wise work
 * (regular expressions, parsing, sorting, substitution) charges by its size. When the budget is spent, or a lookup's
 * answer is not here yet, evaluation is left by throwing an `Interruption`: no operator may swallow it (an error value
 * could be, by `||`), and only the engine's rule runner catches it.
 */
export class Interruption {
  readonly reason: "budget" | "pending";

  constructor(reason: "budget" | "pending") {
    this.reason = reason;
  }
}

const SPENT = new Interruption("budget");

export class Budget {
  #left: number;
  readonly limit: number;

  /** @param limit steps that may be charged in all */
  constructor(limit: number) {
    this.limit = limit;
    this.#left = limit;
  }

  /** Steps charged so far. */
  get spent(): number {
    return this.limit - this.#left;
  }

  /** @throws Interruption once more than `limit` steps were charged, and at every charge after that */
  charge(steps: number): void {
    this.#left -= steps;
    if (this.#left < 0) throw SPENT;
  }
}
