/** Door of `webhook`: the gate. */
export { createClusterLookups } from "./cluster-lookups.ts";
export { createGate } from "./gate.ts";
export type { Gate, GateOptions } from "./gate.ts";
export type {
  Answer,
  AuditedRequest,
  FaultCode,
  GateEvent,
  GateObserver,
  GatePorts,
  Roles,
} from "./ports.ts";
