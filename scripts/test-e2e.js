/**
 * `npm run test:e2e`: a sample of the suites that need a real API server, drawn from a seed that is printed, or all of
 * them (`--full`). `--seed N` repeats a sample; everything else goes to vitest (names of files, `-t`).
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";

const words = process.argv.slice(2);
const full = words.includes("--full");
const seedAt = words.indexOf("--seed");
const seed = seedAt < 0 ? String(randomInt(1_000_000_000)) : (words[seedAt + 1] ?? "");
const ours = new Set(seedAt < 0 ? [] : [seedAt, seedAt + 1]);
const rest = words.filter((word, index) => word !== "--full" && !ours.has(index));

if (/^\d+$/.test(seed)) {
  const what = full ? "everything" : "a sample";
  process.stdout.write(
    `test:e2e: ${what}, seed ${seed} (npm run test:e2e -- ${full ? "--full " : ""}--seed ${seed})\n`,
  );
  const { status } = spawnSync("npx", ["vitest", "run", "--config", "vitest.e2e.config.ts", ...rest], {
    stdio: "inherit",
    env: { ...process.env, POSTERN_E2E_SEED: seed, POSTERN_E2E_FULL: full ? "1" : "0" },
  });
  process.exitCode = status ?? 1;
} else {
  process.stderr.write("test:e2e: `--seed` takes a whole number, 0 or more\n");
  process.exitCode = 2;
}
