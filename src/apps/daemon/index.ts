/** Door of `daemon`: the processes that run in a cluster. */
export { createObserver } from "./observer.ts";
export { decodeReplicaState } from "./replica/replica-state.ts";
export { LEASE_PREFIX, REPLICA_LABEL, renewTimeOf } from "./replica/replica-lease.ts";
export { serve } from "./serve.ts";
export type { ReplicaFault, ReplicaState } from "./replica/replica-state.ts";
export type { ServeOptions } from "./serve-options.ts";
