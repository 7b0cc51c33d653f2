/**
 * Objects of one kind, as calls. What is given and what comes back are objects as the server has them; the kind's place
 * in the API is the only thing that is known here.
 */
import type { Json } from "#json";
import { isArray, isObject } from "#json";
import type {
  CallPurpose,
  KubeAnswer,
  KubeCall,
  KubeClient,
  KubeObject,
  ListOptions,
  ObjectClient,
  PatchKind,
  ResourceType,
  WriteOptions,
} from "./contract.ts";
import { KubeError, isGone, isNotFound } from "./kube-error.ts";

const PAGE = 500;
/** How often a list begins anew: one that takes longer than the server remembers would never end. */
const MAX_RESTARTS = 3;

const patchTypes: Readonly<Record<PatchKind, string>> = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
};

/** The collection's path: `/api/v1/namespaces/x/pods`, `/apis/apps/v1/deployments`. */
export function collectionPath({ group, version, resource }: ResourceType, namespace: string): string {
  const root = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return namespace === ""
    ? `${root}/${resource}`
    : `${root}/namespaces/${encodeURIComponent(namespace)}/${resource}`;
}

export function createObjects(client: KubeClient, type: ResourceType, purpose: CallPurpose): ObjectClient {
  return new Objects(client, type, purpose);
}

class Objects implements ObjectClient {
  readonly #client: KubeClient;
  readonly #type: ResourceType;
  readonly #purpose: CallPurpose;

  constructor(client: KubeClient, type: ResourceType, purpose: CallPurpose) {
    this.#client = client;
    this.#type = type;
    this.#purpose = purpose;
  }

  async get(namespace: string, name: string): Promise<KubeObject> {
    return objectIn(await this.#send("GET", this.#path(namespace, name)));
  }

  async *list(options: ListOptions = {}): AsyncIterable<KubeObject> {
    const given = new Set<string>();
    let next = "";
    let restarts = 0;
    do {
      let page: { readonly items: readonly KubeObject[]; readonly next: string };
      try {
        page = await this.#page(options, next);
      } catch (error) {
        if (next === "" || !isGone(error) || restarts === MAX_RESTARTS) throw error;
        restarts += 1;
        // The server forgot the list that it was reading from; what it has now comes without repeating what was given.
        next = "";
        page = await this.#page(options, next);
      }
      for (const item of page.items) {
        const key = keyOf(item);
        if (given.has(key)) continue;
        given.add(key);
        yield item;
      }
      next = page.next;
    } while (next !== "");
  }

  async create(object: KubeObject, options: WriteOptions = {}): Promise<KubeObject> {
    const path = collectionPath(this.#type, fieldOf(object, "namespace"));
    return objectIn(
      await this.#send("POST", subPath(path, options), { query: queryOf(options), body: object }),
    );
  }

  async replace(object: KubeObject, options: WriteOptions = {}): Promise<KubeObject> {
    const path = subPath(this.#path(fieldOf(object, "namespace"), fieldOf(object, "name")), options);
    return objectIn(await this.#send("PUT", path, { query: queryOf(options), body: object }));
  }

  async patch(
    at: { readonly namespace: string; readonly name: string },
    kind: PatchKind,
    patch: Json,
    options: WriteOptions = {},
  ): Promise<KubeObject> {
    const path = subPath(this.#path(at.namespace, at.name), options);
    return objectIn(
      await this.#send("PATCH", path, {
        query: queryOf(options),
        body: patch,
        contentType: patchTypes[kind],
      }),
    );
  }

  async apply(
    object: KubeObject,
    options: WriteOptions & { readonly fieldManager: string },
  ): Promise<KubeObject> {
    const path = subPath(this.#path(fieldOf(object, "namespace"), fieldOf(object, "name")), options);
    const query = { ...queryOf(options), force: "true" };
    return objectIn(
      await this.#send("PATCH", path, { query, body: object, contentType: "application/apply-patch+yaml" }),
    );
  }

  async remove(namespace: string, name: string, options: { readonly uid?: string } = {}): Promise<void> {
    const body = { apiVersion: "v1", kind: "DeleteOptions", propagationPolicy: "Background" };
    const precise = options.uid === undefined ? body : { ...body, preconditions: { uid: options.uid } };
    try {
      await this.#send("DELETE", this.#path(namespace, name), { body: precise });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  async #page(
    options: ListOptions,
    next: string,
  ): Promise<{ readonly items: readonly KubeObject[]; readonly next: string }> {
    const query = {
      limit: String(PAGE),
      ...(next === "" ? {} : { continue: next }),
      ...selectorQuery(options),
    };
    const { body } = await this.#send("GET", collectionPath(this.#type, options.namespace ?? ""), { query });
    const metadata = isObject(body) ? body["metadata"] : undefined;
    const token = isObject(metadata) ? metadata["continue"] : undefined;
    return { items: itemsIn(body), next: typeof token === "string" ? token : "" };
  }

  #path(namespace: string, name: string): string {
    return `${collectionPath(this.#type, namespace)}/${encodeURIComponent(name)}`;
  }

  #send(method: KubeCall["method"], path: string, more: Partial<KubeCall> = {}): Promise<KubeAnswer> {
    return this.#client.send({ ...more, method, path, purpose: this.#purpose });
  }
}

export function selectorQuery({
  labelSelector,
  fieldSelector,
}: ListOptions): Readonly<Record<string, string>> {
  return {
    ...(labelSelector === undefined ? {} : { labelSelector }),
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
}

/** Objects of a list's answer. A list leaves the items without kind; what reads them knows it. */
export function itemsIn(body: Json): readonly KubeObject[] {
  const items = isObject(body) ? body["items"] : undefined;
  return isArray(items) ? items.filter(isObject) : [];
}

function queryOf({ dryRun, fieldManager }: WriteOptions): Readonly<Record<string, string>> {
  return {
    ...(dryRun === true ? { dryRun: "All" } : {}),
    ...(fieldManager === undefined ? {} : { fieldManager }),
  };
}

function subPath(path: string, { subresource }: WriteOptions): string {
  return subresource === undefined ? path : `${path}/${subresource}`;
}

function keyOf(object: KubeObject): string {
  return `${fieldOf(object, "namespace")}/${fieldOf(object, "name")}`;
}

function fieldOf(object: KubeObject, name: "name" | "namespace"): string {
  const metadata = object["metadata"];
  const value = isObject(metadata) ? metadata[name] : undefined;
  return typeof value === "string" ? value : "";
}

function objectIn({ status, body }: KubeAnswer): KubeObject {
  if (isObject(body)) return body;
  throw new KubeError({ status, reason: "", message: "the answer is no object", body });
}
