/**
 * Anchors are marks around the keys of a pattern: `(key)`, `=(key)`, `X(key)` and so on. Here they are read; what each
 * means is in `anchor-handlers.ts`. Anything that is not exactly a mark around a key is an ordinary key.
 * SPEC: Kyverno 1.19 pkg/engine/anchor/anchor.go; kyverno-surface.md section 3.1.
 */
export type AnchorName = "condition" | "global" | "negation" | "addition" | "equality" | "existence";

export type Anchor = {
  readonly name: AnchorName;
  /** What stands in front of the parentheses. */
  readonly symbol: string;
  /** The key inside, spaces and all. */
  readonly key: string;
};

const namesBySymbol: ReadonlyMap<string, AnchorName> = new Map([
  ["", "condition"],
  ["<", "global"],
  ["X", "negation"],
  ["+", "addition"],
  ["=", "equality"],
  ["^", "existence"],
]);

/** The anchor that `text` is, spaces around it aside; `undefined` for an ordinary key (`()` is one). */
export function parseAnchor(text: string): Anchor | undefined {
  const [, symbol = "", key = ""] = /^([+<=X^]?)\(([^\n]+)\)$/.exec(text.trim()) ?? [];
  const name = key === "" ? undefined : namesBySymbol.get(symbol);
  return name === undefined ? undefined : { name, symbol, key };
}

/** `text` without its anchor, if it has one. */
export function bareKey(text: string): string {
  return parseAnchor(text)?.key ?? text;
}
