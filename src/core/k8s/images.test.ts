import { describe, expect, test } from "vitest";
import type { JsonObject } from "#json";
import { extractImages, ImageExtractionError } from "./images.ts";

const app = {
  registry: "reg.test:5000",
  path: "team/app",
  name: "app",
  tag: "1.2",
  reference: "reg.test:5000/team/app:1.2",
  referenceWithTag: "reg.test:5000/team/app:1.2",
};

const digest = `sha256:${"a".repeat(64)}`;

function podSpec(): JsonObject {
  return {
    initContainers: [{ name: "init", image: "team/init" }],
    containers: [
      { name: "app", image: "reg.test:5000/team/app:1.2" },
      { name: "dig", image: `nginx@${digest}` },
      { name: "none" },
      { name: "blank", image: " " },
    ],
    ephemeralContainers: null,
  };
}

function expectImages(images: JsonObject | ImageExtractionError): { toEqual: (want: unknown) => void } {
  return {
    toEqual: (want) => expect(images instanceof ImageExtractionError ? images.message : images).toEqual(want),
  };
}

describe("the images of a workload", () => {
  test("by list and container, with defaults and without what is empty", () => {
    expectImages(extractImages({ kind: "Pod", spec: podSpec() }, "Pod")).toEqual({
      initContainers: {
        init: {
          registry: "docker.io",
          path: "team/init",
          name: "init",
          tag: "latest",
          reference: "docker.io/team/init:latest",
          referenceWithTag: "docker.io/team/init:latest",
          jsonPointer: "/spec/initContainers/0/image",
        },
      },
      containers: {
        app: { ...app, jsonPointer: "/spec/containers/0/image" },
        dig: {
          registry: "docker.io",
          path: "nginx",
          name: "nginx",
          digest,
          reference: `docker.io/nginx@${digest}`,
          referenceWithTag: "docker.io/nginx:",
          jsonPointer: "/spec/containers/1/image",
        },
      },
    });
  });

  test.each([
    ["Deployment", { spec: { template: { spec: podSpec() } } }, "/spec/template/spec/containers/0/image"],
    [
      "CronJob",
      { spec: { jobTemplate: { spec: { template: { spec: podSpec() } } } } },
      "/spec/jobTemplate/spec/template/spec/containers/0/image",
    ],
  ])("of a %s", (kind, object, jsonPointer) => {
    expect(extractImages(object, kind)).toMatchObject({ containers: { app: { ...app, jsonPointer } } });
  });

  test.each([
    { name: "a kind without pods", kind: "ConfigMap", object: { data: {} }, want: {} },
    { name: "a pod without spec", kind: "Pod", object: {}, want: {} },
    {
      name: "a list of texts",
      kind: "Pod",
      object: { spec: { containers: ["x"] } },
      want: "invalid image config",
    },
    { name: "no list", kind: "Pod", object: { spec: { containers: "x" } }, want: "invalid type" },
    {
      name: "a container without name",
      kind: "Pod",
      object: { spec: { containers: [{ image: "x" }] } },
      want: "invalid key",
    },
    {
      name: "an image that is none",
      kind: "Pod",
      object: { spec: { containers: [{ name: "c", image: "BAD IMAGE" }] } },
      want: "invalid image 'BAD IMAGE' (bad image: docker.io/BAD IMAGE, defaultRegistry: docker.io, enableDefaultRegistryMutation: true: invalid reference format)",
    },
  ])("in $name", ({ kind, object, want }) => {
    expectImages(extractImages(object, kind)).toEqual(want);
  });
});

describe("a rule's own extractors", () => {
  const task = { kind: "Task", spec: { steps: [{ id: "s1", image: "reg.test:5000/team/app:1.2" }] } };
  const jsonPointer = "/spec/steps/0/image";

  test.each([
    {
      name: "by the path to the image",
      row: { path: "/spec/steps/*/image" },
      want: { custom: { [jsonPointer]: { ...app, jsonPointer } } },
    },
    {
      name: "by key, value and name",
      row: { path: " spec / steps /*", value: "image", key: "id", name: "steps" },
      want: { steps: { s1: { ...app, jsonPointer } } },
    },
    { name: "that find nothing", row: { path: "/spec/other/*/image" }, want: {} },
  ])("$name", ({ row, want }) => {
    expectImages(extractImages(task, "Task", { Task: [row] })).toEqual(want);
  });

  test("replace the built-in ones of their kind only", () => {
    expectImages(extractImages({ spec: podSpec() }, "Pod", { Task: [] })).toEqual(
      extractImages({ spec: podSpec() }, "Pod"),
    );
    expectImages(extractImages({ spec: podSpec() }, "Pod", { Pod: [] })).toEqual(
      "no extractors found for Pod",
    );
  });

  test("may change the image by a query", () => {
    const rows = { Task: [{ path: "/spec/steps/*/image", jmesPath: "q" }] };
    const applied = extractImages(task, "Task", rows, (query, image) => image.replace("1.2", query));
    expectImages(applied).toEqual({
      custom: { [jsonPointer]: expect.objectContaining({ tag: "q", jsonPointer }) as unknown },
    });
    const failed = extractImages(task, "Task", rows, () => new ImageExtractionError("no such key"));
    expectImages(failed).toEqual("no such key");
    expectImages(extractImages(task, "Task", rows)).toEqual(
      "invalid jmespath q: queries are not available here",
    );
  });
});
