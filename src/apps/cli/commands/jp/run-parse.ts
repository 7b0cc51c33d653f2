/** The run of `postern jp parse`: how an expression is understood, as a tree. */
import { describeQuery } from "#jmespath";
import type { World } from "#platform";
import type { CommandInput } from "../../command.ts";
import { exitCodes } from "../../command.ts";
import { colorChoice, harmless, paintFor } from "../../render/paint.ts";
import { gatherExpressions } from "./input.ts";

export async function runParse(world: World, input: CommandInput): Promise<number> {
  const expressions = await gatherExpressions(world, input.operands, input.list("file"), true);
  const paint = paintFor(world.stdout, world.env, colorChoice(input));
  let code: number = exitCodes.fine;
  for (const expression of expressions) {
    const described = describeQuery(expression);
    world.stdout.write(`${paint.dim(`# ${expression}`)}\n`);
    if (typeof described === "string") world.stdout.write(`${described.trimEnd()}\n`);
    else {
      code = exitCodes.wrongInput;
      await world.stdout.flush();
      world.stderr.write(`postern jp parse: ${harmless(described.message)}\n`);
    }
  }
  return code;
}
