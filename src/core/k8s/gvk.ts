/** Group, version and kind, as the API server names types. The core group is the empty string. */
export type GroupVersionKind = { readonly group: string; readonly version: string; readonly kind: string };

/** `apps/v1` and `Deployment`; `v1` and `Pod`. */
export function gvkOf(apiVersion: string, kind: string): GroupVersionKind {
  const slash = apiVersion.indexOf("/");
  if (slash < 0) return { group: "", version: apiVersion, kind };
  return { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1), kind };
}

export function apiVersionOf(gvk: GroupVersionKind): string {
  return gvk.group === "" ? gvk.version : `${gvk.group}/${gvk.version}`;
}
