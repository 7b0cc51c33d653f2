/** Which objects and users a filter concerns, where the recorded answers of the original do not look. */
import { deepEqual } from "node:assert/strict";
import { compileMatch, compileKinds, type EvaluationRequest } from "#engine";
import type { JsonObject } from "#json";
import type { ResourceFilter } from "#policy";
import { noFacts, objectOf, requestFor } from "../../support/policies.ts";

const pod: JsonObject = objectOf(
  "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop, annotations: {owner: me}}}",
);
const matches = (filter: ResourceFilter, more: Partial<EvaluationRequest> = {}): boolean =>
  compileMatch({ name: "r", match: { any: [filter] } }, {}).matches(requestFor(pod, more), noFacts);

const robot = (namespace: string): ResourceFilter => ({
  resources: { kinds: ["Pod"] },
  subjects: [{ kind: "ServiceAccount", name: "robot", namespace }],
});
const userInfo = { username: "system:serviceaccount:shop:robot", groups: [] };

deepEqual(
  {
    account: matches(robot("shop"), { userInfo }),
    accountElsewhere: matches(robot("bank"), { userInfo }),
    annotationOnly: matches({ resources: { annotations: { owner: "m*" } } }),
    otherAnnotation: matches({ resources: { annotations: { owner: "you" } } }),
    deleted: matches(
      { resources: { kinds: ["Pod"], names: ["web"] } },
      { operation: "DELETE", object: null, oldObject: pod },
    ),
  },
  { account: true, accountElsewhere: false, annotationOnly: true, otherAnnotation: false, deleted: true },
);

const alpha = compileKinds(["v1alpha1/Widget"], false);
deepEqual(
  ["v1alpha1", "v1"].map((version) => alpha({ group: "example.com", version, kind: "Widget" }, "")),
  [true, false],
);
