import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { md5 } from "./md5.ts";
import { sha1 } from "./sha1.ts";
import { sha256 } from "./sha256.ts";

const lengths = [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000];

test.each([
  ["md5", md5],
  ["sha1", sha1],
  ["sha256", sha256],
])("%s gives what node:crypto gives, at every edge of a block", (name, hash) => {
  for (const length of lengths) {
    const bytes = Uint8Array.from({ length }, (_, index) => (index * 131 + length) & 0xff);
    expect(Buffer.from(hash(bytes)).toString("hex")).toBe(createHash(name).update(bytes).digest("hex"));
  }
});
