/** What a policy of a namespace may ask for. */
import { expect, test } from "vitest";

import { foreignNamespace, foreignPath } from "./namespace-bounds.ts";

test.each<[path: string | undefined, refused: string | undefined]>([
  ["/api/v1/namespaces/shop/pods", undefined],
  ["/apis/apps/v1/namespaces/shop/deployments/web", undefined],
  ["/api/v1/namespaces/shop", undefined],
  ["//api//v1/./namespaces/shop/pods?limit=1", undefined],
  ["/api/v1/namespaces/other/pods", "other"],
  ["/api/v1/namespaces/shop/../other/pods", "other"],
  ["/api/v1/nodes", "no namespace"],
  ["/api/v1/secrets?x=/namespaces/shop/", "no namespace"],
  ["/api/v1/secrets?x=/../namespaces/shop/", "no namespace"],
  ["/api/v1/namespaces/shop/%2e%2e/other/secrets", "no namespace"],
  ["/api/v1/namespaces/shop/../../secrets", "no namespace"],
  ["api/v1/namespaces/shop/pods", "no namespace"],
  ["", "no namespace"],
  [undefined, "no namespace"],
])("%s: %s", (path, refused) => {
  const said = foreignPath(path, "shop");
  if (refused === undefined) expect(said).toBeUndefined();
  else if (refused === "no namespace")
    expect(said).toMatch(/^path \S* does not contain a namespace segment$/);
  else {
    expect(said).toMatch(
      /^path \S+ refers to namespace other, which is different from the policy namespace shop$/,
    );
  }
  expect(foreignPath(path, undefined)).toBeUndefined();
});

test("ConfigMaps of the own namespace alone", () => {
  expect(foreignNamespace("e", "shop", "shop")).toBeUndefined();
  expect(foreignNamespace("e", "other", undefined)).toBeUndefined();
  expect(foreignNamespace("e", "other", "shop")).toBe(
    'context entry e: configMap namespace "other" is different from policy namespace "shop"',
  );
});
