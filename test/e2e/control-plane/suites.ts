/** Where a suite asks whether it can run, how much of it, and from which seed. */
import { findControlPlane, versions } from "../../../scripts/control-plane.js";

/** The versions that are there: all, unless this machine cannot have them. */
export const available: readonly string[] = versions.filter(
  (version) => findControlPlane(version) !== undefined,
);

/** The one that suites use that are not about versions. */
export const anyVersion: string = available[0] ?? versions[0] ?? "";

/** Everything, in place of a sample: `npm run test:e2e -- --full`. */
export const full: boolean = process.env["POSTERN_E2E_FULL"] === "1";

export const seed: number = Number(process.env["POSTERN_E2E_SEED"] ?? 20_261_201);

/** Whether there is any; on a CI machine the run has failed before this is asked. */
export const canRun: boolean = available.length > 0;

const missing = versions.filter((version) => !available.includes(version));
if (missing.length > 0) {
  process.stderr.write(
    `\nNOT TESTED against Kubernetes ${missing.join(" and ")}: there is no kube-apiserver of it on this machine, and no Go to build one (node scripts/control-plane.js).\n${canRun ? "" : "Everything that needs a real API server was skipped.\n"}\n`,
  );
}
