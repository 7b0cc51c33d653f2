/** What `postern serve` was asked for, decoded and checked: the composition reads nothing else. */
import type { RegistrationOptions, Safety } from "#controllers";

export type ServeOptions = {
  /** Absent: in-cluster, then KUBECONFIG, then ~/.kube/config. */
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /** Postern's own. */
  readonly namespace: string;
  /** Unique among the replicas: the pod's name, or the host's with a suffix. */
  readonly replica: string;
  /** The Deployment that this replica's pod belongs to; absent outside of a pod. */
  readonly deployment: string | undefined;
  readonly names: RegistrationOptions["names"];
  /** Absent: every address of the machine. */
  readonly host: string | undefined;
  readonly port: number;
  /** 0: no metrics server. */
  readonly metricsPort: number;
  readonly endpoint: RegistrationOptions["endpoint"];
  /** Absent: Postern issues its own certificate and keeps it in a Secret. */
  readonly tlsFiles:
    | { readonly cert: string; readonly key: string; readonly ca: string | undefined }
    | undefined;
  readonly configMapName: string;
  readonly infrastructureNamespaces: readonly string[];
  readonly webhookTimeoutSeconds: number;
  readonly allowFailForBootKinds: boolean;
  readonly openWhenDead: boolean;
  readonly without: readonly Safety[];
  readonly maxConcurrent: number;
  readonly maxQueued: number;
  readonly lookupTimeoutMs: number;
  readonly logLevel: "debug" | "info" | "warn" | "error";
  /** Take the registrations away when this process stops, whatever became of the Deployment. */
  readonly removeOnExit: boolean;
};
