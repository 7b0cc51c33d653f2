/** Versions in order, ranges, and what is said about what is neither. */
import { describe, expect, test } from "vitest";
import { parseSemverRange, semverRangeError } from "./range.ts";
import type { Version } from "./version.ts";
import { compareSemver, formatSemver, parseSemver, semverError } from "./version.ts";

function read(text: string): Version {
  const version = parseSemver(text);
  if (version === undefined) throw new Error(`${text} is no version`);
  return version;
}

test("versions are ordered by precedence", () => {
  const ascending = [
    "0.9.0",
    "1.0.0-1",
    "1.0.0-2",
    "1.0.0-10",
    "1.0.0-alpha",
    "1.0.0-alpha.1",
    "1.0.0-alpha.beta",
    "1.0.0-beta",
    "1.0.0",
    "1.0.1",
    "1.2.0",
    "1.10.0",
    "2.0.0",
  ];
  for (const [i, a] of ascending.entries()) {
    for (const [j, b] of ascending.entries()) {
      expect([a, b, compareSemver(read(a), read(b))]).toEqual([a, b, Math.sign(i - j)]);
    }
  }
  expect(compareSemver(read("1.0.0+a"), read("1.0.0+b"))).toBe(0);
});

test.each(["1.2.3", "1.2.3-rc.1+b.2", "18446744073709551615.0.0", "1.2.3--", "1.2.3+a-b"])(
  "%s is printed as it was read",
  (text) => {
    expect([formatSemver(read(text)), semverError(text)]).toEqual([text, undefined]);
  },
);

test.each([
  ["", "Version string empty"],
  ["1.2", "No Major.Minor.Patch elements found"],
  ["1", "No Major.Minor.Patch elements found"],
  ["v1.2.3", 'Invalid character(s) found in major number "v1"'],
  ["1.-2.3", 'Invalid character(s) found in minor number "-2"'],
  ["1.2.3.4", 'Invalid character(s) found in patch number "3.4"'],
  ["01.2.3", 'Major number must not contain leading zeroes "01"'],
  ["1.02.3", 'Minor number must not contain leading zeroes "02"'],
  ["1.2.", 'strconv.ParseUint: parsing "": invalid syntax'],
  ["18446744073709551616.0.0", 'strconv.ParseUint: parsing "18446744073709551616": value out of range'],
  ["1.2.3-", "Prerelease is empty"],
  ["1.2.3-01", 'Numeric PreRelease version must not contain leading zeroes "01"'],
  ["1.2.3-a_b", 'Invalid character(s) found in prerelease "a_b"'],
  [`1.2.3-${"9".repeat(30)}`, `strconv.ParseUint: parsing "${"9".repeat(30)}": value out of range`],
  ["1.2.3+", "Build meta data is empty"],
  ["1.2.3+a_b", 'Invalid character(s) found in build meta data "a_b"'],
])("%j is refused", (text, error) => {
  expect([parseSemver(text), semverError(text)]).toEqual([undefined, error]);
});

describe("a range", () => {
  test.each([
    ["1.2.3", "1.2.3 1.2.3+b", "1.2.4"],
    [">1.2.3", "1.2.4 2.0.0", "1.2.3 1.2.3-rc.1"],
    [">=  1.2.3 <2.0.0", "1.2.3 1.9.9", "2.0.0 1.2.2"],
    ["<=1.2.3", "1.2.3 0.1.0", "1.2.4"],
    ["!1.2.3", "1.2.4", "1.2.3"],
    ["!=1.2.3", "1.2.4", "1.2.3"],
    ["<1.0.0 || >=3.0.0 !3.1.0", "0.9.0 3.0.0", "1.0.0 3.1.0"],
    ["1.2.x", "1.2.0 1.2.9 1.3.0-rc.1", "1.3.0 1.1.9"],
    ["1.x", "1.0.0 1.9.9", "2.0.0 0.9.9"],
    ["1.x.x", "1.0.9", "1.1.0"],
    [">1.x", "2.0.0", "1.9.9"],
    [">=1.2.x", "1.2.0", "1.1.9"],
    ["<1.2.x", "1.1.9", "1.2.0"],
    ["<=1.2.x", "1.2.9", "1.3.0"],
    ["1.2.3 - 2.0.0", "", "1.2.3 1.5.0 2.0.0"],
  ])("%s", (range, inside, outside) => {
    const holds = parseSemverRange(range);
    expect(semverRangeError(range)).toBeUndefined();
    for (const text of inside.split(" ").filter(Boolean))
      expect([text, holds?.(read(text))]).toEqual([text, true]);
    for (const text of outside.split(" ")) expect([text, holds?.(read(text))]).toEqual([text, false]);
  });

  test.each([
    ["", "Last element in range is '||'"],
    ["x", "Last element in range is '||'"],
    ["|| 1.2.3", "First element in range is '||'"],
    [">1.0.0 ||", "Last element in range is '||'"],
    ["latest", 'Could not get version from string: "latest"'],
    ["~1.2.3", 'Could not parse Range "~1.2.3": Could not parse comparator "~" in "~1.2.3"'],
    [">1.x.3", 'Could not get version from string: ">="'],
    [">99999999999999999999.x", 'Could not get version from string: ">="'],
    [
      ">1.2",
      'Could not parse Range ">1.2": Could not parse version "1.2" in ">1.2": No Major.Minor.Patch elements found',
    ],
  ])("%j is refused", (range, error) => {
    expect([parseSemverRange(range), semverRangeError(range)]).toEqual([undefined, error]);
  });
});
