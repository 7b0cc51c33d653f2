/**
 * The run of `apply`: resources are read, judged, shown and let go, a batch at a time, so that memory does not grow with
 * their number. What could not be read is said at once, on standard error, and decides the exit code at the end.
 */
import type { Verdict } from "#engine";
import { metadataText } from "../../load/object-text.ts";
import { countedStatus, exitCodeOf } from "../../drive/tally.ts";
import type { CommandInput } from "../../command.ts";
import { exitCodes } from "../../command.ts";
import { findInputs } from "../../load/find-inputs.ts";
import type { Problem } from "../../load/problem.ts";
import type { LoadedResource, ResourceBatch } from "../../load/resources.ts";
import { renderProblem } from "../../render/diagnostic.ts";
import type { Finding } from "../../render/findings.ts";
import { colorChoice, paintFor } from "../../render/paint.ts";
import type { Progress } from "../../render/progress.ts";
import { createProgress } from "../../render/progress.ts";
import type { World } from "#platform";
import { expectShortWork, sizeOf } from "#platform";
import type { ApplyOptions } from "./options.ts";
import { decodeApplyOptions } from "./options.ts";
import type { ApplyPlan } from "./plan.ts";
import { createPlan } from "./plan.ts";
import type { Sink } from "./sink.ts";
import { createSink } from "./sinks.ts";
import { createTotals } from "./totals.ts";
import type { Totals } from "./totals.ts";

export async function runApply(world: World, input: CommandInput): Promise<number> {
  const options = decodeApplyOptions(input);
  expectShortWork(2);
  const plan = await createPlan(options, world);
  const run = await ApplyRun.create({ world, options, plan, color: colorChoice(input) });
  return run.run();
}

/** Problems that are remembered to be said once. */
const MAX_REMEMBERED = 1000;

type ApplyParts = {
  readonly world: World;
  readonly options: ApplyOptions;
  readonly plan: ApplyPlan;
  readonly color: string;
};

class ApplyRun {
  readonly #parts: ApplyParts;
  readonly #sink: Sink;
  readonly #totals: Totals;
  readonly #progress: Progress;
  #errors = 0;
  /** A file that is named as a policy and as a resource has one problem, not two. */
  readonly #said = new Set<string>();

  private constructor(parts: ApplyParts, sink: Sink) {
    const { world, options, plan, color } = parts;
    this.#parts = parts;
    this.#sink = sink;
    this.#totals = createTotals(plan.programs);
    this.#progress = createProgress(world, bytesToRead(options), paintFor(world.stderr, world.env, color));
  }

  static async create(parts: ApplyParts): Promise<ApplyRun> {
    const { world, options, plan, color } = parts;
    const paint = paintFor(world.stdout, world.env, color);
    return new ApplyRun(parts, await createSink({ world, options, programs: plan.programs, paint }));
  }

  async run(): Promise<number> {
    const { world, options, plan } = this.#parts;
    this.#say(plan.problems);
    for (const policy of plan.unsupported) {
      this.#totals.addUnsupported(policy);
      this.#sink.unsupported(policy);
    }
    let units = 0;
    for await (const batch of plan.batches) {
      await this.#judge(batch);
      units += batch.units;
      if (world.stdout.closed()) return exitCodes.fine;
      this.#progress.update(units, this.#totals.resources());
    }
    this.#progress.clear();
    this.#sink.end(this.#totals.summary(plan));
    return this.#errors > 0 ? this.#endUnread() : exitCodeOf(this.#totals.counts, options);
  }

  /** Said last, where long output has scrolled the errors away. */
  #endUnread(): number {
    const { stderr } = this.#parts.world;
    const errors = this.#errors === 1 ? "1 error" : `${this.#errors} errors`;
    stderr.write(`postern apply: ${errors} in the input, the rest was evaluated\n`);
    return exitCodes.wrongInput;
  }

  async #judge({ resources, problems }: ResourceBatch): Promise<void> {
    this.#say(problems);
    const { options, plan, world } = this.#parts;
    for (const loaded of resources) {
      if (!isWanted(loaded, options)) continue;
      const answer = plan.driver.evaluate(loaded.resource);
      this.#record(loaded, answer instanceof Promise ? await answer : answer);
    }
    await world.stdout.flush();
  }

  #record(loaded: LoadedResource, verdicts: readonly Verdict[]): void {
    const { options } = this.#parts;
    let flagged = false;
    let findings: Finding[] | undefined;
    for (const verdict of verdicts) {
      for (const result of verdict.rules) {
        const status = countedStatus(result, verdict, options.auditWarn);
        this.#totals.add(verdict.policy, status);
        const quiet = status === "pass" || status === "skip";
        if (!quiet) flagged = true;
        if (!quiet || options.detailed)
          (findings ??= []).push({ policy: verdict.policy, result, status, severity: verdict.severity });
      }
    }
    this.#totals.addResource(flagged);
    if (findings !== undefined) this.#progress.clear();
    this.#sink.resource(loaded, verdicts, findings ?? []);
  }

  #say(problems: readonly Problem[]): void {
    if (problems.length === 0) return;
    const { world, color } = this.#parts;
    this.#progress.clear();
    const paint = paintFor(world.stderr, world.env, color);
    void world.stdout.flush();
    for (const problem of problems) {
      const text = renderProblem(problem, paint);
      if (this.#said.has(text)) continue;
      if (this.#said.size < MAX_REMEMBERED) this.#said.add(text);
      if (problem.diagnostic.severity === "error") this.#errors += 1;
      world.stderr.write(text);
    }
    void world.stderr.flush();
  }
}

function isWanted({ resource }: LoadedResource, options: ApplyOptions): boolean {
  return options.namespace === undefined || metadataText(resource, "namespace") === options.namespace;
}

function bytesToRead(options: ApplyOptions): number {
  const { inputs } = findInputs(options.resourcePaths, { json: true });
  return inputs.reduce((sum, { file }) => sum + sizeOf(file), 0);
}
