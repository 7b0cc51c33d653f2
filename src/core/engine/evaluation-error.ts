/**
 * An evaluation that failed: a value, never thrown, because it is an answer about a policy and a resource and has to be
 * kept apart from faults and bugs. The text is upstream's.
 */
export class EvaluationError {
  /** Tells it from answers that have a message too. */
  readonly kind = "evaluation-error";
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export function isEvaluationError(value: unknown): value is EvaluationError {
  return value instanceof EvaluationError;
}
