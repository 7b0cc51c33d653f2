/** The two forms of time in certificates, as RFC 3339 in UTC. SPEC: RFC 5280 section 4.1.2.5. */
import { decodeUtf8 } from "#json";
import { formatInstant, instantAt } from "../time/instant.ts";
import type { DerElement } from "./der.ts";
import { derTags } from "./der.ts";

/** Years of two digits lie between 1950 and 2049. */
export function decodeCertificateTime({ tag, content }: DerElement): string | undefined {
  const text = decodeUtf8(content);
  const digits = tag === derTags.utcTime ? century(text) + text : text;
  if (tag !== derTags.utcTime && tag !== derTags.generalizedTime) return undefined;
  const found = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(digits);
  if (found === null) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = found.slice(1).map(Number);
  return formatInstant(instantAt({ year, month, day, hour, minute, second, nanosecond: 0 }, 0));
}

function century(text: string): string {
  return Number(text.slice(0, 2)) >= 50 ? "19" : "20";
}
