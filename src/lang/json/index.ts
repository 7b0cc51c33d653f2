/** Door of `json`: values, text and places in text. */
export { isArray, isObject, member } from "./json.ts";
export { withInt64 } from "./typed.ts";
export type { Json, JsonObject } from "./json.ts";
export type { TypedJson, TypedObject } from "./typed.ts";
