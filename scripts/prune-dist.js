/**
 * Removes from `dist` what the compiler made of sources that are gone: `tsc -b` leaves it there, and it would be packed.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const dist = join(root, "dist");

for (const path of readdirSync(dist, { recursive: true, encoding: "utf8" })) {
  const stem = /^(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(path)?.[1];
  if (stem !== undefined && !existsSync(join(root, "src", `${stem}.ts`))) rmSync(join(dist, path));
}
