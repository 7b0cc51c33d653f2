/** Who may do what in a test's cluster: files that an API server starts with, and one administrator to call it as. */
import { generateKeyPairSync } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Authority } from "./certificates.ts";

export type AdminCredentials = {
  readonly token: string;
  /** PEM of the authority that signed the API server's certificate and the client's. */
  readonly ca: string;
  /** A client certificate of the same user and group. */
  readonly cert: string;
  readonly key: string;
};

const ADMIN_TOKEN = "admintok";
const ADMIN_USER = "kubernetes-admin";
const ADMIN_GROUP = "system:masters";

/** Writes the files below the folder; the flags name them. */
export async function writeAccess(
  folder: string,
  authority: Authority,
): Promise<{ readonly admin: AdminCredentials; readonly flags: readonly string[] }> {
  const file = (name: string): string => join(folder, name);
  const account = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const serving = await authority.serving(["kubernetes", "kubernetes.default.svc"]);
  const client = await authority.client(ADMIN_USER, [ADMIN_GROUP]);
  mkdirSync(file("certs"));
  writeFileSync(file("sa.pub"), account.publicKey.export({ type: "spki", format: "pem" }));
  writeFileSync(file("sa.key"), account.privateKey.export({ type: "pkcs8", format: "pem" }));
  writeFileSync(file("tokens.csv"), `${ADMIN_TOKEN},${ADMIN_USER},uid1,"${ADMIN_GROUP}"\n`);
  writeFileSync(file("ca.crt"), authority.ca);
  writeFileSync(file("serving.crt"), serving.cert);
  writeFileSync(file("serving.key"), serving.key);
  return {
    admin: { token: ADMIN_TOKEN, ca: authority.ca, ...client },
    flags: [
      `--service-account-key-file=${file("sa.pub")}`,
      `--service-account-signing-key-file=${file("sa.key")}`,
      `--token-auth-file=${file("tokens.csv")}`,
      `--client-ca-file=${file("ca.crt")}`,
      `--tls-cert-file=${file("serving.crt")}`,
      `--tls-private-key-file=${file("serving.key")}`,
    ],
  };
}

/** @returns the path */
export function writeKubeconfig(path: string, server: string, admin: AdminCredentials): string {
  const authority = Buffer.from(admin.ca).toString("base64");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "e2e",
    clusters: [{ name: "e2e", cluster: { server, "certificate-authority-data": authority } }],
    users: [{ name: "admin", user: { token: admin.token } }],
    contexts: [{ name: "e2e", context: { cluster: "e2e", user: "admin" } }],
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}
