/** Breaks text at spaces so that no line is wider than asked, long words aside. Line ends and indents of the text stay. */
export function wrapText(text: string, width: number): readonly string[] {
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): readonly string[] {
  const words = line.trimStart().split(" ");
  const indent = line.slice(0, line.length - line.trimStart().length);
  const lines: string[] = [];
  let current = indent + (words.shift() ?? "");
  for (const word of words) {
    if (current.length + 1 + word.length > width) {
      lines.push(current);
      current = indent + word;
    } else current += ` ${word}`;
  }
  return [...lines, current];
}
