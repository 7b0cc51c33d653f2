/**
 * The texts of Warning headers. SPEC: RFC 7234 section 5.5 as Kubernetes writes it (`299 - "text"`), apimachinery
 * pkg/util/net ParseWarningHeaders.
 */

/** `header` as node:http has it: each byte of the UTF-8 that Kubernetes sends is a character of its own. */
export function warningsIn(header: string | undefined): readonly string[] {
  return header === undefined ? [] : parseWarnings(Buffer.from(header, "latin1").toString("utf8"));
}

/** Node joins headers of one name with commas; commas within a quoted text belong to it. */
export function parseWarnings(header: string | undefined): readonly string[] {
  if (header === undefined) return [];
  const texts: string[] = [];
  const pattern = /\d{3} \S+ "((?:[^"\\]|\\.)*)"(?: "[^"]*")?/g;
  for (const match of header.matchAll(pattern)) texts.push((match[1] ?? "").replace(/\\(.)/g, "$1"));
  return texts;
}
