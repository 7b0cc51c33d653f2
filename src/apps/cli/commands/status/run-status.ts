/** The run of `postern status`. */
import { createKubeClient, loadClusterConfig } from "#kube";
import type { World } from "#platform";
import type { CommandInput } from "../../command.ts";
import { exitCodes } from "../../command.ts";
import { colorChoice, paintFor } from "../../render/paint.ts";
import { readVersion } from "../version.ts";
import { attentionIn } from "./cluster-status.ts";
import { readStatus } from "./read-status.ts";
import { renderStatus } from "./render-status.ts";

const TIMEOUT_MS = 10_000;

export async function runStatus(world: World, input: CommandInput): Promise<number> {
  const config = await loadClusterConfig({
    env: world.env,
    nowMs: world.nowMs,
    kubeconfig: input.text("kubeconfig"),
    context: input.text("context"),
    filesFirst: true,
    interactive: world.stdinIsTty(),
  });
  const client = createKubeClient(config, {
    userAgent: `postern/${readVersion()}`,
    nowMs: world.nowMs,
    random: Math.random,
    timeoutMs: TIMEOUT_MS,
  });
  try {
    const nowMs = world.nowMs();
    const status = await readStatus(client, input.text("namespace") ?? "postern", nowMs);
    const attention = attentionIn(status);
    world.stdout.write(
      input.text("output") === "json"
        ? `${JSON.stringify({ attention, ...status }, null, 2)}\n`
        : renderStatus(status, paintFor(world.stdout, world.env, colorChoice(input)), nowMs),
    );
    return attention.length === 0 ? exitCodes.fine : exitCodes.policyResult;
  } finally {
    client.close();
  }
}
