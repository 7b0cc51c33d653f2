/** Credential plugins as programs: what they are told, what they answer, and how they fail. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

import type { JsonObject } from "#json";
import { createExecCredentials } from "./exec-plugin.ts";
import { runPlugin } from "./run-plugin.ts";

const folder = mkdtempSync(join(tmpdir(), "postern-plugin-"));
afterAll(() => rmSync(folder, { recursive: true }));

const env = { PATH: process.env["PATH"], FROM_OUTSIDE: "yes" };
const V1 = "client.authentication.k8s.io/v1";
const BETA = "client.authentication.k8s.io/v1beta1";
let scripts = 0;

function script(text: string, mode = 0o755): string {
  const name = `./plugin-${++scripts}.sh`;
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`, { mode });
  return name;
}

/** A plugin that answers with a shell expression as its token. */
const answer = (token: string, version = V1): string =>
  `printf '{"apiVersion":"${version}","kind":"ExecCredential","status":{"token":"%s"}}' "${token}"`;

function pluginOf(value: JsonObject, more: { readonly interactive?: boolean } = {}) {
  const exec = { apiVersion: V1, interactiveMode: "IfAvailable", ...value };
  return createExecCredentials(
    { value: exec, folder, source: "kc, context `one`, user `u`" },
    { env, nowMs: () => 0, cluster: { server: "https://a.example" }, ...more },
  );
}

describe("a credential plugin", () => {
  test("gets arguments, its own variables and those of the process", async () => {
    const command = script(answer("$1-$2-$OWN-$FROM_OUTSIDE"));
    const credentials = pluginOf({
      command,
      args: ["get", "token"],
      env: [{ name: "OWN", value: "mine" }],
    });
    expect(await credentials.current()).toEqual({ token: "get-token-mine-yes" });
  });

  test.each([V1, BETA])("is spoken to and listened to in %s", async (apiVersion) => {
    const said = `$(printf '%s' "$KUBERNETES_EXEC_INFO" | tr -d '"')`;
    const credentials = pluginOf({ apiVersion, command: script(answer(said, apiVersion)) });
    expect(await credentials.current()).toEqual({
      token: `{apiVersion:${apiVersion},kind:ExecCredential,spec:{interactive:false}}`,
    });
  });

  test("gives a certificate as well as a token, and half a pair is none", async () => {
    const status = (fields: string): string =>
      script(`echo '{"apiVersion":"${V1}","kind":"ExecCredential","status":{${fields}}}'`);
    const both = pluginOf({
      command: status('"token":"t","clientCertificateData":"C","clientKeyData":"K"'),
    });
    expect(await both.current()).toEqual({ token: "t", certPem: "C", keyPem: "K" });
    const pair = pluginOf({ command: status('"clientCertificateData":"C","clientKeyData":"K"') });
    expect(await pair.current()).toEqual({ certPem: "C", keyPem: "K" });
    const half = pluginOf({ command: status('"clientCertificateData":"C"') });
    await expect(half.current()).rejects.toThrow("neither a token nor a certificate with its key");
  });

  test("does not wait for somebody to type, where nobody sits", async () => {
    const credentials = pluginOf({ command: script(`read -r word; ${answer("[$word]")}`) });
    expect(await credentials.current()).toEqual({ token: "[]" });
  });

  test.each([
    ["IfAvailable", true],
    ["Always", true],
    ["Never", false],
  ])("is told whether it may ask whoever sits there: %s", async (interactiveMode, may) => {
    const said = `$(printf '%s' "$KUBERNETES_EXEC_INFO" | tr -d '"')`;
    const credentials = pluginOf({ command: script(answer(said)), interactiveMode }, { interactive: true });
    const { token } = await credentials.current();
    expect(token).toContain(`spec:{interactive:${may}}`);
  });

  test("that must ask somebody is refused when the configuration is read", () => {
    const value = { command: "aws", interactiveMode: "Always" };
    expect(() => pluginOf(value)).toThrow(
      "kc, context `one`, user `u`: credential plugin `aws` wants to ask somebody (`interactiveMode: Always`), and nobody sits at a terminal here: use credentials that need nobody",
    );
    expect(() => pluginOf(value, { interactive: true })).not.toThrow();
  });

  test.each([
    [{}, "kc, context `one`, user `u`: `exec` has no `command`"],
    [
      { command: "aws", apiVersion: "client.authentication.k8s.io/v1alpha1" },
      "kc, context `one`, user `u`: `exec` asks for `client.authentication.k8s.io/v1alpha1`, which is not known: set `apiVersion` to client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1",
    ],
  ])("cannot be %j", (value, message) => {
    expect(() => pluginOf(value)).toThrow(message);
  });

  test("runs once for all calls that were refused at one time, and not for the late ones", async () => {
    const runs = join(folder, "runs");
    const credentials = pluginOf({ command: script(`echo x >> ${runs}; ${answer(`$(grep -c x ${runs})`)}`) });
    const all = (): Promise<unknown[]> => Promise.all([credentials.current(), credentials.current()]);
    expect(await all()).toEqual([{ token: "1" }, { token: "1" }]);
    const first = await credentials.current();
    credentials.refused(first);
    expect(await all()).toEqual([{ token: "2" }, { token: "2" }]);
    // A call that began before: what it was refused with is no longer what is remembered.
    credentials.refused(first);
    expect(await credentials.current()).toEqual({ token: "2" });
  });

  test("that fails is run again by the next call, and says what it says then", async () => {
    const flag = join(folder, "logged-in");
    const credentials = pluginOf({
      command: script(`if [ -e ${flag} ]; then ${answer("t")}; else echo 'log in first' >&2; exit 3; fi`),
    });
    await expect(credentials.current()).rejects.toMatchObject({
      code: "kube/credentials",
      message: expect.stringMatching(/^credential plugin `.*`: log in first$/) as unknown,
    });
    writeFileSync(flag, "");
    expect(await credentials.current()).toEqual({ token: "t" });
  });

  test("that ends without a word is told by its exit code", async () => {
    await expect(pluginOf({ command: script("exit 3") }).current()).rejects.toThrow(
      /: it ended with exit code 3$/,
    );
  });

  test("that may not be run, or is not there, says what to do", async () => {
    await expect(pluginOf({ command: script("", 0o644) }).current()).rejects.toThrow(
      /: it may not be run: check that it is executable$/,
    );
    await expect(pluginOf({ command: "no-such-plugin" }).current()).rejects.toThrow(
      /: there is no such program in PATH: install it$/,
    );
  });

  test("that hangs is killed, and not waited for though its children live on", async () => {
    const name = script("sleep 30 & sleep 30");
    const run = runPlugin({
      command: name,
      path: join(folder, name),
      args: [],
      env,
      installHint: "",
      input: false,
      person: false,
      timeoutMs: 50,
    });
    await expect(run).rejects.toThrow(`credential plugin \`${name}\`: no answer within 0.05 s`);
  });

  test("that never ends printing is killed", async () => {
    await expect(pluginOf({ command: script("exec yes") }).current()).rejects.toThrow(
      /it ended with SIGKILL/,
    );
  });
});
