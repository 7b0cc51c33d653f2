/** allowExistingViolations: an update of what was in violation before is let through, and nothing else is. */
import { deepEqual } from "node:assert/strict";
import { objectOf, requestFor } from "../../support/policies.ts";
import { podPolicy, resultsOf } from "../scenario.ts";

const pod = (labels: string): ReturnType<typeof objectOf> =>
  objectOf(`{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop, labels: {${labels}}}}`);
const update = (before: string, after: string): ReturnType<typeof requestFor> =>
  requestFor(pod(after), { operation: "UPDATE", oldObject: pod(before) });
const policy = (more: string, check = "pattern: {metadata: {labels: {team: a}}}"): string =>
  podPolicy(`validate: {message: m, ${more}, ${check}}`);
const status = (text: string, request: ReturnType<typeof requestFor>): string =>
  resultsOf(text, request)
    .map((result) => result.status)
    .join();

const enforced = policy("failureAction: Enforce");
const selecting = enforced.replace("kinds: [Pod]", "kinds: [Pod], selector: {matchLabels: {watched: 'yes'}}");
const onlyUpdates = policy(
  "failureAction: Enforce",
  'deny: {conditions: {any: [{key: "{{ request.operation }}", operator: Equals, value: UPDATE}]}}',
);
const asksSize = policy(
  "failureAction: Enforce",
  'deny: {conditions: {any: [{key: "{{ request.object.metadata.labels.size }}", operator: Equals, value: big}]}}',
);

deepEqual(
  {
    existing: status(enforced, update("team: b", "team: c")),
    fresh: status(enforced, update("team: a", "team: c")),
    created: status(enforced, requestFor(pod("team: c"))),
    refused: status(
      policy("failureAction: Enforce, allowExistingViolations: false"),
      update("team: b", "team: c"),
    ),
    audited: status(policy("failureAction: Audit"), update("team: b", "team: c")),
    notSelectedBefore: status(selecting, update("team: b", "team: c, watched: 'yes'")),
    selectedBefore: status(selecting, update("team: b, watched: 'yes'", "team: c, watched: 'yes'")),
    oldUnknown: status(asksSize, update("team: b", "size: big")),
    oldIsNoUpdate: status(onlyUpdates, update("team: b", "team: c")),
  },
  {
    existing: "skip",
    fresh: "fail",
    created: "fail",
    refused: "fail",
    audited: "fail",
    notSelectedBefore: "fail",
    selectedBefore: "skip",
    oldUnknown: "skip",
    oldIsNoUpdate: "fail",
  },
);
