/**
 * A resource from a file as the request that would bring it to a cluster.
 * SPEC: kyverno-surface.md section 8.1 (Operation): on UPDATE the old object equals the new one, on DELETE only the old
 * one exists.
 */
import type { EvaluationRequest } from "#engine";
import type { JsonObject } from "#json";
import { gvkOf } from "#k8s";
import type { Operation } from "#policy";
import { metadataText, textMember } from "../load/object-text.ts";
import type { Requester } from "../load/user-info.ts";
import type { Values } from "../load/values.ts";

export function createRequest(
  resource: JsonObject,
  operation: Operation,
  options: { readonly values: Values; readonly requester?: Requester | undefined },
): EvaluationRequest {
  const userInfo = options.requester?.userInfo;
  return {
    ...typeOf(resource, options.values),
    operation,
    namespace: metadataText(resource, "namespace"),
    name: metadataText(resource, "name"),
    object: operation === "DELETE" ? null : resource,
    oldObject: operation === "UPDATE" || operation === "DELETE" ? resource : null,
    dryRun: false,
    ...(userInfo === undefined ? {} : { userInfo }),
  };
}

/** An object of a subresource's kind (`PodExecOptions`) is a request to its parent. */
function typeOf(resource: JsonObject, values: Values): Pick<EvaluationRequest, "kind" | "subresource"> {
  const kind = textMember(resource, "kind");
  const subresource = values.subresources.find((candidate) => candidate.kind === kind);
  if (subresource !== undefined) return { kind: subresource.parent, subresource: subresource.name };
  return { kind: gvkOf(textMember(resource, "apiVersion"), kind), subresource: "" };
}
