/**
 * The layer table. It is the one place where the architecture is written down as data: the compiler projects, the
 * imports map, the doors and what the code imports are all held against it.
 */
export type Layer = {
  readonly name: string;
  /** Below the root. */
  readonly folder: string;
  /** Doors that code of this layer may open; types and values alike. */
  readonly mayImport: readonly string[];
  /** npm packages that code of this layer may import. */
  readonly packages: readonly string[];
  /** `pure`: no node:, no globals but the language's; `node`: everything that Node has. */
  readonly world: "pure" | "node";
};

const lang = ["diag", "json", "text", "jmespath"];
const core = ["k8s", "policy", "engine", "reports", "catalog"];
const io = ["platform", "kube", "certificates", "telemetry"];
const services = ["webhook", "controllers", "cluster"];

export const layers: readonly Layer[] = [
  { name: "diag", folder: "src/lang/diag", mayImport: [], packages: [], world: "pure" },
  { name: "json", folder: "src/lang/json", mayImport: ["diag"], packages: ["js-yaml"], world: "pure" },
  { name: "text", folder: "src/lang/text", mayImport: ["diag", "json"], packages: ["re2js"], world: "pure" },
  {
    name: "jmespath",
    folder: "src/lang/jmespath",
    mayImport: ["diag", "json", "text"],
    packages: ["re2js"],
    world: "pure",
  },
  { name: "k8s", folder: "src/core/k8s", mayImport: ["diag", "json", "text"], packages: [], world: "pure" },
  { name: "policy", folder: "src/core/policy", mayImport: [...lang, "k8s"], packages: [], world: "pure" },
  {
    name: "engine",
    folder: "src/core/engine",
    mayImport: [...lang, "k8s", "policy"],
    packages: ["re2js"],
    world: "pure",
  },
  {
    name: "reports",
    folder: "src/core/reports",
    mayImport: ["diag", "json", "k8s", "engine"],
    packages: [],
    world: "pure",
  },
  {
    name: "catalog",
    folder: "src/core/catalog",
    mayImport: [...lang, "k8s", "policy", "engine"],
    packages: [],
    world: "pure",
  },
  { name: "platform", folder: "src/io/platform", mayImport: ["diag", "json"], packages: [], world: "node" },
  {
    name: "kube",
    folder: "src/io/kube",
    mayImport: ["diag", "json", "text", "k8s", "platform"],
    packages: [],
    world: "node",
  },
  {
    name: "certificates",
    folder: "src/io/certificates",
    mayImport: ["diag", "json", "platform", "kube"],
    packages: ["@peculiar/x509", "reflect-metadata"],
    world: "node",
  },
  {
    name: "telemetry",
    folder: "src/io/telemetry",
    mayImport: ["diag", "json", "platform", "kube"],
    packages: ["pino", "prom-client"],
    world: "node",
  },
  {
    name: "webhook",
    folder: "src/services/webhook",
    mayImport: [...lang, ...core, ...io],
    packages: [],
    world: "node",
  },
  {
    name: "controllers",
    folder: "src/services/controllers",
    mayImport: [...lang, ...core, ...io],
    packages: [],
    world: "node",
  },
  {
    name: "cluster",
    folder: "src/services/cluster",
    mayImport: [...lang, ...core, ...io],
    packages: [],
    world: "node",
  },
  {
    name: "daemon",
    folder: "src/apps/daemon",
    mayImport: [...lang, ...core, ...io, ...services],
    packages: [],
    world: "node",
  },
  {
    name: "cli",
    folder: "src/apps/cli",
    mayImport: [...lang, ...core, ...io, ...services, "daemon"],
    packages: ["commander", "picocolors", "cli-table3"],
    world: "node",
  },
];

/** Names that say nothing about what is inside. */
export const bannedNames: readonly string[] = [
  "util",
  "utils",
  "helper",
  "helpers",
  "common",
  "misc",
  "shared",
  "base",
  "manager",
  "types",
  "constants",
  "enums",
];
