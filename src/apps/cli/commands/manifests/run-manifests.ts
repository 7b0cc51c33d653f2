/** The run of `postern manifests`. */
import { printYaml } from "#json";
import type { World } from "#platform";
import type { CommandInput } from "../../command.ts";
import { exitCodes } from "../../command.ts";
import { readVersion } from "../version.ts";
import { installManifests } from "./install-manifests.ts";
import { decodeInstallOptions } from "./options.ts";

export async function runManifests(world: World, input: CommandInput): Promise<number> {
  const objects = installManifests(decodeInstallOptions(input, readVersion()));
  world.stdout.write(
    input.text("output") === "json"
      ? `${JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }, null, 2)}\n`
      : objects.map((object) => `---\n${printYaml(object)}`).join(""),
  );
  return exitCodes.fine;
}
