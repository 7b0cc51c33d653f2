import { describe, expect, test } from "vitest";
import { Budget } from "#diag";
import { decodeBase64Bytes, encodeBase64 } from "./base64.ts";
import { cleanPath } from "./clean-path.ts";
import { formatFloat32 } from "./float32-text.ts";
import { isPublicAddress, parseAddress } from "./ip-address.ts";
import { foldCase, lowerCase, upperCase } from "./letter-case.ts";
import { parseFloatGo } from "./parse-float.ts";
import { isError, parseJson } from "./parse-json.ts";
import { randomText } from "./random-text.ts";
import { compileRegex, expandTemplate, replaceMatches } from "./regular-expression.ts";
import { parseUrlHost } from "./url-host.ts";
import { bytesBefore, encodeUtf8 } from "./utf8.ts";
import { QueryError } from "../query-error.ts";

describe("JSON text", () => {
  test.each([
    "1",
    "-0.5e+3",
    '"a\\u00e9\\n\\ud83d\\ude00"',
    '{"a":[1,true,null,{"b":""}],"__proto__":1}',
    " [ ] ",
  ])("%s reads as JSON.parse reads it", (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  test.each([
    ["", "unexpected end of JSON input"],
    ["[1", "unexpected end of JSON input"],
    ["[1 2]", "invalid character '2' after array element"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b"}', "invalid character '\"' after object key:value pair"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ["tru", "invalid character ' ' in literal true (expecting 'e')"],
    ["1e", "invalid character ' ' in exponent of numeric literal"],
    ["-", "invalid character ' ' in numeric literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ["é", "invalid character 'Ã' looking for beginning of value"],
    ["1e999", "json: cannot unmarshal number 1e999 into Go value of type float64"],
    ["[1e999", "unexpected end of JSON input"],
    ["[".repeat(2000), "exceeded max depth"],
  ])("%.20s is refused in Go's words", (text, message) => {
    const read = parseJson(text);
    expect(isError(read) ? read.message : read).toBe(message);
  });
});

test.each([
  ["1", 1],
  ["+.5", 0.5],
  ["5.", 5],
  ["1_000.5", 1000.5],
  ["0x1p-2", 0.25],
  ["0x1.8p1", 3],
  ["-inf", Number.NEGATIVE_INFINITY],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["NaN", Number.NaN],
  ["1e400", undefined],
  ["0x10", undefined],
  ["1__0", undefined],
  [" 1", undefined],
  ["", undefined],
])("%s as a float is %s", (text, want) => {
  expect(parseFloatGo(text)).toBe(want);
});

test.each([
  [42, "42"],
  [0.1, "0.1"],
  [16777217, "16777216"],
  [123456789, "123456790"],
  [1e21, "1000000000000000000000"],
  [-1.5, "-1.5"],
  [1e-7, "0.0000001"],
  [0, "0"],
  [1e300, "+Inf"],
  [Number.NaN, "NaN"],
])("%s in float32 precision is %s", (value, want) => {
  expect(formatFloat32(value)).toBe(want);
});

test("letters map one to one", () => {
  expect(upperCase("straße ŉ é")).toBe("STRAßE ŉ É");
  expect(lowerCase("ΑΣ İ Ǆ")).toBe("ασ i ǆ");
  expect(foldCase("ſK")).toBe(foldCase("Sk"));
  expect(foldCase("İ")).not.toBe(foldCase("i"));
});

test("bytes of UTF-8", () => {
  const text = "aé€🙂\ud800";
  expect(encodeUtf8(text)).toEqual(new TextEncoder().encode(text));
  expect(bytesBefore(text, 3)).toBe(6);
  expect(bytesBefore(text, text.length)).toBe(13);
});

describe("base64", () => {
  test.each(["", "a", "ab", "abc", "héllo 🙂"])("of `%s` comes back", (text) => {
    const bytes = encodeUtf8(text);
    expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
    expect(decodeBase64Bytes(encodeUtf8(encodeBase64(bytes)))).toEqual(bytes);
  });

  test.each([
    ["a", 0],
    ["aGVsbG8", 4],
    ["YQ=", 3],
    ["YQ==YQ==", 4],
    ["YQ=x", 2],
    ["=", 0],
    ["aGVs!G8=", 4],
  ])("%s is wrong at byte %i", (text, at) => {
    expect(decodeBase64Bytes(encodeUtf8(text))).toBe(at);
  });
});

test.each([
  ["a/./b//../c", "a/c"],
  ["/../a", "/a"],
  ["a/../..", ".."],
  ["", ""],
  ["a/..", "."],
])("the path %s is %s", (path, want) => {
  expect(cleanPath(path)).toBe(want);
});

test.each([
  ["127.0.0.1", false],
  ["10.1.2.3", false],
  ["172.31.0.1", false],
  ["172.32.0.1", true],
  ["192.168.0.1", false],
  ["198.51.100.1", true],
  ["::1", false],
  ["fd12::1", false],
  ["2001:db8::1", true],
  ["::ffff:10.0.0.1", false],
])("the address %s is public: %s", (text, want) => {
  const address = parseAddress(text);
  expect(address !== undefined && isPublicAddress(address)).toBe(want);
});

test.each([
  "example.org",
  "1.2.3",
  "1.2.3.256",
  "01.2.3.4",
  "1::2::3",
  ":::",
  "1:2:3:4:5:6:7:8:9",
  "fe80::1%eth0",
])("%s is no address", (text) => {
  expect(parseAddress(text)).toBeUndefined();
});

test.each([
  ["https://user:pw@example.org:8443/a?b#c", "example.org"],
  ["//example.org", "example.org"],
  ["http://[::1]:80/", "::1"],
  ["/only/a/path", ""],
  ["mailto:a@b", ""],
  [":x", 'parse ":x": missing protocol scheme'],
  ["http://a b/", 'parse "http://a b/": invalid character " " in host name'],
  ["http://[::1/", "parse \"http://[::1/\": missing ']' in host"],
  ["http://h:x/", 'parse "http://h:x/": invalid port ":x" after host'],
  ["http://h/%zz", 'parse "http://h/%zz": invalid URL escape "%zz"'],
  ["http://%41/", 'parse "http://%41/": invalid URL escape "%41"'],
  ["a:b/%", ""],
  ["1a:b", 'parse "1a:b": first path segment in URL cannot contain colon'],
  ["http://a\n", 'parse "http://a\\n": net/url: invalid control character in URL'],
])("the host of %s", (url, want) => {
  const host = parseUrlHost(url);
  expect(typeof host === "string" ? host : host.error).toBe(want);
});

describe("replacing matches", () => {
  test.each([
    ["a", "banana", "o", "bonono"],
    ["x*", "abc", "-", "-a-b-c-"],
    ["a*", "baac", "-", "-b-c-"],
    ["(?P<n>b)(c)?", "abd", "<$n$2$9>", "a<b>d"],
    ["b", "abc", "$$1${0}", "a$1bc"],
    ["$", "🙂", "!", "🙂!"],
  ])("%s in %s by %s", (pattern, text, template, want) => {
    const regex = compileRegex(pattern, "");
    if (regex instanceof QueryError) throw new Error(regex.message);
    expect(replaceMatches(regex, text, (group) => expandTemplate(template, group))).toBe(want);
  });
});

test.each([
  "[a-f0-9]{8}",
  "(foo|bar)-\\d+",
  "[^a-z]{3}x?",
  "\\w\\s\\D.(?:a|b)*[[:alpha:]_]0",
  "(?i)abc$",
  "[\\]\\-\\w]{4}",
  "a{2,}b{1,3}\\.\\n",
])("a random text for %s matches it", (pattern) => {
  let state = 7;
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  const run = { budget: new Budget(10_000), nowMs: 0, random, externalHost: () => false };
  const regex = compileRegex(`^(?:${pattern})$`, "");
  if (regex instanceof QueryError) throw new Error(regex.message);
  for (let round = 0; round < 20; round++) expect(regex.matcher(randomText(pattern, run)).find()).toBe(true);
});
