/** The grammar of `kinds`: how an entry is read, and which requested kinds a list selects. */
import { compileKinds } from "#engine";
import type { GroupVersionKind } from "#k8s";
import { parseKindSelector, splitKind } from "#k8s";
import { readRows } from "../rows.ts";
import type { Row, Suite } from "../suite.ts";

type ParseVector = {
  readonly id: string;
  readonly input: string;
  readonly expect: {
    readonly group: string;
    readonly version: string;
    readonly kind: string;
    readonly subresource: string;
    readonly gv: string;
    readonly gvKind: string;
  };
};

type CheckVector = {
  readonly id: string;
  readonly kinds: readonly string[];
  readonly gvk: GroupVersionKind;
  readonly subresource: string;
  readonly allowEphemeralContainers: boolean;
  readonly expect: boolean;
};

export const suite: Suite = {
  name: "kinds",
  bar: 99,
  data: "vectors/engine/kinds.jsonl",
  deviations: [],
  *run(path) {
    for (const vector of readRows<ParseVector | CheckVector>(path)) {
      yield "input" in vector ? parse(vector) : check(vector);
    }
  },
};

function parse(vector: ParseVector): Row {
  const { groupVersion, kind: gvKind } = splitKind(vector.input);
  const got: ParseVector["expect"] = { ...parseKindSelector(vector.input), gv: groupVersion, gvKind };
  const keys = ["group", "version", "kind", "subresource", "gv", "gvKind"] as const;
  const passed = keys.every((key) => got[key] === vector.expect[key]);
  return { id: vector.id, passed, want: vector.expect, got, input: vector };
}

function check(vector: CheckVector): Row {
  const got = compileKinds(vector.kinds, vector.allowEphemeralContainers)(vector.gvk, vector.subresource);
  return { id: vector.id, passed: got === vector.expect, want: vector.expect, got, input: vector };
}
