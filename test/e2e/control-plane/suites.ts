/** Where a suite asks whether it can run, how much of it, and from which seed. */
import { findControlPlane, versions } from "../../../scripts/control-plane.js";

const present = versions.filter((version) => findControlPlane(version) !== undefined);

/** Whether there is any; on a CI machine the run has failed before this is asked. */
export const canRun: boolean = present.length > 0;

/** The versions that suites are about: those that are there, or, where none is, all, to be skipped by name. */
export const available: readonly string[] = canRun ? present : versions;

/** The one that suites use that are not about versions. */
export const anyVersion: string = available[0] ?? "";

/** Everything, in place of a sample: `npm run test:e2e -- --full`. */
export const full: boolean = process.env["POSTERN_E2E_FULL"] === "1";

export const seed: number = Number(process.env["POSTERN_E2E_SEED"] ?? 20_261_201);

const missing = versions.filter((version) => !present.includes(version));
if (missing.length > 0) {
  process.stderr.write(
    `\nNOT TESTED against Kubernetes ${missing.join(" and ")}: there is no kube-apiserver of it on this machine, and no Go to build one (node scripts/control-plane.js).\n${canRun ? "" : "Everything that needs a real API server was skipped.\n"}\n`,
  );
}
