/**
 * Which queries answer differently when a whole number is an int64, as it is for the original in a scan, and not a
 * float64, as it is at admission and everywhere in Postern.
 */
const sensitive = /[=!<>]=|[<>]|\b(?:type|add|subtract|multiply|divide|modulo|sum|contains|abs|round)\(/;

export function tellsInt64(query: string): boolean {
  return sensitive.test(query);
}
