/**
 * Credentials from a program, as `aws eks get-token` and its like give them: run when there are none, when they ran out,
 * and when the server refused them. What it complains about goes to whoever asked, in the words of the program.
 * SPEC: client-go plugin/pkg/client/auth/exec; client.authentication.k8s.io/v1, v1beta1.
 */
import { execFile } from "node:child_process";
import { resolve } from "node:path";

import { Fault } from "#diag";
import type { JsonObject } from "#json";
import { isArray, isObject } from "#json";
import type { Credentials, CredentialSource } from "./cluster-config.ts";
import type { NamedPart } from "./kubeconfig.ts";
import { textIn } from "./kubeconfig.ts";

/** A plugin that asks somebody for a password takes its time; one that hangs must not hang Postern. */
const TIMEOUT_MS = 60_000;
/** Credentials are renewed this long before they run out. */
const EARLY_MS = 10_000;

export type ExecOptions = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly nowMs: () => number;
  /** What is told to a plugin that asks for the cluster (`provideClusterInfo`). */
  readonly cluster: JsonObject;
};

export function createExecCredentials(
  { value: exec, folder }: NamedPart,
  options: ExecOptions,
): CredentialSource {
  let known: { readonly credentials: Credentials; readonly expiresMs: number } | undefined;
  let running: Promise<Credentials> | undefined;

  async function renew(): Promise<Credentials> {
    const status = await runPlugin(exec, folder, options);
    const expires = Date.parse(textIn(status, "expirationTimestamp"));
    known = {
      credentials: credentialsIn(status, textIn(exec, "command")),
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
    refused() {
      known = undefined;
    },
  };
}

async function runPlugin(exec: JsonObject, folder: string, options: ExecOptions): Promise<JsonObject> {
  const command = textIn(exec, "command");
  const apiVersion = textIn(exec, "apiVersion");
  const info = {
    apiVersion,
    kind: "ExecCredential",
    spec: {
      interactive: false,
      ...(exec["provideClusterInfo"] === true ? { cluster: options.cluster } : {}),
    },
  };
  const env = { ...options.env, ...extraEnv(exec), KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  const program = command.includes("/") ? resolve(folder, command) : command;
  const args = isArray(exec["args"]) ? exec["args"].filter((word) => typeof word === "string") : [];
  const printed = await new Promise<string>((done, fail) => {
    execFile(
      program,
      args,
      { env, timeout: TIMEOUT_MS, maxBuffer: 4 * 1024 * 1024 },
      (error, out, complaint) => {
        if (error === null) done(out);
        else fail(pluginFault(command, textIn(exec, "installHint"), error, complaint));
      },
    );
  });
  return statusIn(printed, command, apiVersion);
}

function extraEnv(exec: JsonObject): Readonly<Record<string, string>> {
  const list = exec["env"];
  if (!isArray(list)) return {};
  return Object.fromEntries(
    list.filter(isObject).map((entry) => [textIn(entry, "name"), textIn(entry, "value")]),
  );
}

function pluginFault(command: string, hint: string, error: Error, complaint: string): Fault {
  const missing = "code" in error && error.code === "ENOENT";
  const what = missing ? "there is no such program in PATH" : complaint.trim() || error.message;
  const help = missing && hint !== "" ? `\n${hint.trim()}` : "";
  return new Fault("kube/credentials", `credential plugin \`${command}\`: ${what}${help}`, { cause: error });
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
  const [token, certPem, keyPem] = ["token", "clientCertificateData", "clientKeyData"].map((name) =>
    textIn(status, name),
  );
  if (!token && !(certPem && keyPem)) {
    throw new Fault(
      "kube/credentials",
      `credential plugin \`${command}\`: neither a token nor a certificate with its key`,
    );
  }
  return { ...(token ? { token } : {}), ...(certPem && keyPem ? { certPem, keyPem } : {}) };
}
