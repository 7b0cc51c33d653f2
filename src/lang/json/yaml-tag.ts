/**
 * Explicit tags on scalars. The core tags of YAML 1.1 decide the type, `!!binary` is decoded, and every other tag
 * leaves the text as it is, as Go does for tags that it does not know.
 *
 * SPEC: sigs.k8s.io/yaml/goyaml.v2 `resolve`, `decoder.scalar`.
 */
import type { Json } from "./json.ts";
import { decodeBase64Text } from "./base64.ts";
import { resolvePlainScalar } from "./yaml-scalar.ts";

/** `undefined` where the text does not fit the tag. */
export function resolveTaggedScalar(tag: string, text: string): Json | undefined {
  switch (shortTag(tag)) {
    case "null":
      return typed(text, (value) => value === null);
    case "bool":
      return typed(text, (value) => typeof value === "boolean");
    case "int":
      return typed(text, (value) => typeof value === "number" && Number.isInteger(value));
    case "float":
      return typed(text, (value) => typeof value === "number");
    case "binary":
      return decodeBase64Text(text);
    default:
      return text;
  }
}

function typed(text: string, fits: (value: Json) => boolean): Json | undefined {
  const value = resolvePlainScalar(text);
  return fits(value) ? value : undefined;
}

/** `int` of `!!int` and of `!<tag:yaml.org,2002:int>`; other tags as they are written. */
function shortTag(tag: string): string {
  if (tag.startsWith("!!")) return tag.slice(2);
  const long = "!<tag:yaml.org,2002:";
  return tag.startsWith(long) && tag.endsWith(">") ? tag.slice(long.length, -1) : tag;
}
