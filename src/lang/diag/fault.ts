/**
 * A fault is a failing world (a file that cannot be read, a server that does not answer): thrown in ring 2 and above,
 * mapped once an app (HTTP status, requeue, exit code).
 */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly code: string;
  readonly retryable: boolean;

  constructor(
    code: string,
    message: string,
    options: { readonly retryable?: boolean; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? false;
  }
}
