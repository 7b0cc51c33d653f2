import { describe, expect, test } from "vitest";
import { compileKinds } from "./kinds.ts";

const pod = { group: "", version: "v1", kind: "Pod" };
const deployment = { group: "apps", version: "v1", kind: "Deployment" };

describe("a list of kinds selects", () => {
  test.each([
    { kinds: ["Pod"], gvk: pod, sub: "", want: true },
    { kinds: ["pod"], gvk: pod, sub: "", want: false },
    { kinds: ["Deployment", "Pod"], gvk: pod, sub: "", want: true },
    { kinds: ["Pod"], gvk: pod, sub: "exec", want: false },
    { kinds: ["Pod/exec"], gvk: pod, sub: "exec", want: true },
    { kinds: ["*"], gvk: deployment, sub: "", want: true },
    { kinds: ["*"], gvk: deployment, sub: "scale", want: false },
    { kinds: ["*/*"], gvk: deployment, sub: "scale", want: true },
    { kinds: ["Dep?oy*"], gvk: deployment, sub: "", want: true },
    { kinds: ["apps/v2/Deployment"], gvk: deployment, sub: "", want: false },
    { kinds: ["extensions/*/Deployment"], gvk: deployment, sub: "", want: false },
    { kinds: [], gvk: pod, sub: "", want: false },
  ])("$kinds for $gvk.kind $sub", ({ kinds, gvk, sub, want }) => {
    expect(compileKinds(kinds, true)(gvk, sub)).toBe(want);
  });

  test("Pod stands for its ephemeral containers where that is asked for", () => {
    expect(compileKinds(["Pod"], true)(pod, "ephemeralcontainers")).toBe(true);
    expect(compileKinds(["Pod"], false)(pod, "ephemeralcontainers")).toBe(false);
    expect(compileKinds(["v2/Pod"], true)(pod, "ephemeralcontainers")).toBe(false);
    expect(compileKinds(["*"], true)(deployment, "ephemeralcontainers")).toBe(false);
  });
});
