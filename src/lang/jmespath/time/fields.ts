/** What the elements of a layout have read from a text so far. */
export type Fields = {
  readonly year: number;
  readonly month?: number;
  readonly day?: number;
  readonly yearDay?: number;
  readonly hour: number;
  readonly half?: "am" | "pm";
  readonly minute: number;
  readonly second: number;
  readonly nanosecond: number;
  /** Seconds east of UTC. */
  readonly offset?: number;
};

export const noFields: Fields = { year: 0, hour: 0, minute: 0, second: 0, nanosecond: 0 };
