/** Door of `k8s`: what Kubernetes means by its objects. */
export { apiVersionOf, gvkOf } from "./gvk.ts";
export type { GroupVersionKind } from "./gvk.ts";
