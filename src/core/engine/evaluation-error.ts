/**
 * What a policy asked for cannot be worked out: an unknown variable, a bad query, a reference to nothing. It is a value,
 * returned and never thrown, so that conditions, defaults and foreach can meet it; its text is upstream's.
 */
export class EvaluationError {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

export function isEvaluationError(value: unknown): value is EvaluationError {
  return value instanceof EvaluationError;
}
