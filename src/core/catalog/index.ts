/** Door of `catalog`: the policies in force and the operator's configuration. */
export { OPEN_WHEN_DEAD } from "./catalog-entry.ts";
export { createCatalog } from "./create-catalog.ts";
export { decodeConfiguration } from "./decode-configuration.ts";
export { compileRequestFilter } from "./request-filter.ts";
export { reviewPolicyObject } from "./review-object.ts";
export type { Catalog, CatalogEntry, CatalogSnapshot, NotReadyReason, Readiness } from "./catalog.ts";
export type { GateConfiguration, MatchCondition, ResourceFilterEntry } from "./configuration.ts";
export type { RequestFilter } from "./request-filter.ts";
export type { ObjectReview } from "./review-object.ts";
