/**
 * What users get: the packed tarball, installed into an empty folder. It must hold what was compiled from today's
 * sources and nothing else, start there, and load only what the command needs. Runs on `dist`, which `npm test` builds
 * first.
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, describe, expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly version: string;
  readonly bin: { readonly postern: string };
};
const built = existsSync(join(root, manifest.bin.postern));
const work = mkdtempSync(join(tmpdir(), "postern-package-"));
afterAll(() => rmSync(work, { recursive: true }));

type Packed = { readonly filename: string; readonly files: readonly { readonly path: string }[] };

function pack(): Packed {
  const output = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", work], {
    cwd: root,
    encoding: "utf8",
  });
  const [packed] = JSON.parse(output) as readonly Packed[];
  if (packed === undefined) throw new Error("npm pack wrote nothing");
  return packed;
}

test("the program is built", () => {
  expect(built, `${manifest.bin.postern} is missing: npm run build`).toBe(true);
});

describe.runIf(built)("the tarball", () => {
  const packed = pack();
  const tarball = join(work, packed.filename);
  const paths = packed.files.map(({ path }) => path);

  test("holds the program and its papers", () => {
    expect(paths).toEqual(
      expect.arrayContaining(["LICENSE", "README.md", "package.json", manifest.bin.postern]),
    );
    expect(paths.filter((path) => !/^dist\/.*\.(?:js|d\.ts)$/.test(path)).toSorted()).toEqual([
      "LICENSE",
      "README.md",
      "package.json",
    ]);
  });

  test("holds nothing that has no source any more", () => {
    const sourceOf = (path: string): string =>
      path.replace(/^dist\//, "src/").replace(/(?:\.d\.ts|\.js)$/, ".ts");
    const compiled = paths.filter((path) => path.startsWith("dist/"));
    expect(compiled.length).toBeGreaterThan(20);
    expect(compiled.filter((path) => !existsSync(join(root, sourceOf(path))))).toEqual([]);
  });

  test("is what publint expects of a package", async () => {
    const bytes = new Uint8Array(readFileSync(tarball));
    const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  test("installs into an empty folder, and npx postern version works there", () => {
    const folder = join(work, "empty");
    mkdirSync(folder);
    writeFileSync(join(folder, "package.json"), "{}\n");
    const npm = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--omit=dev", tarball];
    execFileSync("npm", npm, { cwd: folder, stdio: "pipe" });
    const { stdout, stderr, status } = spawnSync("npx", ["--no-install", "postern", "version"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    expect(stdout).toContain(manifest.version);
    expect(status).toBe(0);
  });
});

describe.runIf(built)("a command loads what it needs", () => {
  /** Names of the files that node loaded, from its coverage report. */
  function loadedBy(args: readonly string[]): string[] {
    const coverage = mkdtempSync(join(work, "coverage-"));
    spawnSync(process.execPath, [join(root, manifest.bin.postern), ...args], {
      env: { ...process.env, NODE_V8_COVERAGE: coverage },
    });
    const reports = readdirSync(coverage).map(
      (name) =>
        JSON.parse(readFileSync(join(coverage, name), "utf8")) as {
          readonly result: readonly { readonly url: string }[];
        },
    );
    return reports
      .flatMap(({ result }) => result.map(({ url }) => url))
      .filter((url) => url.startsWith("file:"));
  }

  test("version: neither the engine nor a parser", () => {
    const loaded = loadedBy(["version"]);
    expect(loaded.length).toBeGreaterThan(1);
    expect(
      loaded.filter((url) => /\/dist\/core\/engine\/|jmespath|js-yaml|re2js|cli-table3/.test(url)),
    ).toEqual([]);
  });
});

describe.runIf(built)("help", () => {
  test.each(["", "apply", "test", "jp", "jp query", "jp parse", "jp function", "version", "completion"])(
    "postern %s --help",
    (command) => {
      const args = [join(root, manifest.bin.postern), ...command.split(" ").filter(Boolean), "--help"];
      const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
      expect(stdout).toContain(`Usage: ${["postern", command].join(" ").trim()}`);
    },
  );
});
