/** Policy exceptions from files of their own (`--exception`): there, documents of other kinds are an error. */
import type { PolicyException } from "#policy";
import { textMember } from "./object-text.ts";
import { loadPolicies } from "./policies.ts";
import type { Problem } from "./problem.ts";
import { placeProblem } from "./problem.ts";

export async function loadExceptions(
  paths: readonly string[],
): Promise<{ readonly exceptions: readonly PolicyException[]; readonly problems: readonly Problem[] }> {
  const { exceptions, others, policies, problems, sources } = await loadPolicies(paths);
  const strangers = [
    ...others.map(({ value, origin }) => ({ kind: textMember(value, "kind") || "no kind", origin })),
    ...policies.map(({ kind, origin }) => ({ kind, origin })),
  ];
  const wrong = strangers.flatMap(({ kind, origin }) => {
    const source = sources.get(origin.file);
    if (source === undefined) return [];
    return [
      placeProblem(source, origin.document, `${origin.pointer ?? ""}/kind`, {
        code: "input/wrong-kind",
        message: `\`kind: PolicyException\` is expected, this is \`${kind}\``,
      }),
    ];
  });
  return {
    exceptions,
    problems: [...problems.filter(({ diagnostic }) => diagnostic.code !== "policy/none-found"), ...wrong],
  };
}
