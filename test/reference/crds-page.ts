/** The chart's CRDs, `deploy/chart/crds/kyverno.io.yaml`: what `postern manifests --crds only` prints. */
import { main } from "#cli";
import type { Output } from "#platform";

export async function crdsPage(): Promise<string> {
  let text = "";
  const output = (write: (piece: string) => void): Output => ({
    isTty: false,
    columns: 80,
    write,
    flush: async () => undefined,
    closed: () => false,
  });
  const world = {
    stdout: output((piece) => (text += piece)),
    stderr: output(() => undefined),
    env: {},
    nowMs: () => 0,
    seed: () => 0,
    stdinIsTty: () => false,
  };
  await main(world, ["manifests", "--crds", "only"]);
  return `# Written by \`npm run reference\` from what \`postern manifests --crds only\` prints.\n${text}`;
}
