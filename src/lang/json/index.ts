/** Door of `json`: values, text and places in text. */
export { decodeBase64, decodeBase64Text, decodeUtf8 } from "./base64.ts";
export { decodeJson } from "./decode-json.ts";
export { equalJson } from "./equality.ts";
export { isArray, isObject, member } from "./json.ts";
export { compareKeys, sortedKeys } from "./key-order.ts";
export { loadOne, loadYaml, readYaml, yamlLimits } from "./load-yaml.ts";
export { locate, locateNearest, readPlaces } from "./locate.ts";
export { appendPointer, arrayIndex, joinPointer, parsePointer, valueAt } from "./pointer.ts";
export { positionAt, spanAt } from "./positions.ts";
export { plainText, printJson, printJsonNumber, printJsonString } from "./print-json.ts";
export { printYaml } from "./print-yaml.ts";
export { isTypedArray, isTypedObject, withInt64 } from "./typed.ts";
export type { Json, JsonObject } from "./json.ts";
export type { LoadedDocument, LoadedFile, ReadStep } from "./load-yaml.ts";
export type { LocatedPart, Places } from "./locate.ts";
export type { PrintJsonOptions } from "./print-json.ts";
export type { TypedJson, TypedObject } from "./typed.ts";
