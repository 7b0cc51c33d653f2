/**
 * The name that somebody probably meant. Used for unknown fields, kinds, functions, flags: the nearest of the known
 * names, when it is near enough to be a slip of the pen and not a different word.
 */

/**
 * The known name with the fewest edits to `name`, letters' case counting half. `undefined` where even the nearest
 * needs more edits than about a third of its length; of equally near names the first one wins.
 */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestCost = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const cost = editCost(name, candidate);
    if (cost < bestCost && cost <= allowedCost(name, candidate)) {
      best = candidate;
      bestCost = cost;
    }
  }
  return best;
}

function allowedCost(name: string, candidate: string): number {
  return Math.max(1, Math.ceil(Math.max(name.length, candidate.length) / 3));
}

/** Longer texts are no typing slips, and the work is the product of the lengths. */
const LONGEST = 80;

/** Levenshtein distance; 0.5 for a letter in the other case. */
export function editCost(left: string, right: string): number {
  if (left.length > LONGEST || right.length > LONGEST) return left === right ? 0 : LONGEST;
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const swap = (above[column - 1] ?? 0) + letterCost(left.charAt(row - 1), right.charAt(column - 1));
      const drop = (above[column] ?? 0) + 1;
      const add = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(swap, drop, add));
    }
    above = current;
  }
  return above[right.length] ?? 0;
}

function letterCost(left: string, right: string): number {
  if (left === right) return 0;
  return left.toLowerCase() === right.toLowerCase() ? 0.5 : 1;
}
