/** Where registrations come from: a function of policies, so that the same boots can be had with any shape of them. */
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
  /** The id of an entry of the exclusions that is left out, for controls. */
  readonly withoutExclusion?: string;
};

export type RegistrationProvider = (order: RegistrationOrder) => Promise<readonly WebhookConfiguration[]>;
