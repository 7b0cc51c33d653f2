/** Who a document is: the parts of its metadata that name it, whatever else may be wrong with it. */
import type { Json, JsonObject } from "#json";
import { isObject } from "#json";

export type Identity = {
  readonly kind: string;
  readonly group: string;
  readonly name: string;
  /** Empty for what is not in a namespace. */
  readonly namespace: string;
  /** `name`, or `namespace/name`. */
  readonly key: string;
  readonly uid: string;
  readonly generation: number;
};

export function identityOf(object: JsonObject): Identity {
  const metadata = isObject(object["metadata"]) ? object["metadata"] : {};
  const kind = text(object["kind"]);
  const name = text(metadata["name"]);
  const namespace = kind === "ClusterPolicy" ? "" : text(metadata["namespace"]);
  const generation = metadata["generation"];
  return {
    kind,
    group: text(object["apiVersion"]).split("/")[0] ?? "",
    name,
    namespace,
    key: namespace === "" ? name : `${namespace}/${name}`,
    uid: text(metadata["uid"]),
    generation: typeof generation === "number" ? generation : 0,
  };
}

function text(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}
