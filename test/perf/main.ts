/** `npm run bench -- [name…]`: prints ratios and slopes, each taken within one run. */
import { b1 } from "./b1-pod-security.ts";
import { b2 } from "./b2-gate.ts";
import { b3 } from "./b3-serve.ts";
import { b6Gate, b7Gate } from "./b67-gate.ts";
import { b6 } from "./b6-unmatched.ts";
import { b7 } from "./b7-growth.ts";
import { applySlope, startUp, testRows } from "./processes.ts";

const benches: Readonly<Record<string, () => string | Promise<string>>> = {
  b1,
  b2,
  b3,
  b6,
  b7,
  "b6-gate": b6Gate,
  "b7-gate": b7Gate,
  apply: applySlope,
  b4: testRows,
  start: startUp,
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => benches[name] === undefined);
if (unknown.length > 0) {
  process.stderr.write(`unknown bench ${unknown.join(", ")}; known: ${Object.keys(benches).join(", ")}\n`);
  process.exitCode = 2;
} else {
  for (const name of asked.length === 0 ? Object.keys(benches) : asked) {
    process.stdout.write(`${(await benches[name]?.()) ?? ""}\n`);
  }
}
