/** Which path is which webhook. SPEC: Kyverno 1.19 pkg/webhooks/server.go; kyverno-surface.md section 6.4. */
export type Route =
  | { readonly kind: "admission"; readonly webhook: "fail" | "ignore"; readonly policy: string | undefined }
  | { readonly kind: "side"; readonly webhook: "policy" | "exception" | "canary" }
  | { readonly kind: "liveness" }
  | { readonly kind: "readiness" };

const fixed: ReadonlyMap<string, Route> = new Map<string, Route>([
  ["/validate/fail", { kind: "admission", webhook: "fail", policy: undefined }],
  ["/validate/ignore", { kind: "admission", webhook: "ignore", policy: undefined }],
  ["/policyvalidate", { kind: "side", webhook: "policy" }],
  ["/exceptionvalidate", { kind: "side", webhook: "exception" }],
  ["/canary", { kind: "side", webhook: "canary" }],
  ["/health/liveness", { kind: "liveness" }],
  ["/health/readiness", { kind: "readiness" }],
]);

/** `/validate/fail/finegrained/name`, `…/namespace/name`. */
const finegrained = /^\/validate\/(fail|ignore)\/finegrained\/([^/]+(?:\/[^/]+)?)$/;

export function routeOf(path: string): Route | undefined {
  const found = fixed.get(path);
  if (found !== undefined) return found;
  const [, webhook, policy] = finegrained.exec(path) ?? [];
  if (policy === undefined) return undefined;
  return { kind: "admission", webhook: webhook === "fail" ? "fail" : "ignore", policy: decode(policy) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
