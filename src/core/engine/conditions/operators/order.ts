/** The four orders that conditions know, each with a name. NaN is in none. */

export type Order = {
  readonly name: string;
  readonly holds: (key: number | bigint, value: number | bigint) => boolean;
};

export const orders: readonly Order[] = [
  { name: "GreaterThanOrEquals", holds: (key, value) => key >= value },
  { name: "GreaterThan", holds: (key, value) => key > value },
  { name: "LessThanOrEquals", holds: (key, value) => key <= value },
  { name: "LessThan", holds: (key, value) => key < value },
];
