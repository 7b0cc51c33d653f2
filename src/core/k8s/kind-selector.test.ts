import { describe, expect, test } from "vitest";
import { parseKindSelector, splitKind } from "./kind-selector.ts";

describe("the grammar of kinds", () => {
  const cases: readonly (readonly [string, readonly [string, string, string, string]])[] = [
    ["Pod", ["*", "*", "Pod", ""]],
    ["v1/Pod", ["*", "v1", "Pod", ""]],
    ["*/Pod", ["*", "*", "Pod", ""]],
    ["apps/v1/Deployment", ["apps", "v1", "Deployment", ""]],
    ["Pod/exec", ["*", "*", "Pod", "exec"]],
    ["Pod.exec", ["*", "*", "Pod", "exec"]],
    ["*/exec", ["*", "*", "*", "exec"]],
    ["*/*", ["*", "*", "*", "*"]],
    ["v1/Pod/exec", ["*", "v1", "Pod", "exec"]],
    ["apps/v1/Deployment/scale", ["apps", "v1", "Deployment", "scale"]],
    ["v10/Pod", ["*", "*", "v10", "Pod"]],
    ["ex.io/v1alpha10/Widget", ["ex.io", "v1alpha10", "Widget", ""]],
    ["a/b/c/d/e", ["", "", "", ""]],
  ];
  test.each(cases)("%s", (text, [group, version, kind, subresource]) => {
    expect(parseKindSelector(text)).toEqual({ group, version, kind, subresource });
  });
});

test.each([
  ["Deployment.scale", "", "Deployment/scale"],
  ["v1/Pod", "v1", "Pod"],
  ["apps/v1/Deployment.scale", "apps/v1", "Deployment/scale"],
  ["apps/v1/Deployment/scale", "apps/v1", "Deployment/scale"],
  ["Pod/exec", "", "Pod/exec"],
  ["a/b/c/d/e", "", ""],
])("%s splits into group and version, and kind", (text, groupVersion, kind) => {
  expect(splitKind(text)).toEqual({ groupVersion, kind });
});
