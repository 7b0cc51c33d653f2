/**
 * The registrations that the policies in force want: pure, so that a test, a dry run and the cluster get the same. What
 * may be `Fail` is asked for as `Fail` here; whether it may be so yet is the reconciler's to say.
 * SPEC: kyverno-surface.md sections 6.1, 6.2; design.md section 2, invariant 1.
 */
import type { CatalogEntry, CatalogSnapshot, GateConfiguration, MatchCondition } from "#catalog";
import type { Json, JsonObject } from "#json";
import type { Discovery } from "#kube";
import type { FailurePolicy, LabelSelectorSpec } from "#policy";
import type { RegistrationOptions } from "../ports.ts";
import { conditionsFor } from "./conditions.ts";
import type { Exclusion, NamespaceExclusion } from "./exclusions.ts";
import { exclusionsWithout } from "./exclusions.ts";
import { textIn } from "./fields.ts";
import type { RegistrationNames } from "./names.ts";
import { namesOf } from "./names.ts";
import type { Gap, Wanted } from "./policy-reach.ts";
import { policyReach } from "./policy-reach.ts";
import type { RuleSet } from "./webhook-rules.ts";
import { createRuleSet } from "./webhook-rules.ts";

export type RegistrationInput = {
  readonly snapshot: CatalogSnapshot;
  readonly discovery: Discovery;
  readonly configuration: GateConfiguration;
  readonly options: RegistrationOptions;
  /** PEM. */
  readonly caBundle: string;
  /** What takes the registrations with it when it goes; Postern's Namespace. */
  readonly owner?: JsonObject;
  /** In place of the table, for tests of what each row is for. */
  readonly rows?: readonly Exclusion[];
};

export type Registrations = {
  /** ValidatingWebhookConfigurations, by name. */
  readonly objects: readonly JsonObject[];
  /** By policy key; policies without a gap are not in it. */
  readonly gaps: ReadonlyMap<string, readonly Gap[]>;
};

export const FAIL_FOR_BOOT_KINDS = "postern.dev/fail-for-boot-kinds";
export const CANARY_LABEL = "postern.dev/canary";

const BOOT_TIMEOUT_SECONDS = 2;
const CANARY_TIMEOUT_SECONDS = 2;
const NAME_LABEL = "kubernetes.io/metadata.name";

export function buildRegistrations(input: RegistrationInput): Registrations {
  return new Builder(input).build();
}

class Builder {
  readonly #input: RegistrationInput;
  readonly #names: RegistrationNames;
  readonly #rows: readonly Exclusion[];
  readonly #gaps = new Map<string, readonly Gap[]>();

  constructor(input: RegistrationInput) {
    this.#input = input;
    this.#names = namesOf(input.options.names);
    this.#rows = input.rows ?? exclusionsWithout(input.options.without);
  }

  build(): Registrations {
    const { resource, policy, exception, canary } = this.#names;
    const objects = [
      this.#object(resource, this.#resourceWebhooks()),
      this.#object(policy, [this.#kindWebhook(this.#names.validatePolicy, "/policyvalidate", policyRules)]),
      this.#object(exception, [
        this.#kindWebhook(this.#names.validateException, "/exceptionvalidate", exceptionRules),
      ]),
      this.#object(canary, [this.#canaryWebhook()]),
    ];
    return { objects, gaps: this.#gaps };
  }

  #resourceWebhooks(): readonly JsonObject[] {
    const shared = { Fail: createRuleSet(), Ignore: createRuleSet() };
    const timeouts = { Fail: this.#input.options.timeoutSeconds, Ignore: this.#input.options.timeoutSeconds };
    const own: JsonObject[] = [];
    for (const entry of this.#input.snapshot.entries) {
      if (entry.inForce === undefined) continue;
      const reach = policyReach(entry, this.#input.discovery, this.#rows);
      const policy = this.#input.snapshot.isAuditOnly(entry.key)
        ? "Ignore"
        : entry.inForce.policy.failurePolicy;
      const gaps = [...reach.gaps];
      if (entry.ownWebhook) own.push(...this.#ownWebhook(entry, policy, reach.open));
      else {
        addAll(shared[policy], reach.open);
        timeouts[policy] = Math.max(timeouts[policy], entry.inForce.policy.timeoutSeconds ?? 0);
      }
      if (reach.boot.length > 0) own.push(this.#bootWebhook(entry, policy, reach.boot, gaps));
      if (gaps.length > 0) this.#gaps.set(entry.key, gaps);
    }
    const general = (["Fail", "Ignore"] as const)
      .filter((policy) => !shared[policy].isEmpty())
      .map((policy) =>
        this.#webhook(shared[policy], {
          name: `${this.#names.validate}-${policy.toLowerCase()}`,
          path: `/validate/${policy.toLowerCase()}`,
          failurePolicy: policy,
          timeoutSeconds: timeouts[policy],
          conditions: this.#input.configuration.matchConditions,
        }),
      );
    return [...general, ...own].sort((a, b) => (textIn(a, "name") < textIn(b, "name") ? -1 : 1));
  }

  /** A policy that is called by itself; the operator's conditions do not count where it has its own, as upstream. */
  #ownWebhook(
    entry: CatalogEntry,
    failurePolicy: FailurePolicy,
    wanted: readonly Wanted[],
  ): readonly JsonObject[] {
    const rules = createRuleSet();
    addAll(rules, wanted);
    if (rules.isEmpty()) return [];
    const word = failurePolicy.toLowerCase();
    return [
      this.#webhook(rules, {
        name: `${this.#names.validate}-${word}-finegrained-${dashed(entry)}`,
        path: `/validate/${word}/finegrained/${entry.key}`,
        failurePolicy,
        timeoutSeconds: entry.inForce?.policy.timeoutSeconds ?? this.#input.options.timeoutSeconds,
        conditions:
          entry.matchConditions.length > 0
            ? entry.matchConditions
            : this.#input.configuration.matchConditions,
      }),
    ];
  }

  /** What a control plane writes at boot, named by a policy: short and `Ignore`, unless two people said otherwise. */
  #bootWebhook(
    entry: CatalogEntry,
    wantedPolicy: FailurePolicy,
    wanted: readonly Wanted[],
    gaps: Gap[],
  ): JsonObject {
    const rules = createRuleSet();
    addAll(rules, wanted);
    const asked = entry.inForce?.policy.annotations[FAIL_FOR_BOOT_KINDS] === "true";
    const failurePolicy =
      wantedPolicy === "Fail" && asked && this.#input.options.allowFailForBootKinds ? "Fail" : "Ignore";
    if (failurePolicy !== wantedPolicy) gaps.push(bootGap(wanted, asked));
    const word = failurePolicy.toLowerCase();
    return this.#webhook(rules, {
      name: `${this.#names.validate}-${word}-boot-${dashed(entry)}`,
      path: `/validate/${word}/finegrained/${entry.key}`,
      failurePolicy,
      timeoutSeconds: BOOT_TIMEOUT_SECONDS,
      conditions: entry.matchConditions,
    });
  }

  #webhook(
    rules: RuleSet,
    about: {
      readonly name: string;
      readonly path: string;
      readonly failurePolicy: FailurePolicy;
      readonly timeoutSeconds: number;
      readonly conditions: readonly MatchCondition[];
    },
  ): JsonObject {
    const { namespaceSelector, objectSelector } = this.#input.configuration;
    return {
      ...this.#call(about.name, about.path, Math.min(30, about.timeoutSeconds)),
      failurePolicy: about.failurePolicy,
      sideEffects: "NoneOnDryRun",
      rules: rules.rules(),
      namespaceSelector: this.#namespaceSelector(namespaceSelector),
      objectSelector: selectorJson(objectSelector),
      matchConditions: [...conditionsFor(this.#rows, rules), ...about.conditions].map(
        ({ name, expression }) => ({
          name,
          expression,
        }),
      ),
    };
  }

  #kindWebhook(name: string, path: string, rules: Json): JsonObject {
    return {
      ...this.#call(name, path, this.#input.options.timeoutSeconds),
      failurePolicy: "Ignore",
      sideEffects: "None",
      rules,
      namespaceSelector: {},
      objectSelector: {},
      matchConditions: [],
    };
  }

  #canaryWebhook(): JsonObject {
    const { namespace } = this.#input.options;
    return {
      ...this.#call(this.#names.canaryWebhook, "/canary", CANARY_TIMEOUT_SECONDS),
      failurePolicy: "Ignore",
      sideEffects: "None",
      rules: [
        {
          apiGroups: [""],
          apiVersions: ["v1"],
          operations: ["CREATE"],
          resources: ["configmaps"],
          scope: "Namespaced",
        },
      ],
      namespaceSelector: { matchExpressions: [{ key: NAME_LABEL, operator: "In", values: [namespace] }] },
      objectSelector: { matchExpressions: [{ key: CANARY_LABEL, operator: "Exists" }] },
      matchConditions: [],
    };
  }

  #call(name: string, path: string, timeoutSeconds: number): JsonObject {
    const { endpoint, namespace } = this.#input.options;
    const where: JsonObject =
      endpoint.kind === "url"
        ? { url: `${endpoint.url}${path}` }
        : { service: { namespace, name: endpoint.name, port: endpoint.port, path } };
    return {
      name,
      clientConfig: { ...where, caBundle: base64(this.#input.caBundle) },
      admissionReviewVersions: ["v1"],
      matchPolicy: "Equivalent",
      timeoutSeconds,
    };
  }

  #namespaceSelector(given: LabelSelectorSpec | undefined): Json {
    const { namespace, infrastructureNamespaces } = this.#input.options;
    const kept = this.#rows
      .filter((row): row is NamespaceExclusion => row.by === "namespace")
      .flatMap((row) =>
        row.namespace === "own"
          ? [namespace]
          : row.namespace === "infrastructure"
            ? infrastructureNamespaces
            : [row.namespace],
      );
    const ours =
      kept.length === 0 ? [] : [{ key: NAME_LABEL, operator: "NotIn", values: [...new Set(kept)].sort() }];
    const theirs = selectorJson(given);
    return { ...theirs, matchExpressions: [...ours, ...(given?.matchExpressions ?? []).map(expressionJson)] };
  }

  #object(name: string, webhooks: readonly JsonObject[]): JsonObject {
    const { configuration, owner } = this.#input;
    return {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata: {
        name,
        labels: { ...configuration.webhookLabels, ...this.#names.labels },
        annotations: { ...configuration.webhookAnnotations },
        ...(owner === undefined ? {} : { ownerReferences: [owner] }),
      },
      webhooks,
    };
  }
}

const policyRules: Json = [
  {
    apiGroups: ["kyverno.io"],
    apiVersions: ["v1", "v2beta1"],
    operations: ["CREATE", "UPDATE"],
    resources: ["clusterpolicies", "policies"],
    scope: "*",
  },
];

const exceptionRules: Json = [
  {
    apiGroups: ["kyverno.io"],
    apiVersions: ["v2", "v2beta1"],
    operations: ["CREATE", "UPDATE"],
    resources: ["policyexceptions"],
    scope: "*",
  },
];

function addAll(rules: RuleSet, wanted: readonly Wanted[]): void {
  for (const { target, operations } of wanted) rules.add(target, operations);
}

function bootGap(wanted: readonly Wanted[], asked: boolean): Gap {
  const resources = [...new Set(wanted.map(({ target }) => target.resource))].sort().join(", ");
  const missing = asked
    ? "Postern was not started with --allow-fail-for-boot-kinds"
    : `it has no annotation ${FAIL_FOR_BOOT_KINDS}: "true"`;
  return {
    what: resources,
    why: `a control plane writes it at boot, so it is guarded with Ignore: when the gate does not answer it is let through (${missing})`,
  };
}

/** A policy's part of a webhook's name. */
export function dashed({ namespace, name }: CatalogEntry): string {
  return namespace === "" ? name : `${namespace}-${name}`;
}

function selectorJson(selector: LabelSelectorSpec | undefined): JsonObject {
  return {
    ...(selector?.matchLabels === undefined ? {} : { matchLabels: { ...selector.matchLabels } }),
    ...(selector?.matchExpressions === undefined
      ? {}
      : { matchExpressions: selector.matchExpressions.map(expressionJson) }),
  };
}

function expressionJson({
  key,
  operator,
  values,
}: NonNullable<LabelSelectorSpec["matchExpressions"]>[number]): JsonObject {
  return { key, operator, ...(values === undefined || values.length === 0 ? {} : { values: [...values] }) };
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
