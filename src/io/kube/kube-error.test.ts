/** What is told apart by status and reason, and what a Status says. */
import { describe, expect, test } from "vitest";

import { Fault } from "#diag";
import { KubeError, describeAnswer, isAlreadyExists, isConflict, isGone, isNotFound } from "./kube-error.ts";

const errorOf = (status: number, reason: string): KubeError =>
  new KubeError({ status, reason, message: "m" });
const predicates = { isNotFound, isConflict, isAlreadyExists, isGone };

describe("an error of the API server", () => {
  test.each([
    [404, "NotFound", "isNotFound"],
    [404, "", "isNotFound"],
    [409, "Conflict", "isConflict"],
    [409, "AlreadyExists", "isAlreadyExists"],
    [410, "Expired", "isGone"],
    [410, "Gone", "isGone"],
    [410, "", "isGone"],
    [403, "Forbidden", undefined],
    [0, "", undefined],
  ])("%i %s is %s and nothing else", (status, reason, name) => {
    const held = Object.entries(predicates).filter(([, is]) => is(errorOf(status, reason)));
    expect(held.map(([is]) => is)).toEqual(name === undefined ? [] : [name]);
  });

  test("is a fault; another error is none of these", () => {
    expect(errorOf(404, "NotFound")).toBeInstanceOf(Fault);
    expect(Object.values(predicates).some((is) => is(new Error("404")) || is({ status: 404 }))).toBe(false);
  });

  test.each([
    [0, "kube/no-answer", true],
    [429, "kube/refused", true],
    [500, "kube/refused", true],
    [503, "kube/refused", true],
    [504, "kube/refused", true],
    [400, "kube/refused", false],
    [409, "kube/refused", false],
    [422, "kube/refused", false],
  ])("of status %i has code %s; to be asked again: %s", (status, code, retryable) => {
    expect(errorOf(status, "")).toMatchObject({ code, retryable });
  });

  test("has what the Status says, when to come back included", () => {
    const status = { reason: "ServerTimeout", message: "later", details: { retryAfterSeconds: 7 } };
    expect(describeAnswer(504, status, "raw")).toEqual({
      status: 504,
      reason: "ServerTimeout",
      message: "later",
      retryAfterSeconds: 7,
      body: status,
    });
    expect(describeAnswer(500, { details: { retryAfterSeconds: 0 } }, "")).toEqual({
      status: 500,
      reason: "",
      message: "HTTP 500",
      body: { details: { retryAfterSeconds: 0 } },
    });
    expect(describeAnswer(502, "x", `  ${"long ".repeat(100)}`).message).toHaveLength(300);
  });
});
