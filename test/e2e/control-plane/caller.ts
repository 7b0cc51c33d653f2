/** Plain calls to an API server, for tests: nothing is retried, nothing is hidden, and somebody may be impersonated. */
import * as https from "node:https";

export type ApiCall = {
  readonly method: string;
  /** Below the server's address, with its query. */
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

export type Caller = {
  readonly call: (call: ApiCall) => Promise<ApiAnswer>;
  readonly close: () => void;
};

/** Who calls, and whom they trust: a bearer token, and the authority of the server as PEM. */
export type Credentials = { readonly token: string; readonly ca: string };

export function createCaller(server: string, { token, ca }: Credentials): Caller {
  const agent = new https.Agent({ keepAlive: true, ca });
  return {
    call: (call) => send(agent, server, token, call),
    close: () => agent.destroy(),
  };
}

function send(agent: https.Agent, server: string, token: string, call: ApiCall): Promise<ApiAnswer> {
  return new Promise((done, fail) => {
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const groups = call.as?.groups ?? [];
    const request = https.request(`${server}${call.path}`, {
      method: call.method,
      agent,
      timeout: call.timeoutMs ?? 30_000,
      headers: {
        authorization: `Bearer ${token}`,
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": call.contentType ?? "application/json" }),
        ...(call.as === undefined ? {} : { "impersonate-user": call.as.user }),
        ...(groups.length === 0 ? {} : { "impersonate-group": [...groups] }),
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
        const warnings = response.headers["warning"] ?? "";
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
