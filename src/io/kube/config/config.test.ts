import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

import { loadClusterConfig } from "./load-cluster-config.ts";
import { proxyFor } from "./proxy.ts";

const folder = mkdtempSync(join(tmpdir(), "postern-kubeconfig-"));
afterAll(() => rmSync(folder, { recursive: true }));

let now = 1_000_000;
const nowMs = (): number => now;
const env = { PATH: process.env["PATH"], HOME: join(folder, "home") };

function write(name: string, text: string, mode = 0o644): string {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, text, { mode });
  return path;
}

const kubeconfig = (user: string, more = ""): string => `
apiVersion: v1
kind: Config
current-context: one
clusters:
- {name: a, cluster: {server: "https://a.example:6443/", certificate-authority: ca.crt}}
- {name: b, cluster: {server: "https://b.example", certificate-authority-data: ${Buffer.from("B").toString("base64")}, tls-server-name: other}}
contexts:
- {name: one, context: {cluster: a, user: u, namespace: shop}}
- {name: two, context: {cluster: b, user: u}}
- {name: broken, context: {cluster: none, user: u}}
users:
- name: u
  user: ${user}
${more}`;

describe("a kubeconfig", () => {
  test("gives the chosen context, with files beside it", async () => {
    write("k/ca.crt", "CA");
    const path = write("k/config", kubeconfig("{token: t1}"));
    const one = await loadClusterConfig({ env, nowMs, kubeconfig: path });
    expect(one).toMatchObject({ server: "https://a.example:6443", namespace: "shop", insecure: false });
    expect([one.caPem(), await one.credentials.current()]).toEqual(["CA", { token: "t1" }]);
    const two = await loadClusterConfig({ env, nowMs, kubeconfig: path, context: "two" });
    expect([two.server, two.caPem(), two.serverName]).toEqual(["https://b.example", "B", "other"]);
  });

  test("is merged from several files, the first that names something wins, and its paths are its own", async () => {
    write("m1/ca.crt", "FIRST");
    const first = write("m1/config", kubeconfig("{token: first}"));
    const second = write(
      "m2/config",
      kubeconfig("{token: second}")
        .replaceAll("name: one,", "name: three,")
        .replace("current-context: one", "current-context: three"),
    );
    const given = { env: { ...env, KUBECONFIG: `${first}:${second}:${join(folder, "absent")}` }, nowMs };
    const merged = await loadClusterConfig(given);
    expect([merged.caPem(), await merged.credentials.current()]).toEqual(["FIRST", { token: "first" }]);
    expect((await loadClusterConfig({ ...given, context: "three" })).server).toBe("https://a.example:6443");
  });

  test("has tokens, passwords and certificates, and reads again what changes on disk", async () => {
    write("c/ca.crt", "CA");
    const token = write("c/token", "t1\n");
    const path = write("c/config", kubeconfig("{tokenFile: token, as: ann, as-groups: [devs]}"));
    const config = await loadClusterConfig({ env, nowMs, kubeconfig: path });
    expect(await config.credentials.current()).toEqual({ token: "t1" });
    expect(config.impersonate).toEqual({ user: "ann", groups: ["devs"] });
    writeFileSync(token, "token-two\n");
    expect(await config.credentials.current()).toEqual({ token: "t1" });
    now += 2000;
    expect(await config.credentials.current()).toEqual({ token: "token-two" });
    rmSync(token);
    now += 2000;
    expect(await config.credentials.current()).toEqual({ token: "token-two" });
    const basic = write("c/basic", kubeconfig("{username: u, password: p}"));
    expect(await (await loadClusterConfig({ env, nowMs, kubeconfig: basic })).credentials.current()).toEqual({
      basic: { user: "u", password: "p" },
    });
    const pem = (text: string): string => Buffer.from(text).toString("base64");
    const cert = write(
      "c/cert",
      kubeconfig(`{client-certificate-data: ${pem("C")}, client-key-data: ${pem("K")}}`),
    );
    expect(await (await loadClusterConfig({ env, nowMs, kubeconfig: cert })).credentials.current()).toEqual({
      certPem: "C",
      keyPem: "K",
    });
  });

  test.each([
    ["no-such", /there is no context `no-such`; there are: `one`, `two`, `broken`/],
    ["broken", /context `broken`: cluster `none` is not there; there are: `a`, `b`/],
  ])("says what is wrong with the context %s, and what there is", async (context, message) => {
    write("w/ca.crt", "CA");
    const path = write("w/config", kubeconfig("{token: t}"));
    await expect(loadClusterConfig({ env, nowMs, kubeconfig: path, context })).rejects.toThrow(message);
  });

  test("says so when there is none, when it is no kubeconfig, and when it cannot be read", async () => {
    await expect(loadClusterConfig({ env, nowMs })).rejects.toThrow(
      /no cluster: this is no pod, and there is no .*\.kube\/config/,
    );
    const list = write("w/list", "- 1\n");
    await expect(loadClusterConfig({ env, nowMs, kubeconfig: list })).rejects.toThrow(/it holds no mapping/);
    const bad = write("w/bad", "a: 1\nb: 'never ends\n");
    await expect(loadClusterConfig({ env, nowMs, kubeconfig: bad })).rejects.toThrow(
      new RegExp(`^${bad}:[23]: `),
    );
    await expect(loadClusterConfig({ env, nowMs, kubeconfig: join(folder, "none") })).rejects.toThrow(
      /cannot read/,
    );
    write("w/ca.crt", "CA");
    write("w/ca.crt", "CA");
    const old = write("w/old", kubeconfig("{auth-provider: {name: gcp}}"));
    await expect(loadClusterConfig({ env, nowMs, kubeconfig: old })).rejects.toThrow(
      /use its credential plugin/,
    );
  });
});

describe("a pod's account", () => {
  test("is used in a pod, and not where somebody named a file or a command prefers files", async () => {
    const account = join(folder, "account");
    write("account/token", "pod\n");
    write("account/ca.crt", "POD");
    write("account/namespace", "postern");
    const inPod = { ...env, KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "443" };
    const config = await loadClusterConfig({ env: inPod, nowMs, accountFolder: account });
    expect(config).toMatchObject({ server: "https://[fd00::1]:443", namespace: "postern" });
    expect([config.caPem(), await config.credentials.current()]).toEqual(["POD", { token: "pod" }]);
    write("account/token", "renewed by the kubelet");
    write("account/ca.crt", "ANOTHER AUTHORITY");
    now += 2000;
    expect([config.caPem(), await config.credentials.current()]).toEqual([
      "ANOTHER AUTHORITY",
      { token: "renewed by the kubelet" },
    ]);
    const told = { ...inPod, POD_NAMESPACE: "told" };
    expect((await loadClusterConfig({ env: told, nowMs, accountFolder: account })).namespace).toBe("told");
    const path = write("k/config", kubeconfig("{token: t1}"));
    const named = await loadClusterConfig({ env: inPod, nowMs, accountFolder: account, kubeconfig: path });
    expect(named.server).toBe("https://a.example:6443");
    const given = { env: { ...inPod, KUBECONFIG: path }, nowMs, accountFolder: account };
    expect((await loadClusterConfig({ ...given, filesFirst: true })).server).toBe("https://a.example:6443");
    expect((await loadClusterConfig(given)).server).toBe("https://[fd00::1]:443");
  });
});

describe("a credential plugin", () => {
  const plugin = (script: string, more = ""): string => {
    write("x/ca.crt", "CA");
    write("x/plugin.sh", `#!/bin/sh\n${script}\n`, 0o755);
    return write(
      "x/config",
      kubeconfig(
        `{exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin.sh, interactiveMode: Never${more}}}`,
      ),
    );
  };
  const load = async (path: string) =>
    (await loadClusterConfig({ env, nowMs, kubeconfig: path })).credentials;

  test("is asked once while its credentials hold, and again when they are refused or run out", async () => {
    const count = join(folder, "x/count");
    const credentials = await load(
      plugin(`echo x >> ${count}
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"'$(wc -l < ${count} | tr -d ' ')'","expirationTimestamp":"1970-01-01T01:00:00Z"}}'`),
    );
    expect([await credentials.current(), await credentials.current()]).toEqual([
      { token: "1" },
      { token: "1" },
    ]);
    credentials.refused(await credentials.current());
    expect(await credentials.current()).toEqual({ token: "2" });
    now += 3_600_000;
    expect(await credentials.current()).toEqual({ token: "3" });
  });

  test("is told of the cluster where it asks for it, and gets its variables", async () => {
    const credentials = await load(
      plugin(
        `server=$(echo "$KUBERNETES_EXEC_INFO" | sed 's/.*"server":"\\([^"]*\\)".*/\\1/')
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"'$server$EXTRA'"}}'`,
        ", provideClusterInfo: true, env: [{name: EXTRA, value: '!'}]",
      ),
    );
    expect(await credentials.current()).toEqual({ token: "https://a.example:6443!" });
  });

  test.each([
    ["echo 'please log in' >&2; exit 1", "", "credential plugin `./plugin.sh`: please log in"],
    ["echo nonsense", "", "credential plugin `./plugin.sh`: what it printed is not JSON"],
    ["echo '{}'", "", "credential plugin `./plugin.sh`: it printed no ExecCredential with a status"],
    [
      'echo \'{"apiVersion":"client.authentication.k8s.io/v1beta1","kind":"ExecCredential","status":{"token":"t"}}\'',
      "",
      /it answers in client.authentication.k8s.io\/v1beta1, the kubeconfig asks for client.authentication.k8s.io\/v1/,
    ],
    [
      'echo \'{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{}}\'',
      "",
      /neither a token nor a certificate/,
    ],
  ])("that does `%s` is named with what it said", async (script, more, message) => {
    await expect((await load(plugin(script, more))).current()).rejects.toThrow(message);
  });

  test("that is not installed comes with the hint that the kubeconfig has", async () => {
    write("x/ca.crt", "CA");
    const path = write(
      "x/absent",
      kubeconfig(
        "{exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-plugin, installHint: get it from the shop}}",
      ),
    );
    await expect((await load(path)).current()).rejects.toThrow(
      "credential plugin `no-such-plugin`: there is no such program in PATH\nget it from the shop",
    );
  });
});

test.each([
  ["https://a.example", {}, undefined],
  ["https://a.example", { HTTPS_PROXY: "proxy:3128" }, "http://proxy:3128"],
  ["https://a.example", { https_proxy: "http://proxy" }, "http://proxy"],
  ["http://a.example", { HTTPS_PROXY: "http://proxy" }, undefined],
  ["https://localhost:6443", { HTTPS_PROXY: "http://proxy" }, undefined],
  ["https://127.0.0.1", { HTTPS_PROXY: "http://proxy" }, undefined],
  ["https://a.example", { HTTPS_PROXY: "http://proxy", NO_PROXY: "*" }, undefined],
  ["https://a.b.example", { HTTPS_PROXY: "http://proxy", NO_PROXY: "x, b.example" }, undefined],
  ["https://b.example", { HTTPS_PROXY: "http://proxy", NO_PROXY: ".b.example" }, "http://proxy"],
  ["https://a.b.example", { HTTPS_PROXY: "http://proxy", NO_PROXY: ".b.example" }, undefined],
  ["https://b.example:6443", { HTTPS_PROXY: "http://proxy", NO_PROXY: "b.example:443" }, "http://proxy"],
  ["https://10.1.2.3", { HTTPS_PROXY: "http://proxy", NO_PROXY: "10.0.0.0/8" }, undefined],
  ["https://a.example", { HTTPS_PROXY: "", https_proxy: "http://proxy" }, "http://proxy"],
  ["https://a.example", { HTTPS_PROXY: "http://proxy", NO_PROXY: "A.EXAMPLE" }, undefined],
  ["https://b.example", { HTTPS_PROXY: "http://proxy", NO_PROXY: "*.b.example" }, "http://proxy"],
  ["https://a.b.example", { HTTPS_PROXY: "http://proxy", NO_PROXY: "*.b.example" }, undefined],
  ["https://ab.example", { HTTPS_PROXY: "http://proxy", NO_PROXY: "b.example" }, "http://proxy"],
  ["https://[::1]:6443", { HTTPS_PROXY: "http://proxy" }, undefined],
  ["https://[fd00::1]", { HTTPS_PROXY: "http://proxy", NO_PROXY: "fd00::/8" }, undefined],
  ["https://[fe00::1]", { HTTPS_PROXY: "http://proxy", NO_PROXY: "fd00::/8" }, "http://proxy"],
  ["https://[fd00::1]", { HTTPS_PROXY: "http://proxy", NO_PROXY: "fd00::1" }, undefined],
  ["https://[fd00::1]", { HTTPS_PROXY: "http://proxy", NO_PROXY: "[fd00::1]:6443" }, "http://proxy"],
  ["https://10.1.2.3", { HTTPS_PROXY: "http://proxy", NO_PROXY: "0.0.0.0/0" }, undefined],
  [
    "https://10.1.2.3",
    { HTTPS_PROXY: "http://proxy", NO_PROXY: "10.0.0.0/99,1.2.3,fd00::/8" },
    "http://proxy",
  ],
  ["https://11.1.2.3", { HTTPS_PROXY: "http://proxy", NO_PROXY: "10.0.0.0/8" }, "http://proxy"],
] as const)("%s with %j goes through %s", (address, given, proxy) => {
  expect(proxyFor(address, given)).toBe(proxy);
});
