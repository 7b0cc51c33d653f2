/**
 * `verifyImages`: which images, and who must have signed them.
 * SPEC: api/kyverno/v1 ImageVerification.Validate; pkg/validation/policy validateVerifyImages.
 */
import type { RuleSite } from "./check-rule.ts";
import { decodeFailureAction } from "./decode-validate.ts";
import { field, listField, numberField, objectsField, textField } from "./fields.ts";
import type { Findings } from "./findings.ts";
import type { Node } from "./nodes.ts";
import { childNode, childNodes, placeOf } from "./nodes.ts";
import type { Policy } from "./policy.ts";

export function checkVerifyImages({ rule, policy }: RuleSite, findings: Findings): void {
  for (const image of childNodes(rule, "verifyImages")) {
    checkReferences(image, findings);
    checkDigest(image, policy, findings);
    for (const set of childNodes(image, "attestors")) checkAttestors(set, image, findings);
    for (const attestation of childNodes(image, "attestations"))
      checkAttestation(attestation, image, findings);
  }
}

function checkReferences(image: Node, findings: Findings): void {
  const hasReferences = (listField(image.value, "imageReferences") ?? []).length > 0;
  if (hasReferences || (textField(image.value, "image") ?? "") !== "") return;
  reportImages(image.pointer, "no images are named", "add `imageReferences`", findings);
}

function checkDigest(image: Node, policy: Policy, findings: Findings): void {
  const action = decodeFailureAction(textField(image.value, "failureAction")) ?? policy.failureAction;
  if (action === "Enforce") return;
  const mutates = field(image.value, "mutateDigest");
  if (mutates === true) {
    reportImages(
      placeOf(image, "mutateDigest"),
      "`mutateDigest: true` is not allowed with the action `Audit`",
      "set `mutateDigest: false` or `failureAction: Enforce`",
      findings,
    );
  } else if (mutates === undefined) {
    findings.warn({
      code: "policy/image-digest",
      pointer: image.pointer,
      message: "`mutateDigest` is true by default, which a cluster refuses with the action `Audit`",
      help: "set `mutateDigest: false` or `failureAction: Enforce`",
    });
  }
}

function checkAttestation(attestation: Node, image: Node, findings: Findings): void {
  const type = textField(attestation.value, "type") ?? "";
  const predicateType = textField(attestation.value, "predicateType") ?? "";
  if (predicateType !== "") {
    findings.warn({
      code: "policy/deprecated-field",
      pointer: placeOf(attestation, "predicateType"),
      message: "`predicateType` is deprecated",
      help: "use `type`",
    });
  } else if (type === "")
    reportImages(attestation.pointer, "the attestation has no `type`", "add `type`", findings);
  for (const set of childNodes(attestation, "attestors")) checkAttestors(set, image, findings);
}

function checkAttestors(set: Node, image: Node, findings: Findings): void {
  const entries = objectsField(set.value, "entries") ?? [];
  if (entries.length === 0) reportImages(set.pointer, "the attestor set is empty", "add `entries`", findings);
  const count = numberField(set.value, "count");
  if (count !== undefined && (count < 1 || count > entries.length)) {
    reportImages(
      placeOf(set, "count"),
      `\`count\` is ${count}, and there are ${entries.length} entries`,
      `choose a number from 1 to ${entries.length}`,
      findings,
    );
  }
  for (const entry of childNodes(set, "entries")) checkEntry(entry, image, findings);
}

const entryKinds: readonly string[] = ["keys", "certificates", "keyless", "attestor"];

function checkEntry(entry: Node, image: Node, findings: Findings): void {
  const present = entryKinds.filter((kind) => field(entry.value, kind) !== undefined);
  if (present.length !== 1) {
    reportImages(
      entry.pointer,
      `an entry has exactly one of ${entryKinds.join(", ")}; this one has ${present.length === 0 ? "none" : present.join(" and ")}`,
      "make an entry of each",
      findings,
    );
  }
  const isNotary = textField(image.value, "type") === "Notary";
  if (isNotary && (present.includes("keys") || present.includes("keyless"))) {
    reportImages(
      entry.pointer,
      "images of type `Notary` are verified by `certificates` only",
      "use `certificates`",
      findings,
    );
  }
  const keys = childNode(entry, "keys");
  if (keys !== undefined) checkKeys(keys, findings);
  const certificates = childNode(entry, "certificates");
  if (certificates !== undefined && !hasAny(certificates, ["cert", "certChain"])) {
    reportImages(
      certificates.pointer,
      "neither `cert` nor `certChain` is given",
      "add one of them",
      findings,
    );
  }
  const keyless = childNode(entry, "keyless");
  if (keyless !== undefined) checkKeyless(keyless, findings);
  const nested = childNode(entry, "attestor");
  if (nested !== undefined) checkAttestors(nested, image, findings);
}

const algorithms: readonly string[] = ["", "sha224", "sha256", "sha384", "sha512"];

function checkKeys(keys: Node, findings: Findings): void {
  if (!hasAny(keys, ["publicKeys", "kms", "secret"])) {
    reportImages(keys.pointer, "no key is given", "add `publicKeys`, `kms` or `secret`", findings);
  }
  const algorithm = textField(keys.value, "signatureAlgorithm") ?? "";
  if (!algorithms.includes(algorithm)) {
    reportImages(
      placeOf(keys, "signatureAlgorithm"),
      `unknown signature algorithm \`${algorithm}\``,
      "use sha224, sha256, sha384 or sha512",
      findings,
    );
  }
}

function checkKeyless(keyless: Node, findings: Findings): void {
  const rekor = childNode(keyless, "rekor");
  if (rekor === undefined) {
    if (!hasAny(keyless, ["roots"]))
      reportImages(keyless.pointer, "neither `rekor` nor `roots` is given", "add one of them", findings);
  } else if ((textField(rekor.value, "url") ?? "") === "") {
    reportImages(rekor.pointer, "`rekor` has no `url`", "add `url`", findings);
  }
}

function hasAny(node: Node, keys: readonly string[]): boolean {
  return keys.some((key) => field(node.value, key) !== undefined && node.value[key] !== "");
}

function reportImages(pointer: string, message: string, help: string, findings: Findings): void {
  findings.error({ code: "policy/verify-images", pointer, message, help });
}
