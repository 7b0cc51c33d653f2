/** Tests run on the sources (the `@postern/source` condition); what is spawned runs from `dist`. */
import { defineConfig } from "vitest/config";

const conditions = ["@postern/source"];

export default defineConfig({
  resolve: { conditions: [...conditions, "node", "import", "module", "default"] },
  ssr: { resolve: { conditions: [...conditions, "node", "import", "module", "default"] } },
  test: { include: ["src/**/*.test.ts", "test/**/*.test.ts"], testTimeout: 60_000 },
});
