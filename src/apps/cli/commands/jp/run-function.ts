/** The run of `postern jp function`: the functions that expressions may call, from the definitions that evaluate them. */
import { nearestName } from "#diag";
import { functionTable } from "#jmespath";
import type { World } from "#platform";
import type { CommandInput } from "../../command.ts";
import { exitCodes } from "../../command.ts";
import type { Paint } from "../../render/paint.ts";
import { colorChoice, paintFor } from "../../render/paint.ts";
import { wrapText } from "../../render/wrap-text.ts";

type Described = { readonly name: string; readonly signature: string; readonly note: string };

export async function runFunction(world: World, input: CommandInput): Promise<number> {
  const all: readonly Described[] = [...functionTable].sort((a, b) => (a.name < b.name ? -1 : 1));
  const paint = paintFor(world.stdout, world.env, colorChoice(input));
  const wanted = input.operands.length === 0 ? all.map(({ name }) => name) : input.operands;
  let code: number = exitCodes.fine;
  for (const name of wanted) {
    const found = all.find((candidate) => candidate.name === name);
    if (found !== undefined) world.stdout.write(describe(found, world.stdout.columns, paint));
    else {
      code = exitCodes.wrongInput;
      const nearest = nearestName(
        name,
        all.map((candidate) => candidate.name),
      );
      const help = nearest === undefined ? "" : `; did you mean \`${nearest}\`?`;
      world.stderr.write(`postern jp function: there is no function \`${name}\`${help}\n`);
    }
  }
  return code;
}

function describe({ name, signature, note }: Described, columns: number, paint: Paint): string {
  const text = wrapText(note, Math.min(columns, 100) - 13).join(`\n${" ".repeat(13)}`);
  const row = (key: string, value: string): string => `  ${paint.dim(key.padEnd(10))} ${value}\n`;
  return `${row("Name:", paint.bold(name))}${row("Signature:", signature)}${row("Note:", text)}\n`;
}
