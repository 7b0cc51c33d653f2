/** Door of `cluster`: what the cluster says, as the gate and the controllers read it. */
export { createClusterView } from "./cluster-view.ts";
export type { ClusterView, ClusterViewOptions } from "./cluster-view.ts";
export type { Freshness, InformerFactory } from "./watch-set.ts";
export type { WatchedKind } from "./watched-kinds.ts";
