/** The repository against its own rules, and the rules against a check that looks at nothing. */
import { resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { checks, readRepository } from "./checks.ts";

const repository = readRepository(resolve(import.meta.dirname, "../.."));

describe.each(checks)("$name", ({ run }) => {
  const { looked, violations } = run(repository);

  test("holds", () => {
    expect(violations).toEqual([]);
  });

  test("was looked at", () => {
    expect(looked).toBeGreaterThan(5);
  });
});
