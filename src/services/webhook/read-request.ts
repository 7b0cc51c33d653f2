/**
 * A request's body as text, bounded. The API server sends whole bodies at once; what comes slowly, in halves or too
 * large is somebody else or a broken network, and costs a socket and nothing more.
 */
import type { IncomingMessage } from "node:http";

/** An object of the largest size that etcd takes, twice (old and new), as JSON, with room. */
export const MAX_BODY_BYTES: number = 16 * 1024 * 1024;

/**
 * Calls back once, with the text, or with `undefined` for a body that is too large. A connection that breaks before the
 * end calls nothing: there is nobody to answer.
 */
export function readRequest(request: IncomingMessage, done: (body: string | undefined) => void): void {
  if (Number(request.headers["content-length"] ?? 0) > MAX_BODY_BYTES) {
    done(undefined);
    return;
  }
  let chunks: Buffer[] = [];
  let bytes = 0;
  let ended = false;
  const end = (body: string | undefined): void => {
    if (ended) return;
    ended = true;
    chunks = [];
    done(body);
  };
  request.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) end(undefined);
    else if (!ended) chunks.push(chunk);
  });
  request.on("end", () => {
    const [only] = chunks;
    const whole = chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
    end(whole.toString("utf8"));
  });
}
