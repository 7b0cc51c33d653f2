/** Counters of an API server, from its /metrics page. */
import type { ApiAnswer, ApiCall } from "./caller.ts";

export type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number };

/** Samples with exactly this name; none where the counter was never counted. */
export async function readMetrics(
  call: (call: ApiCall) => Promise<ApiAnswer>,
  name: string,
): Promise<readonly Sample[]> {
  const { text } = await call({ method: "GET", path: "/metrics" });
  return text
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .map((line) => ({
      labels: Object.fromEntries(
        [...line.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = "", value = ""]) => [label, value]),
      ),
      value: Number(line.slice(line.lastIndexOf(" ") + 1)),
    }));
}
