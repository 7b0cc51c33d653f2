/** `npm run test:e2e`: the suites that need a real API server, one after the other on what is left of the machine. */
import { defineConfig } from "vitest/config";

import base from "./vitest.config.ts";

export default defineConfig({
  ...base,
  test: {
    include: ["test/e2e/**/*.e2e.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    maxConcurrency: 10,
    globalSetup: ["test/e2e/control-plane/ready.ts"],
  },
});
