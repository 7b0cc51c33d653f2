/** Functions on names of things outside: paths, images, hosts. */
import { parseImageReference } from "#text";
import { cleanPath } from "../values/clean-path.ts";
import { parseUrlHost } from "../values/url-host.ts";
import { isPublicAddress, parseAddress } from "../values/ip-address.ts";
import { failed } from "../query-error.ts";
import type { FunctionDefinition } from "./definition.ts";
import { STRING, functionError, textAt } from "./definition.ts";

const pathCanonicalize: FunctionDefinition = {
  name: "path_canonicalize",
  parameters: [STRING],
  returns: ["string"],
  note: "the shortest path to the same place: no `.`, no `..` that can be resolved, single slashes",
  call: (args) => cleanPath(textAt(args, 0)),
};

const imageNormalize: FunctionDefinition = {
  name: "image_normalize",
  parameters: [STRING],
  returns: ["string"],
  note: "an image reference with its registry and with its tag or digest",
  call: (args) => {
    const image = parseImageReference(textAt(args, 0));
    return "error" in image ? functionError("image_normalize", image.error) : image.reference;
  },
};

const isExternalUrl: FunctionDefinition = {
  name: "is_external_url",
  parameters: [STRING],
  returns: ["boolean"],
  note: "whether the host of a URL is outside: neither this machine nor a private network; names are resolved",
  call: (args, run) => {
    const host = parseUrlHost(textAt(args, 0));
    if (typeof host !== "string") return failed(host.error);
    const address = parseAddress(host);
    return address === undefined ? run.externalHost(host) : isPublicAddress(address);
  },
};

export const nameFunctions: readonly FunctionDefinition[] = [imageNormalize, isExternalUrl, pathCanonicalize];
