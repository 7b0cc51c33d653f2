/** From the flags of `postern serve` to what the daemon reads. Contradictions and numbers out of range are wrong usage. */
import { hostname } from "node:os";

import type { Safety } from "#controllers";
import type { ServeOptions } from "#daemon";
import type { World } from "#platform";
import { parseDuration } from "#text";
import type { CommandInput } from "../../command.ts";
import { UsageError } from "../../command.ts";

const NANOSECONDS_A_MILLISECOND = 1_000_000n;

/** @throws UsageError */
export function decodeServeOptions(env: World["env"], input: CommandInput): ServeOptions {
  const names = input.text("names") === "kyverno" ? "kyverno" : "postern";
  const pod = given(env["POD_NAME"]);
  return {
    kubeconfig: input.text("kubeconfig"),
    context: input.text("context"),
    namespace: input.text("namespace") ?? given(env["POD_NAMESPACE"]) ?? "postern",
    replica: pod ?? `${hostname().toLowerCase()}-${process.pid}`,
    deployment: pod === undefined ? undefined : (given(env["POSTERN_DEPLOYMENT"]) ?? "postern"),
    names,
    host: input.text("host"),
    port: numberOf(input, "port", { default: 9443, least: 0, most: 65_535 }),
    metricsPort: numberOf(input, "metrics-port", { default: 8000, least: 0, most: 65_535 }),
    endpoint: endpointOf(input, names),
    tlsFiles: tlsFilesOf(input),
    configMapName: input.text("config-map") ?? names,
    infrastructureNamespaces: input.list("infrastructure-namespaces"),
    webhookTimeoutSeconds: numberOf(input, "webhook-timeout", {
      default: names === "kyverno" ? 10 : 5,
      least: 1,
      most: 30,
    }),
    allowFailForBootKinds: input.on("allow-fail-for-boot-kinds"),
    openWhenDead: input.on("open-when-dead"),
    without: input.list("without") as readonly Safety[],
    maxConcurrent: numberOf(input, "max-concurrent", { default: 256, least: 1, most: 10_000 }),
    maxQueued: numberOf(input, "max-queued", { default: 512, least: 0, most: 100_000 }),
    lookupTimeoutMs: millisecondsOf(input, "lookup-timeout", 1000),
    logLevel: (input.text("log-level") ?? "info") as ServeOptions["logLevel"],
    removeOnExit: input.on("remove-on-exit"),
  };
}

/** A variable that is set to nothing is not set. */
function given(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

function endpointOf(input: CommandInput, names: ServeOptions["names"]): ServeOptions["endpoint"] {
  const address = input.text("webhook-url");
  if (address === undefined) {
    const name = input.text("service-name") ?? `${names}-svc`;
    return {
      kind: "service",
      name,
      port: numberOf(input, "service-port", { default: 443, least: 1, most: 65_535 }),
    };
  }
  if (input.text("service-name") !== undefined || input.text("service-port") !== undefined) {
    throw new UsageError(
      "`--webhook-url` takes the place of the Service: leave out --service-name and --service-port",
    );
  }
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (
    url === undefined ||
    url.protocol !== "https:" ||
    url.pathname !== "/" ||
    url.search !== "" ||
    url.username !== ""
  ) {
    throw new UsageError(
      `\`--webhook-url ${address}\`: an API server calls https alone and Postern adds the path, so write it as https://host:port`,
    );
  }
  return { kind: "url", url: url.origin };
}

function tlsFilesOf(input: CommandInput): ServeOptions["tlsFiles"] {
  const [cert, key, ca] = [
    input.text("tls-cert-file"),
    input.text("tls-key-file"),
    input.text("tls-ca-file"),
  ];
  if (cert === undefined && key === undefined && ca === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    throw new UsageError(
      "a certificate is served with its key: give both --tls-cert-file and --tls-key-file",
    );
  }
  return { cert, key, ca };
}

type Range = { readonly default: number; readonly least: number; readonly most: number };

function numberOf(input: CommandInput, name: string, range: Range): number {
  const text = input.text(name);
  if (text === undefined) return range.default;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < range.least || value > range.most) {
    throw new UsageError(
      `\`--${name} ${text}\`: it must be a whole number from ${range.least} to ${range.most}`,
    );
  }
  return value;
}

function millisecondsOf(input: CommandInput, name: string, otherwise: number): number {
  const text = input.text(name);
  if (text === undefined) return otherwise;
  const nanoseconds = parseDuration(text);
  if (nanoseconds === undefined || nanoseconds < NANOSECONDS_A_MILLISECOND) {
    throw new UsageError(
      `\`--${name} ${text}\`: it must be a duration of a millisecond or more, such as 500ms or 2s`,
    );
  }
  return Number(nanoseconds / NANOSECONDS_A_MILLISECOND);
}
