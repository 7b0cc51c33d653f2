/** Door of `catalog`: the policies in force and the operator's configuration. */
export type { Catalog, CatalogEntry, CatalogSnapshot, NotReadyReason, Readiness } from "./catalog.ts";
export type { GateConfiguration, MatchCondition, ResourceFilterEntry } from "./configuration.ts";
