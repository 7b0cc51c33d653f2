/** Breaks text at spaces so that no line is wider than asked, long words aside. Line ends of the text are kept. */
export function wrapText(text: string, width: number): readonly string[] {
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): readonly string[] {
  const lines: string[] = [];
  let current = "";
  for (const word of line.split(" ")) {
    if (current !== "" && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else current = current === "" ? word : `${current} ${word}`;
  }
  return [...lines, current];
}
