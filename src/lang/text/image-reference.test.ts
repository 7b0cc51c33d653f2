import { describe, expect, test } from "vitest";
import { parseImageReference } from "./image-reference.ts";

const sha256 = `sha256:${"a".repeat(64)}`;

describe("an image", () => {
  test.each([
    ["nginx", "docker.io", "nginx", "latest", ""],
    ["team/app:v1", "docker.io", "team/app", "v1", ""],
    ["ghcr.io/team/app", "ghcr.io", "team/app", "latest", ""],
    ["localhost/app", "localhost", "app", "latest", ""],
    ["localhost:5000", "docker.io", "localhost", "5000", ""],
    ["reg:5000/a/b:1", "reg:5000", "a/b", "1", ""],
    ["LOCAL/app", "LOCAL", "app", "latest", ""],
    ["[2001:db8::1]:5000/app", "[2001:db8::1]:5000", "app", "latest", ""],
    [`nginx@${sha256}`, "docker.io", "nginx", "", sha256],
    [`nginx:1@${sha256}`, "docker.io", "nginx", "1", sha256],
    ["a__b/c-d.e--f:_x", "docker.io", "a__b/c-d.e--f", "_x", ""],
  ])("%s", (image, ...[registry, path, tag, digest]) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    expect(parseImageReference(image)).toEqual({
      registry,
      path,
      name,
      tag,
      digest,
      reference: digest === "" ? `${registry}/${path}:${tag}` : `${registry}/${path}@${digest}`,
      referenceWithTag: `${registry}/${path}:${tag}`,
    });
  });
});

describe("what no client would pull is told", () => {
  test.each([
    ["", "docker.io/", "invalid reference format"],
    ["BAD IMAGE", "docker.io/BAD IMAGE", "invalid reference format"],
    ["NGINX", "docker.io/NGINX", "repository name must be lowercase"],
    ["http://reg.test/app", "http://reg.test/app", "invalid reference format"],
    ["app:-x", "docker.io/app:-x", "invalid reference format"],
    [`app:${"t".repeat(129)}`, `docker.io/app:${"t".repeat(129)}`, "invalid reference format"],
    ["-a.b/app", "-a.b/app", "invalid reference format"],
    ["a___b", "docker.io/a___b", "invalid reference format"],
    ["app@sha256:abc", "docker.io/app@sha256:abc", "invalid reference format"],
    [`app@md5:${"a".repeat(32)}`, `docker.io/app@md5:${"a".repeat(32)}`, "unsupported digest algorithm"],
    [
      `app@sha256:${"a".repeat(63)}`,
      `docker.io/app@sha256:${"a".repeat(63)}`,
      "invalid checksum digest length",
    ],
    [
      `app@sha256:${"A".repeat(64)}`,
      `docker.io/app@sha256:${"A".repeat(64)}`,
      "invalid checksum digest format",
    ],
    ["a".repeat(256), `docker.io/${"a".repeat(256)}`, "repository name must not be more than 255 characters"],
  ])("%s", (image, shown, why) => {
    expect(parseImageReference(image)).toEqual({
      error: `bad image: ${shown}, defaultRegistry: docker.io, enableDefaultRegistryMutation: true: ${why}`,
    });
  });
});
