/** Postern's registrations for a set of policies, by the same functions that the daemon's leader uses. */
import type { GateConfiguration } from "#catalog";
import { createCatalog, decodeConfiguration } from "#catalog";
import type { Exclusion } from "#controllers";
import { buildRegistrations } from "#controllers";
import type { JsonObject } from "#json";
import type { Discovery } from "#kube";
import { createDiscovery, createKubeClient, loadClusterConfig } from "#kube";
import type { ControlPlane } from "../control-plane/control-plane.ts";
import type { WebhookConfiguration } from "./boot.ts";
import type { Gate } from "./gate.ts";
import type { PolicyDocument } from "./policies.ts";

export type RegistrationOrder = {
  /** Its discovery says what wildcards stand for. */
  readonly plane: ControlPlane;
  readonly gate: Gate;
  readonly policies: readonly PolicyDocument[];
  readonly timeoutSeconds: number;
  /** The operator's half of the permission to guard boot kinds with `Fail`. */
  readonly failForBootKinds: boolean;
  /** The operator's own match condition. */
  readonly condition?: string;
  /** In place of the table, for controls. */
  readonly exclusions?: readonly Exclusion[];
};

/** Namespaces that rows write into, as an operator would list them. */
const infrastructureNamespaces = ["infrastructure"];

export async function posternRegistrations(
  order: RegistrationOrder,
): Promise<readonly WebhookConfiguration[]> {
  const catalog = createCatalog();
  for (const policy of order.policies) catalog.put(policy as unknown as JsonObject);
  const snapshot = catalog.snapshot();
  const unready = snapshot.entries.filter(({ readiness }) => !readiness.ready);
  if (unready.length > 0)
    throw new Error(JSON.stringify(unready.map(({ name, readiness }) => [name, readiness])));
  const { objects } = buildRegistrations({
    snapshot,
    discovery: await discoveryOf(order.plane),
    configuration: configurationWith(order.condition),
    options: {
      names: "postern",
      namespace: "postern",
      infrastructureNamespaces,
      endpoint: { kind: "url", url: order.gate.url },
      timeoutSeconds: order.timeoutSeconds,
      allowFailForBootKinds: order.failForBootKinds,
      without: [],
    },
    caBundle: order.gate.ca,
    ...(order.exclusions === undefined ? {} : { rows: order.exclusions }),
  });
  return objects as unknown as readonly WebhookConfiguration[];
}

/** As the operator's ConfigMap has it. */
function configurationWith(expression: string | undefined): GateConfiguration {
  if (expression === undefined) return decodeConfiguration(undefined);
  return decodeConfiguration({
    data: { matchConditions: JSON.stringify([{ name: "by-hand", expression }]) },
  });
}

const discoveries = new WeakMap<ControlPlane, Promise<Discovery>>();

function discoveryOf(plane: ControlPlane): Promise<Discovery> {
  const known = discoveries.get(plane) ?? discover(plane);
  discoveries.set(plane, known);
  return known;
}

async function discover(plane: ControlPlane): Promise<Discovery> {
  const config = await loadClusterConfig({ env: {}, nowMs: Date.now, kubeconfig: plane.kubeconfig });
  const client = createKubeClient(config, { userAgent: "night-a", nowMs: Date.now, random: Math.random });
  try {
    return await createDiscovery(client).refresh();
  } finally {
    client.close();
  }
}
