/**
 * A real control plane for tests: kube-apiserver, kube-controller-manager and etcd, found or built from Go modules.
 * `KUBEBUILDER_ASSETS` is looked at first; else what was built is kept below the user's cache by version
 * (`POSTERN_CONTROL_PLANE_DIR` to keep it elsewhere), so that a machine builds once. A build that stops half-way leaves
 * nothing that looks finished: it is moved into place as a whole.
 *
 *   node scripts/control-plane.js [versions...]   builds what is missing and prints `version folder` lines
 */
import { execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

/** The oldest and the newest that Postern is tested with. */
export const versions = ["1.34.3", "1.36.3"];

const ETCD = "3.6.5";
const programs = ["etcd", "kube-apiserver", "kube-controller-manager"];

/**
 * The folder with the programs of a version, or nothing where there is none yet.
 * @param {string} version without a leading v
 * @returns {string | undefined}
 */
export function findControlPlane(version) {
  const assets = process.env["KUBEBUILDER_ASSETS"];
  if (assets !== undefined && isComplete(assets) && minorOf(versionOf(assets)) === minorOf(version))
    return assets;
  const built = join(cacheFolder(), version);
  return isComplete(built) ? built : undefined;
}

/**
 * Where `go` is, or nothing.
 * @returns {string | undefined}
 */
export function findGo() {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return [...folders, "/usr/local/go/bin"]
    .map((folder) => join(folder, "go"))
    .find((path) => existsSync(path));
}

/**
 * Finds or builds a version. What an earlier build left half done is thrown away.
 * @param {string} version
 * @param {(line: string) => void} say progress, for people
 * @returns {Promise<string>} the folder with the programs
 */
export async function buildControlPlane(version, say) {
  const found = findControlPlane(version);
  if (found !== undefined) return found;
  const go = findGo();
  if (go === undefined) {
    throw new Error(
      "there is no `go` on this machine: install Go 1.24 or later, or set KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver and kube-controller-manager",
    );
  }
  mkdirSync(cacheFolder(), { recursive: true });
  const release = await holdLock(join(cacheFolder(), `.lock-${version}`), say);
  try {
    return findControlPlane(version) ?? (await buildInto(join(cacheFolder(), version), { go, version, say }));
  } finally {
    release();
  }
}

/**
 * @param {string} place the folder that is to have the programs
 * @param {{ go: string, version: string, say: (line: string) => void }} options
 */
async function buildInto(place, { go, version, say }) {
  const left = readdirSync(cacheFolder()).filter((name) => name.startsWith(`.building-${version}-`));
  for (const name of left) rmSync(join(cacheFolder(), name), { recursive: true, force: true });
  const work = mkdtempSync(join(cacheFolder(), `.building-${version}-`));
  try {
    const out = join(work, "bin");
    mkdirSync(out);
    await buildEtcd(go, join(work, "etcd"), out, say);
    await buildKubernetes(go, { version, folder: join(work, "kubernetes"), out, say });
    rmSync(place, { recursive: true, force: true });
    renameSync(out, place);
    return place;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function cacheFolder() {
  return (
    process.env["POSTERN_CONTROL_PLANE_DIR"] ??
    join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "postern", "control-plane")
  );
}

/** @param {string} folder */
function isComplete(folder) {
  return programs.every((program) => existsSync(join(folder, program)));
}

/** @param {string} folder */
function versionOf(folder) {
  const text = execFileSync(join(folder, "kube-apiserver"), ["--version"], { encoding: "utf8" });
  return /v(\d+\.\d+\.\d+)/.exec(text)?.[1] ?? "";
}

/** @param {string} version `1.34.3` @returns {string} `1.34` */
function minorOf(version) {
  return version.split(".").slice(0, 2).join(".");
}

/**
 * Waits until no other process builds the same: two at once would take twice as long each. A process that is gone holds
 * nothing.
 * @param {string} path
 * @param {(line: string) => void} say
 * @returns {Promise<() => void>} gives it back
 */
async function holdLock(path, say) {
  for (let waited = 0; ; waited += 1) {
    try {
      writeFileSync(path, String(process.pid), { flag: "wx" });
      return () => rmSync(path, { force: true });
    } catch {
      const holder = existsSync(path) ? Number(readFileSync(path, "utf8")) : 0;
      if (holder > 0 && !isRunning(holder)) rmSync(path, { force: true });
      else if (waited % 60 === 0) say(`process ${holder} builds it already: waiting`);
      await sleep(1_000);
    }
  }
}

/** @param {number} pid */
function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * etcd has no main package that builds outside of its repository: five lines call the one that it exports.
 * @param {string} go
 * @param {string} folder
 * @param {string} out
 * @param {(line: string) => void} say
 */
async function buildEtcd(go, folder, out, say) {
  mkdirSync(folder);
  writeFileSync(
    join(folder, "main.go"),
    'package main\n\nimport (\n\t"os"\n\n\t"go.etcd.io/etcd/server/v3/etcdmain"\n)\n\nfunc main() { etcdmain.Main(os.Args) }\n',
  );
  writeFileSync(
    join(folder, "go.mod"),
    `module postern.dev/etcd\n\ngo 1.24.0\n\nrequire go.etcd.io/etcd/server/v3 v${ETCD}\n`,
  );
  say(`etcd ${ETCD}: modules`);
  await run(go, ["mod", "tidy"], folder);
  say(`etcd ${ETCD}: building`);
  await run(go, ["build", "-trimpath", "-ldflags", "-s -w", "-o", join(out, "etcd"), "."], folder);
}

/**
 * @param {string} go
 * @param {{ version: string, folder: string, out: string, say: (line: string) => void }} options
 */
async function buildKubernetes(go, { version, folder, out, say }) {
  mkdirSync(folder);
  writeFileSync(join(folder, "go.mod"), "module postern.dev/kubernetes\n\ngo 1.24.0\n");
  say(`kubernetes ${version}: modules`);
  const module = JSON.parse(
    await run(go, ["mod", "download", "-json", `k8s.io/kubernetes@v${version}`], folder),
  );
  writeFileSync(join(folder, "go.mod"), moduleFile(readFileSync(module.GoMod, "utf8"), version));
  const [major, minor] = version.split(".");
  const stamp = ["gitVersion=v" + version, "gitMajor=" + major, "gitMinor=" + minor]
    .map((value) => `-X k8s.io/component-base/version.${value}`)
    .join(" ");
  for (const program of ["kube-apiserver", "kube-controller-manager"]) {
    say(`kubernetes ${version}: building ${program}, some minutes`);
    const path = join(out, program);
    const flags = ["-mod=mod", "-trimpath", "-ldflags", `-s -w ${stamp}`, "-o", path];
    await run(go, ["build", ...flags, `k8s.io/kubernetes/cmd/${program}`], folder);
  }
}

/**
 * Kubernetes' own go.mod with what it takes from its own folders replaced by the published modules of the same release.
 * @param {string} original
 * @param {string} version
 */
function moduleFile(original, version) {
  const published = `v0.${version.split(".").slice(1).join(".")}`;
  return original
    .replace(/^module .*$/m, "module postern.dev/kubernetes")
    .replace(/^(\t?k8s\.io\/\S+) v0\.0\.0(?=\s|$)/gm, `$1 ${published}`)
    .replace(/ => \.\/staging\/src\/(\S+)/g, ` => $1 ${published}`)
    .concat(`\nrequire k8s.io/kubernetes v${version}\n`);
}

/**
 * Runs to the end; what it printed, or an error with the end of what it complained about.
 * @param {string} program
 * @param {readonly string[]} words
 * @param {string} folder
 * @returns {Promise<string>}
 */
function run(program, words, folder) {
  const env = {
    ...process.env,
    GOFLAGS: "-buildvcs=false",
    GOTOOLCHAIN: "auto",
    GOWORK: "off",
    CGO_ENABLED: "0",
  };
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      cwd: folder,
      env: { ...env, PATH: `${dirname(program)}${delimiter}${process.env["PATH"]}` },
    });
    let [printed, complained] = ["", ""];
    child.stdout.on("data", (chunk) => (printed += chunk));
    child.stderr.on("data", (chunk) => (complained = (complained + chunk).slice(-4000)));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(printed);
      else reject(new Error(`go ${words.slice(0, 2).join(" ")} failed (${code}):\n${complained}`));
    });
  });
}

async function main() {
  const wanted = process.argv.length > 2 ? process.argv.slice(2) : versions;
  for (const version of wanted) {
    const folder = await buildControlPlane(version, (line) =>
      process.stderr.write(`control plane: ${line}\n`),
    );
    process.stdout.write(`${version} ${folder}\n`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`control plane: ${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}
