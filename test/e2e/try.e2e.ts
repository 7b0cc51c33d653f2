import { test } from "vitest";
import { startControlPlane } from "./control-plane/control-plane.ts";
import { writeFileSync, existsSync } from "node:fs";
test("plane", { timeout: 3_600_000 }, async () => {
  const plane = await startControlPlane({ version: "1.34.3", controllerManager: true });
  writeFileSync("/tmp/e2e/kubeconfig", plane.kubeconfig);
  while (!existsSync("/tmp/e2e/stop")) await new Promise((r) => setTimeout(r, 500));
  await plane.stop();
});
