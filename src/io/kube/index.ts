/** Door of `kube`: the cluster, as calls, objects, watched collections and leadership. */
export { loadClusterConfig } from "./config/load-cluster-config.ts";
export { createKubeClient } from "./client.ts";
export { createInformer } from "./informer.ts";
export { createLeaderElection } from "./leader-election.ts";
export { createDiscovery } from "./discovery.ts";
export { KubeError, isAlreadyExists, isConflict, isGone, isNotFound } from "./kube-error.ts";
export { createObjects } from "./objects.ts";
export type { ClusterConfig } from "./config/cluster-config.ts";
export type {
  ApiResource,
  CallCount,
  CallPurpose,
  Discovery,
  DiscoveryCache,
  Informer,
  InformerChange,
  InformerOptions,
  KubeAnswer,
  KubeCall,
  KubeClient,
  KubeObject,
  KubeStream,
  LeaderElection,
  LeaderOptions,
  ListOptions,
  ObjectClient,
  PatchKind,
  ResourceType,
  WriteOptions,
} from "./contract.ts";
