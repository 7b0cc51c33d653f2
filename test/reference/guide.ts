/**
 * A guide as a program. A YAML block is a file, named by the last `code span` that ends in `.yaml` before it; a `console`
 * block is commands behind `$ ` with what they print. Other blocks (`sh`, `yml`) are for reading. What is printed is
 * compared without spaces at the ends of lines.
 */
export type GuideStep =
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "command"; readonly line: number; readonly command: string; readonly prints: string };

export function readGuide(page: string): readonly GuideStep[] {
  const steps: GuideStep[] = [];
  for (const block of page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)) {
    const [, language = "", body = ""] = block;
    const before = page.slice(0, block.index);
    if (language === "yaml") {
      const path = [...before.matchAll(/`([\w./-]+\.yaml)`/g)].at(-1)?.[1];
      if (path !== undefined) steps.push({ kind: "file", path, text: body });
    } else if (language === "console") {
      steps.push(...readConsole(body, before.split("\n").length + 1));
    }
  }
  return steps;
}

function readConsole(body: string, firstLine: number): readonly GuideStep[] {
  const lines = body.split("\n");
  const starts = lines.flatMap((line, index) => (line.startsWith("$ ") ? [index] : []));
  return starts.map((start, index) => ({
    kind: "command",
    line: firstLine + start,
    command: (lines[start] ?? "").slice(2),
    prints: withoutTrails(lines.slice(start + 1, starts[index + 1]).join("\n")),
  }));
}

export function withoutTrails(text: string): string {
  return text.replaceAll(/[ \t]+$/gm, "").trimEnd();
}
