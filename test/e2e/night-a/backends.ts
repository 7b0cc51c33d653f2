/** Who can stand behind the front of a gate: one that refuses everything, one that judges, and one that runs elsewhere. */
import * as https from "node:https";

import type { ControlPlane } from "../control-plane/control-plane.ts";
import { createCaller } from "../control-plane/caller.ts";
import { openRoute } from "../control-plane/route.ts";
import type { Backend } from "./gate.ts";
import { refusal, refusedLabel } from "./refusal.ts";

/** An engine that turns its own failure into a denial, as in the night: whatever comes in is refused. */
export const refuseAll: Backend = {
  review: (_, body) => Promise.resolve(respond(body, false)),
  cutRoute: () => undefined,
  stop: () => Promise.resolve(),
};

/**
 * A stand-in that keeps Postern's rules: it looks something up for every review, refuses what violates, and says 5xx
 * where its own API server is out of reach.
 */
export async function createStandIn(plane: ControlPlane): Promise<Backend> {
  const route = await openRoute(plane.server);
  const caller = createCaller(route.address, plane.admin);
  return {
    async review(_, body) {
      try {
        await caller.call({ method: "GET", path: "/version", timeoutMs: 2_000 });
      } catch {
        return { status: 503, body: "the API server is out of reach" };
      }
      const { request } = JSON.parse(body.toString()) as {
        request: { object: { metadata?: { labels?: Record<string, string> } } | null };
      };
      return respond(body, request.object?.metadata?.labels?.[refusedLabel] === undefined);
    },
    cutRoute: (cut) => (cut ? route.cut() : route.mend()),
    async stop() {
      caller.close();
      await route.close();
    },
  };
}

/** A gate in a process of its own; `cutRoute` is left to whoever gave that process its kubeconfig. */
export function forwardTo(
  url: string,
  { ca, cutRoute, stop }: { readonly ca: string } & Pick<Backend, "cutRoute" | "stop">,
): Backend {
  const agent = new https.Agent({ keepAlive: true, ca });
  return {
    review: (path, body) =>
      new Promise((done, fail) => {
        const request = https.request(`${url}${path}`, {
          method: "POST",
          agent,
          headers: { "content-type": "application/json" },
        });
        request.on("error", fail);
        request.on("response", (response) => {
          let text = "";
          response.setEncoding("utf8");
          response.on("data", (part: string) => (text += part));
          response.on("error", fail);
          response.on("end", () => done({ status: response.statusCode ?? 0, body: text }));
        });
        request.end(body);
      }),
    cutRoute,
    async stop() {
      agent.destroy();
      await stop();
    },
  };
}

function respond(body: Buffer, allowed: boolean): { readonly status: number; readonly body: string } {
  const { request } = JSON.parse(body.toString()) as { request: { uid: string } };
  const response = {
    uid: request.uid,
    allowed,
    ...(allowed ? {} : { status: { code: 400, message: refusal } }),
  };
  return {
    status: 200,
    body: JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response }),
  };
}
