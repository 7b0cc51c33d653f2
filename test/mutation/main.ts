/**
 * `npm run mutation -- [word…] [--data DIR] [--jobs N]`: makes each mutant (those whose file or name holds a word) in a
 * copy of `dist` and asks its judges. Exit code 1 when one survives or breaks its judges, 2 when the run says nothing:
 * absent data, a mutant that does not fit the code, a judge that is not in order before anything is changed.
 */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ask, hasNews } from "./judge.ts";
import { misfit, type Mutant } from "./mutant.ts";
import { mutants } from "./mutants.ts";
import { createWorkspace, type Workspace } from "./workspace.ts";

type Faults = ReadonlyMap<string, readonly string[]>;
type Setting = { readonly data: string; readonly before: Faults };

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { data: { type: "string" }, jobs: { type: "string", default: "2" } },
  });
  const data = resolve(values.data ?? process.env["POSTERN_CONFORMANCE_DIR"] ?? "../shared/conformance");
  if (!existsSync(data)) return say(`no conformance data at ${data}`, 2);
  const asked = mutants.filter(({ file, name }) =>
    positionals.every((word) => `${file} ${name}`.includes(word)),
  );
  const misfits = asked.flatMap(
    (mutant) => misfit(mutant, readFileSync(join("dist", mutant.file), "utf8")) ?? [],
  );
  if (misfits.length > 0 || asked.length === 0) return say(["no run", ...misfits].join("\n"), 2);
  const spaces = Array.from({ length: Number(values.jobs) }, () => createWorkspace("."));
  try {
    return await judgeAll(asked, spaces, data);
  } finally {
    for (const space of spaces) space.dispose();
  }
}

async function judgeAll(
  asked: readonly Mutant[],
  spaces: readonly Workspace[],
  data: string,
): Promise<number> {
  const judges = [...new Set(asked.flatMap((mutant) => mutant.judges))];
  const before = new Map<string, readonly string[]>();
  await inTurn(judges, spaces, async (judge, { folder }) => {
    const judgement = await ask(judge, folder, data);
    const sound =
      judgement.kind === "answered" && (judgement.faults.length === 0 || !judge.startsWith("check:"));
    if (sound) before.set(judge, judgement.faults);
    else say(`not in order before any change: ${judge}: ${JSON.stringify(judgement)}`, 2);
  });
  if (before.size < judges.length) return 2;
  let caught = 0;
  await inTurn(asked, spaces, async (mutant, space) => {
    const verdict = await judgeOne(mutant, space, { data, before });
    if (verdict.startsWith("caught")) caught += 1;
    say(`${mutant.file}: ${mutant.name}: ${verdict}`, 0);
  });
  return say(`mutants: ${caught} of ${asked.length} caught`, caught === asked.length ? 0 : 1);
}

/** A judge that breaks proves nothing: such a mutant is replaced by one that gives wrong answers. */
async function judgeOne(mutant: Mutant, space: Workspace, { data, before }: Setting): Promise<string> {
  const restore = space.apply(mutant);
  try {
    for (const judge of mutant.judges) {
      const judgement = await ask(judge, space.folder, data);
      if (judgement.kind === "broke") return `BROKE ${judge}: ${judgement.text.slice(0, 400)}`;
      if (judgement.kind === "endless") return `caught by ${judge}, which does not end`;
      if (hasNews(judgement.faults, before.get(judge) ?? [])) return `caught by ${judge}`;
    }
    return "SURVIVED";
  } finally {
    restore();
  }
}

/** Each workspace takes the next item when it has done with one. */
async function inTurn<Item>(
  items: readonly Item[],
  spaces: readonly Workspace[],
  work: (item: Item, space: Workspace) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  await Promise.all(
    spaces.map(async (space) => {
      for (const item of queue) await work(item, space);
    }),
  );
}

function say(text: string, code: number): number {
  process.stdout.write(`${text}\n`);
  return code;
}

process.exitCode = await main(process.argv.slice(2));
