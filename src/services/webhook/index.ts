/** Door of `webhook`: the gate that API servers call. */
export type {
  Answer,
  AuditedRequest,
  FaultCode,
  GateEvent,
  GateObserver,
  GatePorts,
  Roles,
} from "./ports.ts";
