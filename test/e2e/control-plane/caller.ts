/** Plain calls to an API server, for tests: nothing is retried, nothing is hidden, and somebody may be impersonated. */
import * as https from "node:https";

export type ApiCall = {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly as?: { readonly user: string; readonly groups?: readonly string[] };
  readonly timeoutMs?: number;
};

export type ApiAnswer = {
  readonly status: number;
  readonly text: string;
  /** The parsed text; undefined where it is not JSON. */
  readonly body: unknown;
  readonly warnings: string;
};

export function createCaller(server: string, token: string): (call: ApiCall) => Promise<ApiAnswer> {
  const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false });
  return (call) =>
    new Promise((done, fail) => {
      const body = call.body === undefined ? undefined : JSON.stringify(call.body);
      const request = https.request(`${server}${call.path}`, {
        method: call.method,
        agent,
        timeout: call.timeoutMs ?? 30_000,
        headers: {
          authorization: `Bearer ${token}`,
          accept: "application/json",
          ...(body === undefined ? {} : { "content-type": call.contentType ?? "application/json" }),
          ...(call.as === undefined
            ? {}
            : { "impersonate-user": call.as.user, "impersonate-group": [...(call.as.groups ?? [])] }),
        },
      });
      request.on("error", fail);
      request.on("timeout", () => request.destroy(new Error(`${call.method} ${call.path}: no answer`)));
      request.on("response", (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (chunk: string) => (text += chunk));
        response.on("error", fail);
        response.on("end", () => {
          const warnings = String(response.headers["warning"] ?? "");
          done({ status: response.statusCode ?? 0, text, body: parse(text), warnings });
        });
      });
      request.end(body);
    });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
