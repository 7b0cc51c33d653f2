/**
 * The grammar of `kinds`: `Kind`, `version/Kind`, `group/version/Kind`, each with `/subresource` or `.subresource`, all
 * parts with wildcards. What a text means depends on its number of parts and on whether the first looks like a version,
 * so the odd spellings (`v10/Pod` is kind `v10` with subresource `Pod`) are upstream's and kept.
 * SPEC: Kyverno 1.19 pkg/utils/kube ParseKindSelector and GetKindFromGVK; kyverno-surface.md sections 0 and 1.3.
 */
export type KindSelector = {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly subresource: string;
};

const NOTHING: KindSelector = { group: "", version: "", kind: "", subresource: "" };

/** Reads one entry of `kinds`; a text with too many parts selects nothing (all parts empty). */
export function parseKindSelector(text: string): KindSelector {
  const slashed = text.split("/");
  const parts = [...slashed.slice(0, -1), ...(slashed.at(-1) ?? "").split(".")];
  const [first = "", second = "", third = "", fourth = ""] = parts;
  switch (parts.length) {
    case 1:
      return { group: "*", version: "*", kind: first, subresource: "" };
    case 2:
      return twoParts(first, second);
    case 3:
      if (isVersion(first)) return { group: "*", version: first, kind: second, subresource: third };
      return { group: first, version: second, kind: third, subresource: "" };
    case 4:
      return { group: first, version: second, kind: third, subresource: fourth };
    default:
      return NOTHING;
  }
}

function twoParts(first: string, second: string): KindSelector {
  if (first === "*" && second === "*") return { group: "*", version: "*", kind: "*", subresource: "*" };
  if (first === "*" && second === second.toLowerCase()) {
    return { group: "*", version: "*", kind: "*", subresource: second };
  }
  if (isVersion(first)) return { group: "*", version: first, kind: second, subresource: "" };
  return { group: "*", version: "*", kind: first, subresource: second };
}

/** Versions of one digit only: `v1`, `v2beta1`, `*`. */
function isVersion(text: string): boolean {
  return /^(?:v\d(?:(?:alpha|beta)\d)?|\*)$/.test(text);
}

/**
 * Splits an entry of `kinds` into its group and version as written and the kind with its subresource after a slash:
 * `apps/v1/Deployment.scale` is `apps/v1` and `Deployment/scale`.
 */
export function splitKind(text: string): { readonly groupVersion: string; readonly kind: string } {
  const parts = text.split("/");
  const [first = "", second = "", third = "", fourth = ""] = parts;
  switch (parts.length) {
    case 1:
      return { groupVersion: "", kind: slashSubresource(first) };
    case 2:
      if (isVersion(first)) return { groupVersion: first, kind: slashSubresource(second) };
      return { groupVersion: "", kind: text };
    case 3:
      if (isVersion(first)) return { groupVersion: first, kind: `${second}/${third}` };
      return { groupVersion: `${first}/${second}`, kind: slashSubresource(third) };
    case 4:
      return { groupVersion: `${first}/${second}`, kind: `${third}/${fourth}` };
    default:
      return { groupVersion: "", kind: "" };
  }
}

function slashSubresource(kind: string): string {
  const dot = kind.indexOf(".");
  return dot < 0 ? kind : `${kind.slice(0, dot)}/${kind.slice(dot + 1)}`;
}
