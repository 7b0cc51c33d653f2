/** Names of subjects and issuers, in the form that Go gives them in JSON. SPEC: crypto/x509/pkix `Name`. */
import type { Json } from "#json";
import { decodeUtf8 } from "#json";
import type { DerElement } from "./der.ts";
import { childrenOf, derTags, readOid } from "./der.ts";

/** Attributes that may occur several times, under 2.5.4. */
const LISTS: ReadonlyMap<number, string> = new Map([
  [6, "Country"],
  [10, "Organization"],
  [11, "OrganizationalUnit"],
  [7, "Locality"],
  [8, "Province"],
  [9, "StreetAddress"],
  [17, "PostalCode"],
]);

const SINGLES: ReadonlyMap<number, string> = new Map([
  [3, "CommonName"],
  [5, "SerialNumber"],
]);

export function decodeName(element: DerElement | undefined): Json | undefined {
  const sets = childrenOf(element, derTags.sequence);
  if (sets === undefined) return undefined;
  const names: Json[] = [];
  const lists = new Map<string, string[]>();
  const singles = new Map<string, string>([...SINGLES.values()].map((name) => [name, ""]));
  for (const set of sets) {
    for (const attribute of childrenOf(set, derTags.set) ?? []) {
      const [typeElement, valueElement] = childrenOf(attribute, derTags.sequence) ?? [];
      const type = readOid(typeElement);
      if (type === undefined || valueElement === undefined) return undefined;
      const value = textOf(valueElement);
      names.push({ Type: type, Value: value });
      record(type, value, lists, singles);
    }
  }
  const listMembers = [...LISTS.values()].map((name) => [name, lists.get(name) ?? null] as const);
  return {
    ...Object.fromEntries(singles),
    ...Object.fromEntries(listMembers),
    Names: names.length === 0 ? null : names,
    ExtraNames: null,
  };
}

function record(
  type: readonly number[],
  value: string,
  lists: Map<string, string[]>,
  singles: Map<string, string>,
): void {
  if (type.length !== 4 || type.slice(0, 3).join(".") !== "2.5.4") return;
  const last = type[3] ?? 0;
  const single = SINGLES.get(last);
  if (single !== undefined) singles.set(single, value);
  const list = LISTS.get(last);
  if (list !== undefined) lists.set(list, [...(lists.get(list) ?? []), value]);
}

const BMP_STRING = 0x1e;
const LATIN_STRING = 0x14;

function textOf({ tag, content }: DerElement): string {
  if (tag === LATIN_STRING) return String.fromCharCode(...content);
  if (tag !== BMP_STRING) return decodeUtf8(content);
  let text = "";
  for (let at = 0; at + 1 < content.length; at += 2) {
    text += String.fromCharCode(((content[at] ?? 0) << 8) | (content[at + 1] ?? 0));
  }
  return text;
}
