/**
 * Writes the reference pages that are made from code. Usage: npm run reference. `reference.test.ts` compares the pages
 * with what would be written.
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { renderPages } from "./pages.ts";

const root = resolve(import.meta.dirname, "../..");

for (const { path, text } of await renderPages()) {
  writeFileSync(resolve(root, path), text);
  process.stdout.write(`${path}\n`);
}
