/** The first PEM block of a text; broken ones are passed over. SPEC: encoding/pem `Decode`. */
import { decodeBase64Bytes } from "../values/base64.ts";
import { encodeUtf8 } from "../values/utf8.ts";

export type PemBlock = { readonly type: string; readonly bytes: Uint8Array };

const BEGIN = "-----BEGIN ";
const DASHES = "-----";

export function decodePem(text: string): PemBlock | undefined {
  const lines = text.split("\n").map((line) => line.trimEnd());
  for (const [index, line] of lines.entries()) {
    if (!line.startsWith(BEGIN) || !line.endsWith(DASHES)) continue;
    const type = line.slice(BEGIN.length, -DASHES.length);
    const end = lines.indexOf(`-----END ${type}${DASHES}`, index);
    const bytes = end === -1 ? undefined : decodeBody(lines.slice(index + 1, end));
    if (bytes !== undefined) return { type, bytes };
  }
  return undefined;
}

/** Headers, `Name: value`, may stand before the base64. */
function decodeBody(lines: readonly string[]): Uint8Array | undefined {
  const body = lines.filter((line) => !line.includes(":")).join("");
  const bytes = decodeBase64Bytes(encodeUtf8(body));
  return typeof bytes === "number" ? undefined : bytes;
}
