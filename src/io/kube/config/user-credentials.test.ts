/** Users of kubeconfigs: what is taken, what is refused, and that each refusal names where it stands. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

import type { JsonObject } from "#json";
import { fileConfig } from "./file-config.ts";
import type { NamedPart } from "./kubeconfig.ts";
import { loadClusterConfig } from "./load-cluster-config.ts";
import { impersonated, pemIn, userCredentials } from "./user-credentials.ts";
import { watchFile } from "./watched-file.ts";

const folder = mkdtempSync(join(tmpdir(), "postern-user-"));
afterAll(() => rmSync(folder, { recursive: true }));

let now = 0;
const nowMs = (): number => now;
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const userOf = (value: JsonObject) => ({ value, folder, source: "kc, user `u`" });
const credentialsOf = (value: JsonObject) =>
  userCredentials(userOf(value), { env: {}, nowMs, cluster: {} }).current();

describe("a kubeconfig's user", () => {
  test("proves itself with a token rather than a password, and with a token's file rather than a token", async () => {
    writeFileSync(join(folder, "token"), " from-file\n");
    expect(await credentialsOf({ token: "written\n", username: "u", password: "p" })).toEqual({
      token: "written",
    });
    expect(await credentialsOf({ token: "written", tokenFile: "token" })).toEqual({ token: "from-file" });
    expect(await credentialsOf({})).toEqual({});
  });

  test("has certificate and key from files, read again when both were renewed", async () => {
    const [cert, key] = [join(folder, "tls.crt"), join(folder, "tls.key")];
    writeFileSync(cert, "C1");
    writeFileSync(key, "K1");
    const source = userCredentials(userOf({ "client-certificate": "tls.crt", "client-key": key }), {
      env: {},
      nowMs,
      cluster: {},
    });
    expect(await source.current()).toEqual({ certPem: "C1", keyPem: "K1" });
    writeFileSync(cert, "C2 is longer");
    writeFileSync(key, "K2 is longer");
    now += 2000;
    expect(await source.current()).toEqual({ certPem: "C2 is longer", keyPem: "K2 is longer" });
  });

  test("prefers data to a file, and takes data that is broken into lines", () => {
    const data = base64("x".repeat(100)).replace(/(.{60})/, "$1\n");
    const part = userOf({ "client-key-data": data, "client-key": "absent" });
    expect(pemIn(part, "client-key", nowMs)()).toBe("x".repeat(100));
  });

  test.each([
    [
      { "client-certificate-data": base64("C") },
      "there is a `client-certificate` and no `client-key`: set both",
    ],
    [{ "client-key-data": base64("K") }, "there is a `client-key` and no `client-certificate`: set both"],
    [{ "client-key-data": "%%%" }, "`client-key-data` is not base64"],
    [{ tokenFile: "absent" }, /`tokenFile`: cannot read .*\/absent: there is no such file/],
    [
      { "client-certificate": "absent" },
      /`client-certificate`: cannot read .*\/absent: there is no such file/,
    ],
    [{ "auth-provider": { name: "gcp" } }, "the user has an `auth-provider`"],
  ])("cannot be %j", (value, message) => {
    const load = (): unknown => userCredentials(userOf(value), { env: {}, nowMs, cluster: {} });
    expect(load).toThrow(message);
    expect(load).toThrow(/^kc, user `u`: /);
  });

  test("acts as somebody else, with groups, uid and more", () => {
    const value = {
      as: "ann",
      "as-groups": ["devs"],
      "as-uid": "7",
      "as-user-extra": { "example.org/scope": ["a", "b"] },
    };
    expect(impersonated(userOf(value))).toEqual({
      user: "ann",
      groups: ["devs"],
      uid: "7",
      extra: { "example.org/scope": ["a", "b"] },
    });
    expect(impersonated(userOf({}))).toBeUndefined();
    expect(() => impersonated(userOf({ "as-groups": ["system:masters"] }))).toThrow(
      "kc, user `u`: `as-uid`, `as-groups` and `as-user-extra` need `as`, the user to act as",
    );
  });
});

describe("a kubeconfig's cluster", () => {
  const load = (cluster: JsonObject, env: Record<string, string> = {}) => {
    const part = (value: JsonObject): ReadonlyMap<string, NamedPart> => new Map([["x", { value, folder }]]);
    return fileConfig(
      {
        files: ["a", "b"],
        currentContext: "x",
        contexts: part({ cluster: "x" }),
        clusters: part(cluster),
        users: new Map(),
      },
      { env, nowMs },
    );
  };

  test("may do without a user, a certificate's check and a direct way", async () => {
    const config = load({
      server: "https://a.example/prefix/",
      "insecure-skip-tls-verify": true,
      "proxy-url": "https://u:p@proxy:3128",
    });
    expect(config).toMatchObject({
      server: "https://a.example/prefix",
      insecure: true,
      proxy: "https://u:p@proxy:3128",
      impersonate: undefined,
      namespace: undefined,
      source: "a, b, context `x`",
    });
    expect(await config.credentials.current()).toEqual({});
  });

  test.each([
    [{ server: "a.example:6443" }, {}, "the cluster's server `a.example:6443` is no http or https address"],
    [{ server: "https://:x" }, {}, "the cluster's server `https://:x` is no http or https address"],
    [
      { server: "https://a", "certificate-authority-data": "%" },
      {},
      "`certificate-authority-data` is not base64",
    ],
    [
      { server: "https://a", "proxy-url": "socks5://u:secret@p" },
      {},
      "the proxy begins with `socks5://`; only",
    ],
    [{ server: "https://a" }, { HTTPS_PROXY: "http://[" }, "the proxy is no address; only"],
  ])("cannot be %j with %j", (cluster, env, message) => {
    expect(() => load(cluster, env)).toThrow(message);
    expect(() => load(cluster, env)).toThrow(/^a, b, context `x`: (?!.*secret)/);
  });

  test("is told to its credential plugin, authority from a file and its own settings included", async () => {
    writeFileSync(join(folder, "ca.crt"), "CA");
    writeFileSync(
      join(folder, "tell.sh"),
      `#!/bin/sh\nprintf '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}' "$(printf '%s' "$KUBERNETES_EXEC_INFO" | base64 | tr -d '\\n')"\n`,
      { mode: 0o755 },
    );
    const exec = {
      apiVersion: "client.authentication.k8s.io/v1",
      command: "./tell.sh",
      interactiveMode: "Never",
      provideClusterInfo: true,
    };
    const part = (value: JsonObject): ReadonlyMap<string, NamedPart> => new Map([["x", { value, folder }]]);
    const config = fileConfig(
      {
        files: ["a"],
        currentContext: "x",
        contexts: part({ cluster: "x", user: "x" }),
        clusters: part({
          server: "https://a.example",
          "certificate-authority": "ca.crt",
          "tls-server-name": "other",
          extensions: [
            { name: "else", extension: {} },
            { name: "client.authentication.k8s.io/exec", extension: { audience: "me" } },
          ],
        }),
        users: part({ exec }),
      },
      { env: { PATH: process.env["PATH"] }, nowMs },
    );
    const { token = "" } = await config.credentials.current();
    expect(JSON.parse(Buffer.from(token, "base64").toString())).toEqual({
      apiVersion: "client.authentication.k8s.io/v1",
      kind: "ExecCredential",
      spec: {
        interactive: false,
        cluster: {
          server: "https://a.example",
          "certificate-authority-data": base64("CA"),
          "tls-server-name": "other",
          config: { audience: "me" },
        },
      },
    });
  });
});

test("of several kubeconfigs, the first that sets a context sets it, whatever later ones say", async () => {
  const write = (name: string, current: string): string => {
    const path = join(folder, name);
    const clusters = `[{name: ${current}, cluster: {server: "https://${current}.example"}}]`;
    const contexts = `[{name: ${current}, context: {cluster: ${current}}}]`;
    writeFileSync(path, `current-context: ${current}\nclusters: ${clusters}\ncontexts: ${contexts}\n`);
    return path;
  };
  const empty = join(folder, "empty");
  writeFileSync(empty, "");
  const KUBECONFIG = [empty, write("one", "one"), write("two", "two")].join(delimiter);
  expect((await loadClusterConfig({ env: { KUBECONFIG }, nowMs })).server).toBe("https://one.example");
  const given = { env: { KUBECONFIG }, nowMs, context: "two" };
  expect((await loadClusterConfig(given)).server).toBe("https://two.example");
});

test("a file that is swapped is read anew, as the kubelet swaps it, and a clock that is set back hides nothing", () => {
  const path = join(folder, "swapped");
  writeFileSync(path, "one");
  const file = watchFile(path, nowMs, "it");
  expect(file.text()).toBe("one");
  rmSync(path);
  writeFileSync(path, "two");
  now -= 3_600_000;
  expect(file.text()).toBe("two");
});
