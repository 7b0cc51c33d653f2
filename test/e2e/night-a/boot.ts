/**
 * One boot of night A: registrations are in etcd, the API server is stopped, its default ServiceCIDR is gone (the state
 * after an upgrade to the first version that has ServiceCIDR), and it starts.
 */
import type { ControlPlane } from "../control-plane/control-plane.ts";
import { until } from "../control-plane/child.ts";
import type { Gate, GateCall, State } from "./gate.ts";

export type WebhookConfiguration = {
  readonly apiVersion: "admissionregistration.k8s.io/v1";
  readonly kind: "ValidatingWebhookConfiguration" | "MutatingWebhookConfiguration";
  readonly metadata: { readonly name: string };
  readonly webhooks: readonly {
    readonly name: string;
    readonly failurePolicy: string;
    readonly rules: readonly {
      readonly apiGroups: readonly string[];
      readonly resources: readonly string[];
    }[];
  }[];
};

export type BootPlan = {
  readonly configurations: readonly WebhookConfiguration[];
  readonly state: State;
  readonly flags?: readonly string[];
  /** Beside the ServiceCIDR. */
  readonly missing?: readonly string[];
  /** Etcd has the registrations and nothing else: a first boot, of a cluster that was restored by halves. */
  readonly empty?: boolean;
  /** What somebody does while the server boots; the gate has been called often by then. */
  readonly rescue?: () => Promise<void>;
};

export type Boot = {
  readonly outcome: "ready" | "died";
  /** The end of the API server's log, for messages. */
  readonly log: string;
  /** What came through until it was ready or dead. */
  readonly calls: readonly GateCall[];
  readonly connections: number;
};

/** What the dying API server says. */
export const deathLine =
  'PostStartHook "start-service-ip-repair-controllers" failed: unable to perform initial IP and Port allocation check';

const defaultServiceCidr = "/registry/servicecidrs/kubernetes";

export async function boot(plane: ControlPlane, gate: Gate, plan: BootPlan): Promise<Boot> {
  await gate.enter(plan.state);
  for (const configuration of plan.configurations) await register(plane, configuration);
  await plane.stopApiServer();
  for (const prefix of [defaultServiceCidr, ...(plan.missing ?? [])]) {
    if ((await plane.etcd.remove(prefix)) === 0) throw new Error(`etcd has no ${prefix}`);
  }
  if (plan.empty === true) await keepRegistrations(plane);
  plane.audit.mark();
  gate.forget();
  const child = plane.launchApiServer(plan.flags);
  if (plan.rescue !== undefined) {
    await until("a hundred calls", () => (gate.calls().length >= 100 ? true : undefined));
    await plan.rescue();
  }
  const outcome = await until(
    "the API server to be ready or dead",
    () => (child.exited() ? "died" : isReady(plane)),
    150_000,
  );
  return { outcome, log: plane.apiServerOutput(), calls: gate.calls(), connections: gate.connections() };
}

async function keepRegistrations(plane: ControlPlane): Promise<void> {
  const kept = new Map<string, Buffer>();
  for (const plural of Object.values(plurals)) {
    for (const key of await plane.etcd.keys(`/registry/${plural}/`)) {
      const value = await plane.etcd.get(key);
      if (value !== undefined) kept.set(key, value);
    }
  }
  await plane.etcd.remove("/registry/");
  for (const [key, value] of kept) await plane.etcd.put(key, value);
}

async function isReady(plane: ControlPlane): Promise<"ready" | undefined> {
  try {
    const { status } = await plane.call({ method: "GET", path: "/readyz" });
    return status === 200 ? "ready" : undefined;
  } catch {
    return undefined;
  }
}

/** Takes all registrations away and leaves a running API server, whatever the last boot came to. */
export async function recover(plane: ControlPlane): Promise<void> {
  await plane.stopApiServer();
  for (const plural of Object.values(plurals)) await plane.etcd.remove(`/registry/${plural}/`);
  await plane.startApiServer();
}

const plurals = {
  ValidatingWebhookConfiguration: "validatingwebhookconfigurations",
  MutatingWebhookConfiguration: "mutatingwebhookconfigurations",
} as const;

/** Below `/apis/admissionregistration.k8s.io/v1`; etcd's key is `/registry` and the same. */
export function placeOf({ kind, metadata }: WebhookConfiguration): string {
  return `/${plurals[kind]}/${metadata.name}`;
}

export async function register(plane: ControlPlane, configuration: WebhookConfiguration): Promise<void> {
  const { status, text } = await plane.call({
    method: "POST",
    path: `/apis/admissionregistration.k8s.io/v1/${plurals[configuration.kind]}`,
    body: configuration,
  });
  if (status !== 201) throw new Error(`${configuration.metadata.name} was not registered: ${status} ${text}`);
}

/** Through the API, by name. @returns the statuses */
export async function unregister(
  plane: ControlPlane,
  configurations: readonly WebhookConfiguration[],
): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (const configuration of configurations) {
    const path = `/apis/admissionregistration.k8s.io/v1${placeOf(configuration)}`;
    statuses.push((await plane.call({ method: "DELETE", path })).status);
  }
  return statuses;
}
