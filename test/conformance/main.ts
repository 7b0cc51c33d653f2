/**
 * `npm run conformance -- [suite…] [--data DIR] [--all] [--input]`: runs the named suites (all of them without a name)
 * and prints their misses and figures. Exit code 1 when a suite has a problem, 2 for a wrong call or absent data.
 */
import { parseArgs } from "node:util";
import { renderResult } from "./render.ts";
import { conformanceFolder, dataPath, loadSuite, runSuite } from "./run.ts";
import { suites } from "./suites/index.ts";

const usage = "usage: conformance [suite…] [--data DIR] [--all] [--input]";

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      data: { type: "string" },
      all: { type: "boolean", default: false },
      input: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const known = Object.keys(suites);
  if (values.help) return say(`${usage}\nsuites: ${known.join(", ")}`, 0);
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    return say(`unknown suite \`${unknown.join(", ")}\`; known: ${known.join(", ")}`, 2);
  const options = { maxMisses: values.all ? Number.POSITIVE_INFINITY : 20, inputs: values.input };
  let worst = 0;
  for (const name of positionals.length === 0 ? known : positionals) {
    worst = Math.max(worst, await runOne(name, values.data ?? conformanceFolder(), options));
  }
  return worst;
}

/** A suite that breaks is a fault of its own, and the others are run all the same. */
async function runOne(
  name: string,
  folder: string,
  options: { readonly maxMisses: number; readonly inputs: boolean },
): Promise<number> {
  try {
    const suite = await loadSuite(name);
    const path = dataPath(suite, folder);
    if (path === undefined) return say(`${name}: no data at ${folder}/${suite.data}`, 2);
    const result = await runSuite(suite, path);
    return say(renderResult(suite, result, options), result.problems.length > 0 ? 1 : 0);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    return say(`${name}: broke`, 3);
  }
}

function say(text: string, code: number): number {
  process.stdout.write(`${text}\n`);
  return code;
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  // Only reading the arguments fails here.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${usage}\n`);
  process.exitCode = 2;
}
