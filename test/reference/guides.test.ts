/** The guides, typed: their files are written into an empty folder, their commands run there with the built `postern`. */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readGuide, withoutTrails } from "./guide.ts";

const root = resolve(import.meta.dirname, "../..");
const guides = join(root, "docs/guides");
const work = mkdtempSync(join(tmpdir(), "postern-guides-"));
afterAll(() => rmSync(work, { recursive: true }));

/** A folder with a `postern` that is the built program. */
function createCommandFolder(): string {
  const folder = join(work, "bin");
  mkdirSync(folder);
  const script = `#!/bin/sh\nexec "${process.execPath}" "${join(root, "dist/apps/bin.js")}" "$@"\n`;
  writeFileSync(join(folder, "postern"), script, { mode: 0o755 });
  return folder;
}

const commands = createCommandFolder();
const env = { PATH: [commands, process.env["PATH"] ?? ""].join(delimiter), NO_COLOR: "1", HOME: work };

test.each(readdirSync(guides))("%s does what it says", (name) => {
  const steps = readGuide(readFileSync(join(guides, name), "utf8"));
  expect(steps.filter((step) => step.kind === "command").length).toBeGreaterThan(3);
  const folder = join(work, name);
  mkdirSync(folder);
  for (const step of steps) {
    if (step.kind === "file") {
      mkdirSync(dirname(join(folder, step.path)), { recursive: true });
      writeFileSync(join(folder, step.path), step.text);
    } else {
      const run = spawnSync("sh", ["-c", `{ ${step.command}\n} 2>&1`], {
        cwd: folder,
        env,
        encoding: "utf8",
      });
      expect(withoutTrails(run.stdout), `${name}:${step.line}: ${step.command}`).toBe(step.prints);
    }
  }
});

test("a block is a file under the name before it, or commands with what they print", () => {
  const page =
    "Say `a.yaml`:\n\n```yaml\nx: 1\n```\n\n```console\n$ one\nout  \n\n$ two\n```\n\n```sh\nno\n```\n";
  expect(readGuide(page)).toEqual([
    { kind: "file", path: "a.yaml", text: "x: 1\n" },
    { kind: "command", line: 8, command: "one", prints: "out" },
    { kind: "command", line: 11, command: "two", prints: "" },
  ]);
});

test("what the README shows of `npm start` is printed, in that order", () => {
  const [, shown = ""] = /^```text\n([^]*?)^```$/m.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
  const lines = withoutTrails(shown)
    .split("\n")
    .filter((line) => line !== "…");
  expect(lines.length).toBeGreaterThan(10);
  const command = "postern apply examples/policies -r examples/resources";
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    readonly scripts: { readonly start: string };
  };
  expect(scripts.start).toContain(command.replace("postern", "node dist/apps/bin.js"));
  const run = spawnSync("sh", ["-c", command], { cwd: root, env, encoding: "utf8" });
  expect(run.status).toBe(1);
  let rest = withoutTrails(run.stdout).split("\n");
  const missing = lines.find((line) => {
    const at = rest.indexOf(line);
    rest = rest.slice(at + 1);
    return at < 0;
  });
  expect(missing).toBeUndefined();
});
