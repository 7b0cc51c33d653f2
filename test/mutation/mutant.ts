/**
 * What a mutant is: one plausible mistake, as a replacement in one emitted file. The emitted JavaScript is patched, not
 * the source, so that nothing has to be compiled again for each of them; types and comments of the source may change.
 *
 * INVARIANT: `find` stands exactly once in its file; a mutant whose code has moved fails the run and never passes for
 * caught.
 */
export type Mutant = {
  /** The mistake, in words. */
  readonly name: string;
  /** Below `dist`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Who should see it: suites by name, own checks as `check:<name>`; the first one that does ends the question. */
  readonly judges: readonly string[];
};

/** `file: [name, find, replace, judge…]`; without a judge those of the area are asked. */
export type Mistake = readonly [name: string, find: string, replace: string, ...judges: readonly string[]];

/** The mutants of one folder below `dist`, whose mistakes the same judges should see. */
export function mutantsIn(
  folder: string,
  judges: readonly string[],
  files: Readonly<Record<string, readonly Mistake[]>>,
): readonly Mutant[] {
  return Object.entries(files).flatMap(([file, mistakes]) =>
    mistakes.map(([name, find, replace, ...own]) => ({
      name,
      file: `${folder}/${file}.js`,
      find,
      replace,
      judges: own.length > 0 ? own : judges,
    })),
  );
}

/** Why the mutant cannot be made from this text; `undefined` where it can. */
export function misfit(mutant: Mutant, text: string): string | undefined {
  if (mutant.find === mutant.replace) return `${mutant.file}: ${mutant.name}: changes nothing`;
  const found = text.split(mutant.find).length - 1;
  return found === 1
    ? undefined
    : `${mutant.file}: ${mutant.name}: found ${found} times instead of once: ${mutant.find}`;
}

/** The text with the mistake in it. */
export function mutate(mutant: Mutant, text: string): string {
  return text.split(mutant.find).join(mutant.replace);
}
