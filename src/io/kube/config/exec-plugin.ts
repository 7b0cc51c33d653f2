/**
 * Credentials from a program, as `aws eks get-token` and its like give them: run when there are none, when they ran out,
 * and when the server refused them. However many calls want them at one time, the program runs once.
 * SPEC: client-go plugin/pkg/client/auth/exec; client.authentication.k8s.io/v1, v1beta1.
 */
import { resolve } from "node:path";

import { Fault } from "#diag";
import type { JsonObject } from "#json";
import { isArray, isObject } from "#json";
import type { Credentials, CredentialSource } from "./cluster-config.ts";
import type { SourcedPart } from "./kubeconfig.ts";
import { textIn } from "./kubeconfig.ts";
import { runPlugin } from "./run-plugin.ts";

/** Credentials are renewed this long before they run out. */
const EARLY_MS = 10_000;

const versions: ReadonlySet<string> = new Set([
  "client.authentication.k8s.io/v1",
  "client.authentication.k8s.io/v1beta1",
]);

export type ExecOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  /** Somebody sits before standard input. */
  readonly interactive?: boolean;
  /** What is told to a plugin that asks for the cluster (`provideClusterInfo`). */
  readonly cluster: JsonObject;
};

/** @throws Fault `kube/config` for an `exec` that cannot be run as it stands */
export function createExecCredentials(exec: SourcedPart, options: ExecOptions): CredentialSource {
  const run = pluginOf(exec, options);
  let known: { readonly credentials: Credentials; readonly expiresMs: number } | undefined;
  let running: Promise<Credentials> | undefined;

  async function renew(): Promise<Credentials> {
    const status = await run();
    const expires = Date.parse(textIn(status, "expirationTimestamp"));
    known = {
      credentials: credentialsIn(status, textIn(exec.value, "command")),
      expiresMs: Number.isNaN(expires) ? Number.POSITIVE_INFINITY : expires - EARLY_MS,
    };
    return known.credentials;
  }

  return {
    async current() {
      if (known !== undefined && options.nowMs() < known.expiresMs) return known.credentials;
      running ??= renew().finally(() => {
        running = undefined;
      });
      return running;
    },
    refused(credentials) {
      // Of several calls that were refused at one time, the first has them renewed for all.
      if (known?.credentials === credentials) known = undefined;
    },
  };
}

/** The run of the program, with all that the kubeconfig says of it. */
function pluginOf({ value, folder, source }: SourcedPart, options: ExecOptions): () => Promise<JsonObject> {
  const command = textIn(value, "command");
  const apiVersion = textIn(value, "apiVersion");
  if (command === "") throw new Fault("kube/config", `${source}: \`exec\` has no \`command\``);
  if (!versions.has(apiVersion)) {
    throw new Fault(
      "kube/config",
      `${source}: \`exec\` asks for \`${apiVersion}\`, which is not known: set \`apiVersion\` to ${[...versions].join(" or ")}`,
    );
  }
  const asked = mayAsk(textIn(value, "interactiveMode"), options.interactive === true, source, command);
  const info = {
    apiVersion,
    kind: "ExecCredential",
    spec: {
      interactive: asked,
      ...(value["provideClusterInfo"] === true ? { cluster: options.cluster } : {}),
    },
  };
  const args = value["args"];
  const program = {
    command,
    // A path is relative to the kubeconfig, a bare name is looked up in PATH.
    path: command.includes("/") ? resolve(folder, command) : command,
    args: isArray(args) ? args.filter((word) => typeof word === "string") : [],
    env: { ...options.env, ...extraEnv(value), KUBERNETES_EXEC_INFO: JSON.stringify(info) },
    installHint: textIn(value, "installHint"),
    input: asked,
    person: options.interactive === true,
  };
  return async () => statusIn(await runPlugin(program), command, apiVersion);
}

/** Whether the program may read from whoever sits there. */
function mayAsk(mode: string, interactive: boolean, source: string, command: string): boolean {
  if (mode === "Always" && !interactive) {
    throw new Fault(
      "kube/credentials",
      `${source}: credential plugin \`${command}\` wants to ask somebody (\`interactiveMode: Always\`), and nobody sits at a terminal here: use credentials that need nobody`,
    );
  }
  return mode !== "Never" && interactive;
}

function extraEnv(exec: JsonObject): Readonly<Record<string, string>> {
  const list = exec["env"];
  if (!isArray(list)) return {};
  return Object.fromEntries(
    list.filter(isObject).map((entry) => [textIn(entry, "name"), textIn(entry, "value")]),
  );
}

function statusIn(printed: string, command: string, apiVersion: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(printed);
  } catch (error) {
    throw new Fault("kube/credentials", `credential plugin \`${command}\`: what it printed is not JSON`, {
      cause: error,
    });
  }
  if (!isObject(value) || value["kind"] !== "ExecCredential" || !isObject(value["status"])) {
    throw new Fault(
      "kube/credentials",
      `credential plugin \`${command}\`: it printed no ExecCredential with a status`,
    );
  }
  if (textIn(value, "apiVersion") !== apiVersion) {
    const got = textIn(value, "apiVersion");
    throw new Fault(
      "kube/credentials",
      `credential plugin \`${command}\`: it answers in ${got}, the kubeconfig asks for ${apiVersion}: set the same apiVersion in both`,
    );
  }
  return value["status"];
}

function credentialsIn(status: JsonObject, command: string): Credentials {
  const token = textIn(status, "token");
  const certPem = textIn(status, "clientCertificateData");
  const keyPem = textIn(status, "clientKeyData");
  const pair = certPem !== "" && keyPem !== "" ? { certPem, keyPem } : {};
  if (token !== "") return { token, ...pair };
  if (certPem !== "" && keyPem !== "") return pair;
  throw new Fault(
    "kube/credentials",
    `credential plugin \`${command}\`: neither a token nor a certificate with its key`,
  );
}
