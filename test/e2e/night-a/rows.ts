/**
 * The rows of the measured boots (boot-experiments.md): what a webhook with rules for everything did, how it was
 * registered, and what became of an API server that had to create its default ServiceCIDR. As data, because the same
 * rows are asked twice: of upstream's shape of registration, where they must come out as measured, and of Postern's,
 * where every one must come out ready.
 */
export type Behaviour = "denies" | "dead" | "hung" | "answers-5xx";

export type Outcome = "dies" | "ready" | "ready, never called";

export type Row = {
  readonly name: string;
  readonly behaviour: Behaviour;
  readonly failurePolicy: "Fail" | "Ignore";
  readonly timeoutSeconds: number;
  readonly kind: "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration";
  /** A match condition that the operator wrote by hand. */
  readonly condition?: string;
  /** Only pods and deployments, in place of everything. */
  readonly narrow?: true;
  /** Of the API server, for the boot. */
  readonly flags?: readonly string[];
  /** How somebody gets out: a delete through the API while the server boots, or the key in etcd before it does. */
  readonly rescue?: "api" | "etcd";
  /** With upstream's shape of registration. */
  readonly measured: Outcome;
};

const usual = { timeoutSeconds: 10, kind: "ValidatingWebhookConfiguration" } as const;

export const rows: readonly Row[] = [
  { ...usual, name: "a denial", behaviour: "denies", failurePolicy: "Fail", measured: "dies" },
  { ...usual, name: "a denial under Ignore", behaviour: "denies", failurePolicy: "Ignore", measured: "dies" },
  {
    ...usual,
    kind: "MutatingWebhookConfiguration",
    name: "a denial by a mutating webhook",
    behaviour: "denies",
    failurePolicy: "Fail",
    measured: "dies",
  },
  { ...usual, name: "nothing listens", behaviour: "dead", failurePolicy: "Fail", measured: "dies" },
  {
    ...usual,
    name: "nothing listens, Ignore",
    behaviour: "dead",
    failurePolicy: "Ignore",
    measured: "ready",
  },
  { ...usual, name: "hangs for 10 s", behaviour: "hung", failurePolicy: "Fail", measured: "dies" },
  { ...usual, name: "hangs for 10 s, Ignore", behaviour: "hung", failurePolicy: "Ignore", measured: "ready" },
  {
    ...usual,
    timeoutSeconds: 1,
    name: "hangs for 1 s, Ignore",
    behaviour: "hung",
    failurePolicy: "Ignore",
    measured: "ready",
  },
  { ...usual, name: "HTTP 500", behaviour: "answers-5xx", failurePolicy: "Fail", measured: "dies" },
  {
    ...usual,
    name: "HTTP 500, Ignore",
    behaviour: "answers-5xx",
    failurePolicy: "Ignore",
    measured: "ready",
  },
  {
    ...usual,
    name: "a denial, with a condition on the user's name",
    behaviour: "denies",
    failurePolicy: "Fail",
    condition: "request.userInfo.username != 'system:apiserver'",
    measured: "ready, never called",
  },
  {
    ...usual,
    name: "a denial, rules for pods and deployments alone",
    behaviour: "denies",
    failurePolicy: "Fail",
    narrow: true,
    measured: "ready, never called",
  },
  {
    ...usual,
    name: "a denial, webhooks switched off at the API server",
    behaviour: "denies",
    failurePolicy: "Fail",
    flags: ["--disable-admission-plugins=ValidatingAdmissionWebhook"],
    measured: "ready, never called",
  },
  {
    ...usual,
    name: "a denial, the configuration deleted while the server boots",
    behaviour: "denies",
    failurePolicy: "Fail",
    rescue: "api",
    measured: "ready",
  },
  {
    ...usual,
    name: "a denial, the key removed from etcd",
    behaviour: "denies",
    failurePolicy: "Fail",
    rescue: "etcd",
    measured: "ready, never called",
  },
];
