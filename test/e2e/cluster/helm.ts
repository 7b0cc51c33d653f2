/** helm, found in PATH or built once from its Go module into the user's cache. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";

import { findGo } from "../../../scripts/control-plane.js";

const MODULE = "helm.sh/helm/v3/cmd/helm@v3.18.6";

const folder = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "postern", "helm");

/** The program, or nothing on a machine that has none; `buildHelm` makes it before the suites. */
export const helm: string | undefined = findHelm();

function findHelm(): string | undefined {
  const places = [...(process.env["PATH"] ?? "").split(delimiter), folder];
  return places.map((place) => join(place, "helm")).find((path) => existsSync(path));
}

/** Builds helm where there is none; a machine that cannot is told loudly what is not tested. */
export function buildHelm(): void {
  if (findHelm() !== undefined) return;
  const go = findGo();
  if (go === undefined) {
    process.stderr.write(
      "\nNOT TESTED: the Helm chart. There is no helm on this machine, and no Go to build it.\n\n",
    );
    return;
  }
  mkdirSync(folder, { recursive: true });
  const path = `${dirname(go)}${delimiter}${process.env["PATH"]}`;
  const env = { ...process.env, PATH: path, GOBIN: folder, GOFLAGS: "-buildvcs=false", CGO_ENABLED: "0" };
  process.stderr.write("helm: building it from its Go module, some minutes\n");
  const { status } = spawnSync(go, ["install", MODULE], { stdio: "inherit", env });
  if (status !== 0) throw new Error(`helm could not be built (${status})`);
}
