/**
 * What a conformance suite is: rows with a wanted and a given answer, and deviations as rules with a reason. The data
 * lives outside the repository (`../shared/conformance`, `POSTERN_CONFORMANCE_DIR` or `--data`), so that the same suite
 * can be run on data that nobody here has seen.
 */
export type AnsweredRow = {
  readonly id: string;
  readonly passed: boolean;
  readonly want: unknown;
  readonly got: unknown;
  /** The raw vector, for deviations and for the list of misses. */
  readonly input?: unknown;
};

/** A row that the engine does not claim to cover yet: named, counted, and out of the total. */
export type UncoveredRow = { readonly id: string; readonly uncovered: string };

export type Row = AnsweredRow | UncoveredRow;

/** What a deviation sees of a row. What Postern answered is not in it, so a rule can become stale and never hide a miss. */
export type Question = {
  readonly want: unknown;
  /** The raw vector. */
  readonly input: unknown;
};

/** A class of inputs where Postern answers differently on purpose. Never a list of ids. */
export type Deviation = {
  readonly id: string;
  readonly reason: string;
  readonly covers: (question: Question) => boolean;
};

/**
 * An engine that is known to be wrong, held against the same data: what it passes, the suite would grant to any engine. It
 * runs with the suite, so that a runner which counts too much as met shows at once.
 */
export type Control = {
  readonly name: string;
  /** Whether this engine meets a row with that wanted answer by chance; it may pass no more rows than these. */
  readonly chance: (want: unknown) => boolean;
  /** Percentage of its rows that it may pass at most, where chance alone would allow more. */
  readonly most?: number;
  readonly run: Suite["run"];
};

export type Suite = {
  readonly name: string;
  /** Percentage of covered rows that must pass. */
  readonly bar: number;
  /** File or folder below the conformance folder. */
  readonly data: string;
  readonly deviations: readonly Deviation[];
  readonly controls?: readonly Control[];
  readonly run: (path: string) => Iterable<Row> | AsyncIterable<Row>;
};

export type ControlResult = {
  readonly name: string;
  readonly passed: number;
  readonly total: number;
  readonly percent: number;
  /** The percentage that it may reach. */
  readonly most: number;
};

export type SuiteResult = {
  readonly name: string;
  readonly passed: number;
  readonly total: number;
  readonly percent: number;
  readonly reachesBar: boolean;
  readonly misses: readonly AnsweredRow[];
  readonly uncovered: ReadonlyMap<string, number>;
  /** Rows that left the total, by deviation. */
  readonly deviated: ReadonlyMap<string, number>;
  /** Rows that pass although a deviation covers them: the deviation is stale. */
  readonly stale: readonly string[];
  /** Share of the answered rows that deviations took out. */
  readonly deviatedPercent: number;
  readonly controls: readonly ControlResult[];
  /** Why the suite fails; empty when it is fine. */
  readonly problems: readonly string[];
};
