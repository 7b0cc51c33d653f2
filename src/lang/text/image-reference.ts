/**
 * Image references as policies see them: `nginx` is `docker.io/nginx:latest`. Upstream puts the default registry in
 * front before it parses, and its messages show the result, so the same is done here. Names in upper case, unknown
 * digests and everything else that a registry client would refuse is an error.
 * SPEC: Kyverno 1.19 pkg/utils/image `GetImageInfo`; distribution/reference `Parse`; opencontainers/go-digest.
 */

export type ImageReference = {
  readonly registry: string;
  readonly path: string;
  /** Last step of the path. */
  readonly name: string;
  /** Empty where there is only a digest. */
  readonly tag: string;
  /** Empty where there is none. */
  readonly digest: string;
  /** With the digest if there is one, else with the tag. */
  readonly reference: string;
  readonly referenceWithTag: string;
};

export type ImageReferenceError = { readonly error: string };

export const defaultRegistry = "docker.io";

/** Never throws; `error` is upstream's whole text (`bad image: …`). */
export function parseImageReference(image: string): ImageReference | ImageReferenceError {
  const full = withRegistry(image);
  const parsed = parseReference(full);
  if (typeof parsed === "string") {
    return {
      error: `bad image: ${full}, defaultRegistry: ${defaultRegistry}, enableDefaultRegistryMutation: true: ${parsed}`,
    };
  }
  const { registry, path, digest } = parsed;
  const tag = parsed.tag === "" && digest === "" ? "latest" : parsed.tag;
  const prefix = registry === "" ? path : `${registry}/${path}`;
  const referenceWithTag = `${prefix}:${tag}`;
  const reference = digest === "" ? referenceWithTag : `${prefix}@${digest}`;
  const name = path.slice(path.lastIndexOf("/") + 1);
  return { registry, path, name, tag, digest, reference, referenceWithTag };
}

/** The first step is a registry if it has a dot, a colon, an upper-case letter, or is `localhost`. */
function withRegistry(image: string): string {
  const slash = image.indexOf("/");
  const first = image.slice(0, Math.max(slash, 0));
  const isRegistry =
    slash !== -1 && (/[.:]/.test(first) || first === "localhost" || first !== first.toLowerCase());
  return isRegistry ? image : `${defaultRegistry}/${image}`;
}

type Parts = Pick<ImageReference, "registry" | "path" | "tag" | "digest">;

const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}$/;
const HOST =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?$/;
const PATH_STEP = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/;
const MAX_PATH = 255;

/** The parts, or why not. */
function parseReference(text: string): Parts | string {
  const parts = splitReference(text);
  if (parts === undefined) {
    if (text === "") return "repository name must have at least one component";
    return splitReference(text.toLowerCase()) === undefined
      ? "invalid reference format"
      : "repository name must be lowercase";
  }
  if (parts.path.length > MAX_PATH) return "repository name must not be more than 255 characters";
  return (parts.digest === "" ? undefined : digestError(parts.digest)) ?? parts;
}

function splitReference(text: string): Parts | undefined {
  const at = text.indexOf("@");
  const digest = at === -1 ? "" : text.slice(at + 1);
  if (at !== -1 && !DIGEST.test(digest)) return undefined;
  const named = at === -1 ? text : text.slice(0, at);
  const colon = named.indexOf(":", named.lastIndexOf("/") + 1);
  const tag = colon === -1 ? "" : named.slice(colon + 1);
  if (colon !== -1 && !TAG.test(tag)) return undefined;
  const name = splitName(colon === -1 ? named : named.slice(0, colon));
  return name === undefined ? undefined : { registry: name.registry, path: name.path, tag, digest };
}

function splitName(name: string): Pick<Parts, "registry" | "path"> | undefined {
  const slash = name.indexOf("/");
  const first = name.slice(0, Math.max(slash, 0));
  if (slash !== -1 && HOST.test(first) && isPath(name.slice(slash + 1))) {
    return { registry: first, path: name.slice(slash + 1) };
  }
  return isPath(name) ? { registry: "", path: name } : undefined;
}

function isPath(path: string): boolean {
  return path.split("/").every((step) => PATH_STEP.test(step));
}

/** Hexadecimal digits of the algorithms that are known. */
const DIGEST_LENGTHS: ReadonlyMap<string, number> = new Map([
  ["sha256", 64],
  ["sha384", 96],
  ["sha512", 128],
]);

function digestError(digest: string): string | undefined {
  const colon = digest.indexOf(":");
  const encoded = digest.slice(colon + 1);
  const length = DIGEST_LENGTHS.get(digest.slice(0, colon));
  if (length === undefined) return "unsupported digest algorithm";
  if (encoded.length !== length) return "invalid checksum digest length";
  return /^[0-9a-f]+$/.test(encoded) ? undefined : "invalid checksum digest format";
}
