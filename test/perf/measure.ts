/**
 * Timing for machines that are shared and noisy: candidates take turns within one run, each figure is a median over
 * rounds with its spread, and what is published are ratios. CPU time, not wall time. Bytes allocated are the growth of
 * the heap over a stretch that is short enough for no collection to run in it (start node with
 * `--max-semi-space-size=256`).
 */
export type Candidate = { readonly name: string; readonly run: () => unknown };

export type Figure = {
  readonly name: string;
  /** Microseconds of CPU an operation: median, lowest, highest round. */
  readonly cpuUs: number;
  readonly low: number;
  readonly high: number;
  readonly bytes: number;
  /** The rounds in order; those of one index ran one after another. */
  readonly rounds: readonly number[];
};

const ROUNDS = 31;
const ROUND_MS = 40;

/** Keeps results alive, so that nothing is optimised away. */
let sink: unknown;

export function measure(candidates: readonly Candidate[]): readonly Figure[] {
  const counts = candidates.map(warmUp);
  const rounds = candidates.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    candidates.forEach((candidate, index) => rounds[index]?.push(cpuOf(candidate, counts[index] ?? 1)));
  }
  return candidates.map((candidate, index) => {
    const sorted = (rounds[index] ?? []).toSorted((a, b) => a - b);
    return {
      name: candidate.name,
      cpuUs: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
      low: sorted[0] ?? Number.NaN,
      high: sorted.at(-1) ?? Number.NaN,
      bytes: bytesOf(candidate),
      rounds: rounds[index] ?? [],
    };
  });
}

/** Median of the ratios round by round: what slows the machine down for a while slows both down. */
export function ratioOf(figure: Figure, to: Figure): number {
  return median(figure.rounds.map((cpu, index) => cpu / (to.rounds[index] ?? Number.NaN)));
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** How many operations fill a round. */
function warmUp(candidate: Candidate): number {
  const start = process.cpuUsage();
  let count = 0;
  while (cpuUs(start) < ROUND_MS * 4_000) {
    for (let i = 0; i < 50; i += 1) sink = candidate.run();
    count += 50;
  }
  return Math.max(1, Math.ceil(count / 4));
}

function cpuOf(candidate: Candidate, count: number): number {
  const start = process.cpuUsage();
  for (let i = 0; i < count; i += 1) sink = candidate.run();
  return cpuUs(start) / count;
}

function cpuUs(start: NodeJS.CpuUsage): number {
  const used = process.cpuUsage(start);
  return used.user + used.system;
}

function bytesOf(candidate: Candidate): number {
  const growths: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 200; i += 1) sink = candidate.run();
    growths.push((process.memoryUsage().heapUsed - before) / 200);
  }
  return median(growths.filter((growth) => growth >= 0));
}

/** @public For a program that wants to see that results were really made; without a reader the sink would be dead. */
export function lastResult(): unknown {
  return sink;
}

/** By least squares. */
export function slopeOf(points: readonly (readonly [number, number])[]): number {
  const meanX = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const meanY = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  const above = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0);
  return above / points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
}
