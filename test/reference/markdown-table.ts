/** Tables of Markdown, padded as the formatter pads them, so that a written page is a formatted page. */

/** A table of one row or more; cells are Markdown. Bars inside of cells are escaped. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const lines = [head, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((row) => (row[column] ?? "").length)));
  const render = (cells: readonly string[]): string =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`;
  const [first = [], ...rest] = lines;
  return [render(first), render(widths.map((width) => "-".repeat(width))), ...rest.map(render)];
}
