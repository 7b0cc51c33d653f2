import { expect, test } from "vitest";

import { CommandInput } from "../../command.ts";
import { decodeServeOptions } from "./options.ts";

const decode = (flags: Record<string, string[]> = {}, env: Record<string, string> = {}) =>
  decodeServeOptions(env, new CommandInput([], new Map(Object.entries(flags))));

test("the defaults are those of production", () => {
  expect(decode({}, { POD_NAME: "postern-1", POD_NAMESPACE: "policies" })).toMatchObject({
    namespace: "policies",
    replica: "postern-1",
    names: "postern",
    port: 9443,
    metricsPort: 8000,
    endpoint: { kind: "service", name: "postern-svc", port: 443 },
    tlsFiles: undefined,
    configMapName: "postern",
    webhookTimeoutSeconds: 5,
    without: [],
    maxConcurrent: 256,
    maxQueued: 512,
    lookupTimeoutMs: 1000,
    removeOnExit: false,
  });
  expect(decode({}, { POD_NAME: "postern-1" }).deployment).toBe("postern");
  expect(decode({}, { POD_NAME: "", POD_NAMESPACE: "" })).toMatchObject({
    namespace: "postern",
    deployment: undefined,
  });
  expect(decode().replica).toMatch(/-\d+$/);
});

test("Kyverno's names come with Kyverno's timeout, Service and ConfigMap", () => {
  expect(decode({ names: ["kyverno"] })).toMatchObject({
    webhookTimeoutSeconds: 10,
    endpoint: { name: "kyverno-svc" },
    configMapName: "kyverno",
  });
});

test("an address takes the place of the Service", () => {
  expect(decode({ "webhook-url": ["https://192.0.2.1:9443/"] }).endpoint).toEqual({
    kind: "url",
    url: "https://192.0.2.1:9443",
  });
});

test.each([
  [{ port: ["x"] }, "`--port x`: it must be a whole number from 0 to 65535"],
  [{ "webhook-timeout": ["31"] }, "`--webhook-timeout 31`: it must be a whole number from 1 to 30"],
  [{ "lookup-timeout": ["1"] }, /it must be a duration/],
  [
    { "tls-cert-file": ["a"] },
    "a certificate is served with its key: give both --tls-cert-file and --tls-key-file",
  ],
  [{ "webhook-url": ["http://a"] }, /an API server calls https alone/],
  [{ "webhook-url": ["https://a/path"] }, /an API server calls https alone/],
  [{ "webhook-url": ["https://a"], "service-name": ["s"] }, /takes the place of the Service/],
])("says what is wrong with %j", (flags: Record<string, string[]>, message) => {
  expect(() => decode(flags)).toThrow(message);
});
