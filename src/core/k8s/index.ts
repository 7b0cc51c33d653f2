/** Door of `k8s`: what Kubernetes means by its objects. */
export { apiVersionOf, gvkOf } from "./gvk.ts";
export { extractImages, ImageExtractionError } from "./images.ts";
export { parseKindSelector, splitKind } from "./kind-selector.ts";
export { isNamespaced, knownKind, pluralOf } from "./kinds.ts";
export { podSpecOf, podSpecPath } from "./pod-spec.ts";
export { serviceAccountOf, serviceAccountUserName } from "./service-account.ts";
export type { GroupVersionKind } from "./gvk.ts";
export type { ImageQuery } from "./images.ts";
export type { KindSelector } from "./kind-selector.ts";
export type { KnownKind } from "./kinds.ts";
export type { ServiceAccountName } from "./service-account.ts";
