/**
 * What the controllers want from the rest of the process. They run in every replica and write only in the leader; what
 * they find (hand-patched webhooks, a canary that did not come back, policies that are not covered) goes out as a state
 * that metrics, `postern status` and the policies' own status show.
 */
import type { CatalogSnapshot, GateConfiguration } from "#catalog";
import type { DiscoveryCache, KubeClient } from "#kube";

/** Who may be left out of a webhook's safety, one switch each; all on by default. */
export type Safety =
  | "identities"
  | "boot-kinds"
  | "namespaces"
  | "read-back"
  | "canary"
  | "hand-patches"
  | "watchdog";

export type RegistrationOptions = {
  readonly names: "postern" | "kyverno";
  /** The namespace that Postern runs in. */
  readonly namespace: string;
  /** Beside kube-system, kube-node-lease and Postern's own. */
  readonly infrastructureNamespaces: readonly string[];
  readonly endpoint:
    | { readonly kind: "service"; readonly name: string; readonly port: number }
    /** `https://host:port`, without a path. */
    | { readonly kind: "url"; readonly url: string };
  /** Seconds, 1 to 30. */
  readonly timeoutSeconds: number;
  /** The operator's half of the permission to guard boot kinds with `Fail`; the policy's annotation is the other. */
  readonly allowFailForBootKinds: boolean;
  /** Safeties that were switched off. */
  readonly without: readonly Safety[];
};

export type ControllerPorts = {
  readonly client: KubeClient;
  readonly discovery: DiscoveryCache;
  readonly policies: () => CatalogSnapshot;
  readonly configuration: () => GateConfiguration;
  /** PEM; undefined until there is a certificate. */
  readonly caBundle: () => string | undefined;
  readonly isLeader: () => boolean;
  readonly log: ControllerLog;
  readonly nowMs: () => number;
};

export type ControllerLog = {
  readonly info: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  readonly warn: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
  readonly error: (message: string, fields?: Readonly<Record<string, unknown>>) => void;
};

/** Work that is done again whenever something it hangs on changes, never twice at once, with back-off after a failure. */
export type Controller = {
  readonly start: () => void;
  readonly stop: () => Promise<void>;
  /** Something changed; several calls in a row are one run. */
  readonly enqueue: () => void;
};
