import { describe, expect, test } from "vitest";

import { createCatalog, decodeConfiguration } from "#catalog";
import type { JsonObject } from "#json";
import type { ApiResource, Discovery } from "#kube";
import { objectOf } from "../../../../test/support/policies.ts";
import type { RegistrationOptions } from "../ports.ts";
import { buildRegistrations, type RegistrationInput } from "./build-registrations.ts";
import { exclusions } from "./exclusions.ts";
import { textIn, webhooksIn } from "./fields.ts";

const verbs = ["create", "delete", "get", "list", "patch", "update", "watch"];

function served(
  path: string,
  kind: string,
  more: {
    readonly namespaced?: boolean;
    readonly subresources?: readonly string[];
    readonly verbs?: string[];
  } = {},
): ApiResource {
  const [group = "", version = "", resource = ""] =
    path.split("/").length === 2 ? ["", ...path.split("/")] : path.split("/");
  return {
    group,
    version,
    resource,
    kind,
    namespaced: more.namespaced ?? true,
    verbs: more.verbs ?? verbs,
    subresources: (more.subresources ?? []).map((name) => ({ name, kind, group, version })),
    preferred: true,
  };
}

const discovery: Discovery = {
  failed: [],
  resources: [
    served("v1/pods", "Pod", {
      subresources: ["status", "exec", "binding", "eviction", "ephemeralcontainers"],
    }),
    served("v1/configmaps", "ConfigMap"),
    served("v1/events", "Event"),
    served("v1/namespaces", "Namespace", { namespaced: false, subresources: ["finalize", "status"] }),
    served("v1/nodes", "Node", { namespaced: false, subresources: ["status"] }),
    served("v1/componentstatuses", "ComponentStatus", { namespaced: false, verbs: ["get", "list"] }),
    served("apps/v1/deployments", "Deployment", { subresources: ["scale", "status"] }),
    served("autoscaling/v2/horizontalpodautoscalers", "HorizontalPodAutoscaler"),
    served("autoscaling/v1/horizontalpodautoscalers", "HorizontalPodAutoscaler"),
    served("coordination.k8s.io/v1/leases", "Lease"),
    served("networking.k8s.io/v1/servicecidrs", "ServiceCIDR", { namespaced: false }),
    served("networking.k8s.io/v1/ingresses", "Ingress"),
    served("authentication.k8s.io/v1/tokenreviews", "TokenReview", { namespaced: false, verbs: ["create"] }),
    served(
      "admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
      "ValidatingWebhookConfiguration",
      {
        namespaced: false,
      },
    ),
    served("rbac.authorization.k8s.io/v1/clusterroles", "ClusterRole", { namespaced: false }),
  ],
};

const options: RegistrationOptions = {
  names: "postern",
  namespace: "postern",
  infrastructureNamespaces: ["cilium"],
  endpoint: { kind: "service", name: "postern-svc", port: 443 },
  timeoutSeconds: 5,
  allowFailForBootKinds: false,
  without: [],
};

type Given = {
  readonly kinds: readonly string[];
  readonly name?: string;
  readonly spec?: string;
  readonly annotations?: string;
  readonly action?: string;
  readonly check?: string;
  readonly operations?: readonly string[];
};

function policy({
  kinds,
  name = "p",
  spec = "",
  annotations = "",
  action = "Enforce",
  check,
  operations,
}: Given): JsonObject {
  return objectOf(`
apiVersion: kyverno.io/v1
kind: ClusterPolicy
metadata: {name: ${name}, annotations: {pod-policies.kyverno.io/autogen-controllers: none${annotations}}}
spec:
  background: false
${spec}
  rules:
    - name: r
      match: {any: [{resources: {kinds: ${JSON.stringify(kinds)}${operations === undefined ? "" : `, operations: [${operations.join(", ")}]`}}}]}
      validate: {failureAction: ${action}, message: refused, ${check ?? 'pattern: {metadata: {name: "?*"}}'}}`);
}

function build(
  policies: readonly JsonObject[],
  more: Partial<Omit<RegistrationInput, "options">> & { options?: Partial<RegistrationOptions> } = {},
) {
  const catalog = createCatalog();
  for (const object of policies) catalog.put(object);
  return buildRegistrations({
    snapshot: catalog.snapshot(),
    discovery,
    configuration: decodeConfiguration(undefined),
    caBundle: "PEM",
    ...more,
    options: { ...options, ...more.options },
  });
}

type Built = ReturnType<typeof build>;

const listIn = (object: JsonObject | undefined, name: string): readonly JsonObject[] =>
  (object?.[name] ?? []) as readonly JsonObject[];

const webhooks = (built: Built): readonly JsonObject[] => webhooksIn(built.objects[0] ?? {});
const outline = (built: Built) =>
  Object.fromEntries(
    webhooks(built).map((webhook) => [
      textIn(webhook, "name").replace("validate.postern.svc-", ""),
      (webhook["rules"] as readonly JsonObject[]).flatMap((rule) => rule["resources"] as string[]).sort(),
    ]),
  );
const rulesOf = (built: Built): readonly JsonObject[] =>
  webhooks(built)[0]?.["rules"] as readonly JsonObject[];

describe("registrations", () => {
  test("are the union of what ready policies match, in two webhooks", () => {
    const built = build([
      policy({ name: "a", kinds: ["Pod"] }),
      policy({ name: "b", kinds: ["Deployment", "Pod"] }),
      policy({ name: "c", kinds: ["Ingress"], spec: "  failurePolicy: Ignore" }),
    ]);
    expect(outline(built)).toEqual({
      fail: ["deployments", "pods", "pods/ephemeralcontainers"],
      ignore: ["ingresses"],
    });
    expect(webhooks(built)).toMatchObject([
      {
        failurePolicy: "Fail",
        timeoutSeconds: 5,
        sideEffects: "NoneOnDryRun",
        matchPolicy: "Equivalent",
        admissionReviewVersions: ["v1"],
        clientConfig: {
          caBundle: "UEVN",
          service: { namespace: "postern", name: "postern-svc", port: 443, path: "/validate/fail" },
        },
      },
      { failurePolicy: "Ignore", clientConfig: { service: { path: "/validate/ignore" } } },
    ]);
  });

  test("are the same whatever the order of policies, and nothing where there are none", () => {
    const [a, b] = [policy({ name: "a", kinds: ["Pod"] }), policy({ name: "b", kinds: ["*"] })];
    expect(build([a, b])).toEqual(build([b, a]));
    expect(webhooks(build([]))).toEqual([]);
    expect(build([]).objects.map((object) => textIn(object["metadata"] as JsonObject, "name"))).toEqual([
      "postern-resource-validating-webhook-cfg",
      "postern-policy-validating-webhook-cfg",
      "postern-exception-validating-webhook-cfg",
      "postern-canary-validating-webhook-cfg",
    ]);
  });

  test("expand wildcards to what is served, without what a control plane needs, and never say `*`", () => {
    const built = build([policy({ kinds: ["*"] })]);
    expect(outline(built)).toEqual({
      fail: [
        "configmaps",
        "deployments",
        "horizontalpodautoscalers",
        "ingresses",
        "namespaces",
        "pods",
        "pods/ephemeralcontainers",
      ],
    });
    expect(JSON.stringify(built.objects[0])).not.toContain('"*"');
    expect(built.gaps.get("p")).toEqual([
      {
        what: expect.stringContaining("clusterroles.rbac.authorization.k8s.io") as string,
        why: expect.stringContaining("a wildcard does not reach") as string,
      },
    ]);
  });

  test("expand wildcards of subresources without bindings, evictions and statuses", () => {
    expect(outline(build([policy({ kinds: ["Pod/*"] })]))).toEqual({
      fail: ["pods", "pods/ephemeralcontainers", "pods/exec"],
    });
    expect(outline(build([policy({ kinds: ["*/*"] })]))["fail"]).toEqual(
      expect.arrayContaining(["deployments/scale", "pods/exec"]),
    );
  });

  test("take the server's preferred version where a kind names none, and the named one where it does", () => {
    const versions = (kind: string): unknown =>
      rulesOf(build([policy({ kinds: [kind] })]))[0]?.["apiVersions"];
    expect(versions("HorizontalPodAutoscaler")).toEqual(["v2"]);
    expect(versions("autoscaling/v1/HorizontalPodAutoscaler")).toEqual(["v1"]);
  });

  test("give boot kinds that are named a webhook of their own: Ignore and two seconds", () => {
    const built = build([policy({ kinds: ["Node", "Pod"], spec: "  webhookTimeoutSeconds: 20" })]);
    expect(outline(built)).toEqual({
      fail: ["pods", "pods/ephemeralcontainers"],
      "ignore-boot-p": ["nodes"],
    });
    expect(webhooks(built)[1]).toMatchObject({
      failurePolicy: "Ignore",
      timeoutSeconds: 2,
      clientConfig: { service: { path: "/validate/ignore/finegrained/p" } },
    });
    expect(webhooks(built)[0]).toMatchObject({ timeoutSeconds: 20 });
    expect(built.gaps.get("p")?.[0]?.why).toContain(
      'it has no annotation postern.dev/fail-for-boot-kinds: "true"',
    );
  });

  test.each([
    [true, true, "Fail"],
    [true, false, "Ignore"],
    [false, true, "Ignore"],
  ])(
    "guard boot kinds with Fail only where the policy (%s) and the operator (%s) say so",
    (asked, allowed, failurePolicy) => {
      const annotations = asked ? ', postern.dev/fail-for-boot-kinds: "true"' : "";
      const built = build([policy({ kinds: ["ServiceCIDR"], annotations })], {
        options: { allowFailForBootKinds: allowed },
      });
      expect(webhooks(built)).toMatchObject([{ failurePolicy, timeoutSeconds: 2 }]);
      expect(built.gaps.has("p")).toBe(failurePolicy === "Ignore");
    },
  );

  test.each(["Lease", "Event", "TokenReview", "ValidatingWebhookConfiguration"])(
    "never stand in front of a %s, and say so",
    (kind) => {
      const built = build([policy({ kinds: [kind, "ConfigMap"] })]);
      expect(outline(built)).toEqual({ fail: ["configmaps"] });
      expect(built.gaps.get("p")?.[0]?.why).toContain("no webhook may hold it up");
    },
  );

  test("leave out what is not served, and what admission is never asked about", () => {
    expect(webhooks(build([policy({ kinds: ["NoSuchKind", "ComponentStatus"] })]))).toEqual([]);
  });

  test("call for the operations that a rule can answer for", () => {
    const operations = (given: Partial<Given>): unknown =>
      rulesOf(build([policy({ kinds: ["ConfigMap"], ...given })]))[0]?.["operations"];
    expect(operations({})).toEqual(["CREATE", "UPDATE", "CONNECT"]);
    expect(operations({ check: "deny: {}" })).toEqual(["CREATE", "UPDATE", "DELETE", "CONNECT"]);
    expect(operations({ check: "deny: {}", operations: ["DELETE", "CREATE"] })).toEqual(["CREATE", "DELETE"]);
  });

  test("let the API server and kubelets past everywhere, and joining nodes where they join", () => {
    const names = (kinds: readonly string[]): unknown =>
      listIn(webhooks(build([policy({ kinds })]))[0], "matchConditions").map(
        (condition) => condition["name"],
      );
    expect(names(["Pod"])).toEqual(["postern-identity-api-server", "postern-identity-kubelets"]);
    expect(names(["Node"])).toEqual([
      "postern-identity-api-server",
      "postern-identity-kubelets",
      "postern-identity-bootstrappers",
    ]);
  });

  test("keep out of the namespaces that everything hangs on, beside what the operator selects", () => {
    const configuration = decodeConfiguration({
      data: {
        webhooks:
          '{"namespaceSelector":{"matchLabels":{"guarded":"yes"}},"objectSelector":{"matchLabels":{"o":"1"}}}',
      },
    });
    expect(webhooks(build([policy({ kinds: ["Pod"] })], { configuration }))[0]).toMatchObject({
      namespaceSelector: {
        matchLabels: { guarded: "yes" },
        matchExpressions: [
          {
            key: "kubernetes.io/metadata.name",
            operator: "NotIn",
            values: ["cilium", "kube-node-lease", "kube-system", "postern"],
          },
        ],
      },
      objectSelector: { matchLabels: { o: "1" } },
    });
  });

  test("put a policy with match conditions, and one that may be opened, into webhooks of their own", () => {
    const conditions = "  webhookConfiguration: {matchConditions: [{name: c, expression: 'true'}]}";
    const configuration = decodeConfiguration({
      data: { matchConditions: '[{"name":"op","expression":"true"}]' },
    });
    const built = build(
      [
        policy({ name: "a", kinds: ["Pod"], spec: conditions }),
        policy({ name: "b", kinds: ["Pod"], annotations: ', postern.dev/open-when-dead: "true"' }),
        policy({ name: "c", kinds: ["ConfigMap"] }),
      ],
      { configuration },
    );
    expect(Object.keys(outline(built))).toEqual(["fail", "fail-finegrained-a", "fail-finegrained-b"]);
    const last = (webhook: JsonObject | undefined): unknown =>
      listIn(webhook, "matchConditions").at(-1)?.["name"];
    expect(webhooks(built).map(last)).toEqual(["op", "c", "op"]);
  });

  test("ask for Ignore for what only reports: a dead gate must not refuse for it", () => {
    expect(outline(build([policy({ kinds: ["Pod"], action: "Audit" })]))).toHaveProperty("ignore");
  });

  test("have Kyverno's names where asked, and an address in place of the Service", () => {
    const built = build([policy({ kinds: ["Pod"] })], {
      options: { names: "kyverno", endpoint: { kind: "url", url: "https://192.0.2.1:9443" } },
    });
    expect(built.objects[0]).toMatchObject({
      metadata: {
        name: "kyverno-resource-validating-webhook-cfg",
        labels: { "postern.dev/managed-by": "postern", "webhook.kyverno.io/managed-by": "kyverno" },
      },
      webhooks: [
        { name: "validate.kyverno.svc-fail", clientConfig: { url: "https://192.0.2.1:9443/validate/fail" } },
      ],
    });
  });

  test("hold up policies themselves with Ignore only", () => {
    const [, kinds, exceptions, canary] = build([]).objects.map((object) => webhooksIn(object)[0]);
    for (const webhook of [kinds, exceptions, canary])
      expect(webhook).toMatchObject({ failurePolicy: "Ignore" });
  });
});

describe("each entry of the table", () => {
  test("says why, and can be switched off by one safety", () => {
    expect(new Set(exclusions.map(({ id }) => id)).size).toBe(exclusions.length);
    for (const { reason } of exclusions) expect(reason.length).toBeGreaterThan(15);
  });

  test.each([
    ["identities", "matchConditions", []],
    ["namespaces", "namespaceSelector", { matchExpressions: [] }],
  ] as const)("is gone without %s", (safety, field, value) => {
    const [webhook] = webhooks(build([policy({ kinds: ["Pod"] })], { options: { without: [safety] } }));
    expect(webhook?.[field]).toEqual(value);
  });

  test("of boot kinds is gone without them: a wildcard then reaches everything", () => {
    const built = build([policy({ kinds: ["*"] })], { options: { without: ["boot-kinds"] } });
    expect(outline(built)["fail"]).toEqual(expect.arrayContaining(["leases", "nodes", "servicecidrs"]));
  });
});
