/** `npm run test:e2e`: takes `--full` and `--seed N` and gives the rest to vitest. */
import { spawnSync } from "node:child_process";

const words = process.argv.slice(2);
const seedAt = words.indexOf("--seed");
const seed = seedAt < 0 ? undefined : words[seedAt + 1];
const rest = words.filter(
  (word, index) => word !== "--full" && index !== seedAt && (seedAt < 0 || index !== seedAt + 1),
);
const env = {
  ...process.env,
  ...(words.includes("--full") ? { POSTERN_E2E_FULL: "1" } : {}),
  ...(seed === undefined ? {} : { POSTERN_E2E_SEED: seed }),
};
const { status } = spawnSync("npx", ["vitest", "run", "--config", "vitest.e2e.config.ts", ...rest], {
  stdio: "inherit",
  env,
});
process.exitCode = status ?? 1;
