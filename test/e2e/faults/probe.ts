/**
 * What a gate must still do while and after something is done to it: let past what violates nothing, refuse what does,
 * answer in time, live. Every sentence is a finding; none means that all is well.
 */
import * as https from "node:https";

import type { FaultKind, FaultTarget } from "./kinds.ts";

export type Probe = {
  readonly port: number;
  readonly path: string;
  /** Let past by every policy, and refused by one. */
  readonly good: string;
  readonly bad: string;
  /** Whether the process is there. */
  readonly isAlive: () => boolean;
};

const HANG_MS = 20_000;

export async function findingsOf(
  probe: Probe,
  kind: FaultKind,
  random: () => number,
  times: number,
): Promise<readonly string[]> {
  const findings: string[] = [];
  const target: FaultTarget = { port: probe.port, path: probe.path, good: probe.good, random };
  for (let count = 0; count < times && findings.length < 5; count++) {
    const [injected, during] = await Promise.allSettled([kind.inject(target), ask(probe, probe.good)]);
    if (injected.status === "rejected") findings.push(`${kind.name}: ${String(injected.reason)}`);
    else if (injected.value.includes('"allowed":false'))
      findings.push(`${kind.name}: it refused what nobody judged`);
    if (during.status === "rejected") findings.push(`${kind.name}: beside it ${String(during.reason)}`);
    else if (during.value === "refused") findings.push(`${kind.name}: a good review beside it was refused`);
    findings.push(...(await stateOf(probe, kind.name)));
  }
  return findings;
}

async function stateOf(probe: Probe, name: string): Promise<readonly string[]> {
  if (!probe.isAlive()) return [`${name}: the process is gone`];
  try {
    const [good, bad] = [await ask(probe, probe.good), await ask(probe, probe.bad)];
    return [
      ...(good === "allowed" ? [] : [`${name}: a good review after it was ${good}`]),
      ...(bad === "refused" ? [] : [`${name}: a bad review after it was ${bad}`]),
    ];
  } catch (error) {
    return [`${name}: after it ${String(error)}`];
  }
}

/**
 * A fault of the server is neither allowed nor refused.
 * @param agent keeps connections; a new one each time where absent
 */
export function ask(
  { port, path }: Pick<Probe, "port" | "path">,
  body: string,
  agent?: https.Agent,
): Promise<"allowed" | "refused" | "failed"> {
  return new Promise((done, fail) => {
    const options = {
      host: "127.0.0.1",
      port,
      path,
      method: "POST",
      rejectUnauthorized: false,
      timeout: HANG_MS,
      agent: agent ?? false,
    };
    const request = https.request(options, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("error", fail);
      response.on("end", () => {
        if (response.statusCode !== 200) done("failed");
        else done(text.includes('"allowed":true') ? "allowed" : "refused");
      });
    });
    request.on("timeout", () => request.destroy(new Error("no answer: it hangs")));
    request.on("error", fail);
    request.end(body);
  });
}
