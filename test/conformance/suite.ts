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

export type Suite = {
  readonly name: string;
  /** Percentage of covered rows that must pass. */
  readonly bar: number;
  /** File or folder below the conformance folder. */
  readonly data: string;
  readonly deviations: readonly Deviation[];
  readonly run: (path: string) => Iterable<Row> | AsyncIterable<Row>;
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
  /** Why the suite fails; empty when it is fine. */
  readonly problems: readonly string[];
};
