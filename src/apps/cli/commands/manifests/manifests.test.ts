import { describe, expect, test } from "vitest";

import type { JsonObject } from "#json";
import { CommandInput, UsageError } from "../../command.ts";
import { serveFlags } from "../serve/flags.ts";
import { decodeServeOptions } from "../serve/options.ts";
import { installManifests } from "./install-manifests.ts";
import { decodeInstallOptions } from "./options.ts";

const manifests = (flags: Record<string, string[]> = {}): readonly JsonObject[] =>
  installManifests(decodeInstallOptions(new CommandInput([], new Map(Object.entries(flags))), "1.2.3"));
const find = (objects: readonly JsonObject[], kind: string): JsonObject => {
  const found = objects.find((object) => object["kind"] === kind);
  if (found === undefined) throw new Error(`no ${kind}`);
  return found;
};
const at = (value: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown> | undefined)?.[key], value);
const container = (objects: readonly JsonObject[]): JsonObject =>
  at(find(objects, "Deployment"), "spec", "template", "spec", "containers", 0) as JsonObject;

describe("manifests", () => {
  test("carry one label by which all of them are found, the CRDs apart", () => {
    for (const object of manifests()) {
      const label = at(object, "metadata", "labels", "postern.dev/managed-by");
      expect(label, String(object["kind"])).toBe(
        object["kind"] === "CustomResourceDefinition" ? undefined : "postern",
      );
    }
  });

  test("begin with what the others need", () => {
    const kinds = manifests().map((object) => String(object["kind"]));
    expect(kinds.slice(0, 4)).toEqual([
      ...Array.from({ length: 3 }, () => "CustomResourceDefinition"),
      "Namespace",
    ]);
    expect(kinds.at(-1)).toBe("Deployment");
  });

  test("ask for no right that is not written down with a reason, and for no wildcard", () => {
    const text = JSON.stringify(manifests().filter((object) => String(object["kind"]).endsWith("Role")));
    expect(text).not.toContain('"*"');
    expect(text).not.toContain("escalate");
  });

  test.each([
    [{}, ["serve"]],
    [{ names: ["kyverno"], port: ["10260"] }, ["serve", "--names=kyverno", "--port=10260"]],
    [
      { "infrastructure-namespaces": ["cilium", "istio-system"] },
      ["serve", "--infrastructure-namespaces=cilium,istio-system"],
    ],
    [{ "serve-flag": ["--log-level=debug"] }, ["serve", "--log-level=debug"]],
    [
      { "cert-manager": ["true"] },
      [
        "serve",
        "--tls-cert-file=/etc/postern/tls/tls.crt",
        "--tls-key-file=/etc/postern/tls/tls.key",
        "--tls-ca-file=/etc/postern/tls/ca.crt",
      ],
    ],
  ])("give the process the flags for %j", (flags: Record<string, string[]>, words) => {
    const { args } = container(manifests(flags));
    expect(args).toEqual(words);
    const given = new Map(
      words.slice(1).map((word) => {
        const [name = "", value = "true"] = word.slice(2).split("=");
        return [name, value.split(",")] as const;
      }),
    );
    for (const name of given.keys()) expect(serveFlags.map((flag) => flag.name)).toContain(name);
    expect(() => decodeServeOptions({}, new CommandInput([], given))).not.toThrow();
  });

  test("name the image, the namespace and the replicas that are asked for", () => {
    const objects = manifests({ image: ["example/postern:2"], namespace: ["policies"], replicas: ["1"] });
    expect(container(objects)["image"]).toBe("example/postern:2");
    expect(container(manifests())["image"]).toBe("postern:1.2.3");
    expect(at(find(objects, "Deployment"), "spec", "replicas")).toBe(1);
    expect(objects.some((object) => object["kind"] === "PodDisruptionBudget")).toBe(false);
    const places = objects.flatMap((object) => at(object, "metadata", "namespace") ?? []);
    expect(new Set(places)).toEqual(new Set(["policies"]));
  });

  test("use the nodes' network where asked, in a namespace that allows it", () => {
    const objects = manifests({ "host-network": ["true"] });
    expect(at(find(objects, "Deployment"), "spec", "template", "spec", "hostNetwork")).toBe(true);
    expect(at(find(objects, "Namespace"), "metadata", "labels", "pod-security.kubernetes.io/enforce")).toBe(
      "privileged",
    );
  });

  test("leave the CRDs out, or nothing else", () => {
    expect(
      manifests({ crds: ["none"] }).some((object) => object["kind"] === "CustomResourceDefinition"),
    ).toBe(false);
    expect(manifests({ crds: ["only"] })).toHaveLength(3);
  });

  test.each([
    [{ replicas: ["0"] }, "`--replicas 0`: it must be a whole number from 1 to 100"],
    [{ namespace: ["Upper"] }, /a namespace's name has lower-case letters/],
    [{ "serve-flag": ["--no-such=1"] }, /`postern serve` has no such flag/],
  ])("say what is wrong with %j", (flags: Record<string, string[]>, message) => {
    expect(() => manifests(flags)).toThrow(UsageError);
    expect(() => manifests(flags)).toThrow(message);
  });
});
