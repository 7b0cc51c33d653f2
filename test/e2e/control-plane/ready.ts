/**
 * Before the suites: the control planes are there, or it is said loudly that nothing was tested. A machine without Go
 * may skip them; a CI machine (`CI` is set) may not.
 */
import { buildHelm } from "../cluster/helm.ts";
import { buildControlPlane, findControlPlane, findGo, versions } from "../../../scripts/control-plane.js";

export async function setup(): Promise<void> {
  buildHelm();
  const missing = versions.filter((version) => findControlPlane(version) === undefined);
  if (missing.length === 0) return;
  if (findGo() === undefined && process.env["CI"] === undefined) return;
  for (const version of missing) {
    await buildControlPlane(version, (line) => process.stderr.write(`control plane: ${line}\n`));
  }
}
