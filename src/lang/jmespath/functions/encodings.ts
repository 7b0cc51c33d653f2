/** Base64 and the hashes; texts are hashed and encoded as UTF-8. */
import { decodeUtf8 } from "#json";
import { md5 } from "../crypto/md5.ts";
import { sha1 } from "../crypto/sha1.ts";
import { sha256 } from "../crypto/sha256.ts";
import { failed } from "../query-error.ts";
import { decodeBase64Bytes, encodeBase64 } from "../values/base64.ts";
import { encodeUtf8 } from "../values/utf8.ts";
import type { FunctionDefinition } from "./definition.ts";
import { STRING, textAt } from "./definition.ts";

const base64Decode: FunctionDefinition = {
  name: "base64_decode",
  parameters: [STRING],
  returns: ["string"],
  note: "the text of a base64 text (standard alphabet, with padding)",
  call: (args, run) => {
    const text = textAt(args, 0);
    run.budget.charge(text.length >> 3);
    const bytes = decodeBase64Bytes(encodeUtf8(text));
    return typeof bytes === "number"
      ? failed(`illegal base64 data at input byte ${bytes}`)
      : decodeUtf8(bytes);
  },
};

const base64Encode: FunctionDefinition = {
  name: "base64_encode",
  parameters: [STRING],
  returns: ["string"],
  note: "a text in base64 (standard alphabet, with padding)",
  call: (args, run) => {
    run.budget.charge(textAt(args, 0).length >> 3);
    return encodeBase64(encodeUtf8(textAt(args, 0)));
  },
};

const hashes: readonly FunctionDefinition[] = [
  hash("md5", "MD5", md5),
  hash("sha1", "SHA-1", sha1),
  hash("sha256", "SHA-256", sha256),
];

function hash(name: string, label: string, digest: (bytes: Uint8Array) => Uint8Array): FunctionDefinition {
  return {
    name,
    parameters: [STRING],
    returns: ["string"],
    note: `the ${label} of a text, in hexadecimal`,
    call: (args, run) => {
      run.budget.charge(4 + (textAt(args, 0).length >> 2));
      return hex(digest(encodeUtf8(textAt(args, 0))));
    },
  };
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const encodingFunctions: readonly FunctionDefinition[] = [base64Decode, base64Encode, ...hashes];
