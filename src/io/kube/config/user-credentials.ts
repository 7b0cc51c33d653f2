/**
 * What a kubeconfig's user proves itself with. Files are read when the configuration is, so that one that is missing
 * shows at once and with its name; and again when they change.
 * SPEC: client-go tools/clientcmd (client_config.go, getUserIdentificationPartialConfig), api/v1 AuthInfo.
 */
import { resolve } from "node:path";

import { Fault } from "#diag";
import type { JsonObject } from "#json";
import { decodeBase64Text, isArray, isObject } from "#json";
import type { ClusterConfig, Credentials, CredentialSource } from "./cluster-config.ts";
import type { ExecOptions } from "./exec-plugin.ts";
import { createExecCredentials } from "./exec-plugin.ts";
import type { SourcedPart } from "./kubeconfig.ts";
import { textIn } from "./kubeconfig.ts";
import { watchFile } from "./watched-file.ts";

/** @throws Fault `kube/config`, `kube/credentials` */
export function userCredentials(user: SourcedPart, options: ExecOptions): CredentialSource {
  const { value, source } = user;
  if (isObject(value["exec"])) {
    return createExecCredentials({ ...user, value: value["exec"] }, options);
  }
  if (isObject(value["auth-provider"])) {
    throw new Fault(
      "kube/credentials",
      `${source}: the user has an \`auth-provider\`, which Kubernetes removed in 1.26: use its credential plugin (\`exec\`)`,
    );
  }
  const pair = certificatePair(user, options.nowMs);
  const token = tokenOf(user, options.nowMs);
  const name = textIn(value, "username");
  const basic = name === "" ? {} : { basic: { user: name, password: textIn(value, "password") } };
  return {
    async current() {
      const text = token();
      return { ...(text === "" ? basic : { token: text }), ...pair() };
    },
    refused: () => undefined,
  };
}

/** A file wins over a token that is written down: the file is what is renewed. */
function tokenOf({ value, folder, source }: SourcedPart, nowMs: () => number): () => string {
  const path = textIn(value, "tokenFile");
  if (path === "") {
    const token = textIn(value, "token").trim();
    return () => token;
  }
  const file = watchFile(resolve(folder, path), nowMs, `${source}: \`tokenFile\``);
  file.text();
  return () => file.text().trim();
}

function certificatePair(
  user: SourcedPart,
  nowMs: () => number,
): () => Pick<Credentials, "certPem" | "keyPem"> {
  const cert = pemIn(user, "client-certificate", nowMs);
  const key = pemIn(user, "client-key", nowMs);
  if ((cert() === undefined) !== (key() === undefined)) {
    const [has, lacks] =
      key() === undefined ? ["client-certificate", "client-key"] : ["client-key", "client-certificate"];
    throw new Fault("kube/config", `${user.source}: there is a \`${has}\` and no \`${lacks}\`: set both`);
  }
  return () => {
    const [certPem, keyPem] = [cert(), key()];
    return certPem === undefined || keyPem === undefined ? {} : { certPem, keyPem };
  };
}

/**
 * PEM from `<name>-data` (base64), or from the file `<name>`.
 * @throws Fault `kube/config`, `kube/credentials`
 */
export function pemIn(part: SourcedPart, name: string, nowMs: () => number): () => string | undefined {
  const data = textIn(part.value, `${name}-data`);
  if (data !== "") {
    const pem = decodeBase64Text(data);
    if (pem === undefined) throw new Fault("kube/config", `${part.source}: \`${name}-data\` is not base64`);
    return () => pem;
  }
  const path = textIn(part.value, name);
  if (path === "") return () => undefined;
  const file = watchFile(resolve(part.folder, path), nowMs, `${part.source}: \`${name}\``);
  file.text();
  return () => file.text();
}

/** Whom calls are made as. @throws Fault `kube/config` */
export function impersonated({ value, source }: SourcedPart): ClusterConfig["impersonate"] {
  const user = textIn(value, "as");
  const uid = textIn(value, "as-uid");
  const groups = textsIn(value, "as-groups");
  const extra = extraIn(value);
  if (user !== "") {
    return {
      user,
      groups,
      ...(uid === "" ? {} : { uid }),
      ...(Object.keys(extra).length === 0 ? {} : { extra }),
    };
  }
  if (uid === "" && groups.length === 0 && Object.keys(extra).length === 0) return undefined;
  throw new Fault(
    "kube/config",
    `${source}: \`as-uid\`, \`as-groups\` and \`as-user-extra\` need \`as\`, the user to act as`,
  );
}

function extraIn(value: JsonObject): Readonly<Record<string, readonly string[]>> {
  const extra = value["as-user-extra"];
  if (!isObject(extra)) return {};
  return Object.fromEntries(Object.keys(extra).map((key) => [key, textsIn(extra, key)]));
}

function textsIn(object: JsonObject, name: string): readonly string[] {
  const list = object[name];
  return isArray(list) ? list.filter((entry) => typeof entry === "string") : [];
}
