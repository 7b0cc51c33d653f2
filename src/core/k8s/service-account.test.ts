import { expect, test } from "vitest";
import { serviceAccountOf, serviceAccountUserName } from "./service-account.ts";

test.each([
  ["system:serviceaccount:ns:sa", { namespace: "ns", name: "sa" }],
  ["system:serviceaccount:ns:sa:extra", { namespace: "ns", name: "sa" }],
  ["system:serviceaccount:ns:", { namespace: "ns", name: "" }],
  ["system:serviceaccount:ns", undefined],
  ["a-user-name-of-some-length:with:colons", undefined],
  ["", undefined],
])("the account of %s", (username, account) => {
  expect(serviceAccountOf(username)).toEqual(account);
});

test("the user name of an account", () => {
  expect(serviceAccountUserName("ns", "sa")).toBe("system:serviceaccount:ns:sa");
});
