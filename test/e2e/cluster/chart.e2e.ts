/**
 * The Helm chart: what it renders is what `postern manifests` prints, for every value that there is; a value that is wrong
 * is refused by the schema; and a real API server accepts it (it accepts the same objects in manifests.e2e.ts).
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";

import { helm } from "./helm.ts";

const program = fileURLToPath(new URL("../../../dist/apps/bin.js", import.meta.url));
const chart = fileURLToPath(new URL("../../../deploy/chart", import.meta.url));

type Manifest = { readonly kind: string; readonly metadata: { readonly name: string } };

function sorted(objects: readonly Manifest[]): readonly Manifest[] {
  return objects
    .filter(({ kind }) => kind !== "Namespace")
    .toSorted((a, b) => (`${a.kind} ${a.metadata.name}` < `${b.kind} ${b.metadata.name}` ? -1 : 1));
}

function render(values: readonly string[]): {
  readonly objects: readonly Manifest[];
  readonly complaint: string;
} {
  const words = [
    "template",
    "postern",
    chart,
    "--namespace",
    "postern",
    "--include-crds",
    "--kube-version",
    "1.34.3",
    ...values,
  ];
  const { stdout, stderr } = spawnSync(helm ?? "", words, { encoding: "utf8" });
  const documents = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest | null);
  return { objects: sorted(documents.filter((object) => object !== null)), complaint: stderr };
}

function manifests(flags: readonly string[]): readonly Manifest[] {
  const { stdout } = spawnSync(process.execPath, [program, "manifests", "-o", "json", ...flags], {
    encoding: "utf8",
  });
  return sorted((JSON.parse(stdout) as { items: Manifest[] }).items);
}

describe.runIf(helm !== undefined)(helm === undefined ? "the chart (no helm)" : "the chart", () => {
  test.each([
    [[], []],
    [
      ["--set", "names=kyverno"],
      ["--names", "kyverno"],
    ],
    [
      ["--set", "hostNetwork=true,port=10260"],
      ["--host-network", "--port", "10260"],
    ],
    [
      ["--set", "replicas=1"],
      ["--replicas", "1"],
    ],
    [["--set", "certManager=true"], ["--cert-manager"]],
    [
      ["--set", "infrastructureNamespaces={cilium,istio-system}"],
      ["--infrastructure-namespaces", "cilium,istio-system"],
    ],
    [
      ["--set", "serveFlags={--log-level=debug}"],
      ["--serve-flag", "--log-level=debug"],
    ],
    [
      ["--set", "image.repository=r.example.com/p,image.tag=v2,priorityClass=high"],
      ["--image", "r.example.com/p:v2", "--priority-class", "high"],
    ],
  ])("with %j is `postern manifests %j`", (values, flags) => {
    const { objects, complaint } = render(values);
    expect(complaint).toBe("");
    expect(objects).toEqual(manifests(flags));
  });

  test.each(["replicas=0", "names=other", "port=http", "unknown=1", "serveFlags={speed}"])(
    "refuses %s",
    (value) => {
      const { objects, complaint } = render(["--set", value]);
      expect(objects).toEqual([]);
      expect(complaint).toContain("values don't meet the specifications of the schema");
    },
  );

  test("is in order by Helm's own measure", () => {
    const { status, stdout } = spawnSync(helm ?? "", ["lint", chart], { encoding: "utf8" });
    expect([status, stdout]).toEqual([0, expect.stringContaining("0 chart(s) failed") as string]);
  });
});
