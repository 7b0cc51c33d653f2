/**
 * The root of queries inside a foreach: the root around it, and the current element under its names. One frame serves all
 * elements of a list: it is changed from one to the next.
 * INVARIANT: a frame is never part of what a query yields; queries that could yield their root get a copy of it.
 * PERF: a new root for each element took half of the time of a foreach rule.
 */
import type { Json, JsonObject } from "#json";

/** A level of nesting with its names spelled out: names that are put together are looked up anew at each use. */
type Level = {
  readonly create: (base: JsonObject) => Record<string, Json>;
  readonly show: (root: Record<string, Json>, element: Json, index: number) => void;
};

/** PERF: a literal that ends with the spread takes 30 ns, one that begins with it 2.7 us. */
const levels: readonly Level[] = [
  {
    create: (base) => ({ element: null, elementIndex: 0, element0: null, elementIndex0: 0, ...base }),
    show(root, element, index) {
      root["element0"] = element;
      root["elementIndex0"] = index;
    },
  },
  {
    create: (base) => ({ element: null, elementIndex: 0, element1: null, elementIndex1: 0, ...base }),
    show(root, element, index) {
      root["element1"] = element;
      root["elementIndex1"] = index;
    },
  },
];

/** Deeper than policies go. */
function deepLevel(nesting: number): Level {
  return {
    create: (base) => ({ element: null, elementIndex: 0, ...base }),
    show(root, element, index) {
      root[`element${nesting}`] = element;
      root[`elementIndex${nesting}`] = index;
    },
  };
}

export class ElementFrame {
  readonly base: JsonObject;
  readonly root: Record<string, Json>;
  readonly #level: Level;

  /** @param nesting depth of the foreach, from 0: the element is also known as `elementN` */
  constructor(base: JsonObject, nesting: number) {
    this.base = base;
    this.#level = levels[nesting] ?? deepLevel(nesting);
    this.root = this.#level.create(base);
  }

  show(element: Json, index: number): void {
    this.root["element"] = element;
    this.root["elementIndex"] = index;
    this.#level.show(this.root, element, index);
  }
}
