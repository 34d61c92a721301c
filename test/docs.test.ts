/** Holds the documents to what exists: commands, files, variables and clauses that they name. */
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { VARIABLES } from "../src/config/settings.js";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const DOCUMENTS = execFileSync(
  "git",
  ["ls-files", "*.md", ":!prompts", ":!examples", ":!bench/*/*/documents/*"],
  {
    cwd: ROOT,
    encoding: "utf8",
  },
)
  .split("\n")
  .filter((path) => path !== "");

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

/** Every first group of `pattern` in the documents, with the document that has it. */
function named(pattern: RegExp): [document: string, name: string][] {
  return DOCUMENTS.flatMap((path) =>
    [...read(path).matchAll(pattern)].map(([, name]): [string, string] => [path, name!]),
  );
}

describe("documents", () => {
  it("name npm scripts that exist", () => {
    const names = named(/\bnpm run ([\w:]+)/g);
    expect(names.length).toBeGreaterThan(5);
    for (const [path, name] of names) expect(Object.keys(scripts), path).toContain(name);
  });

  it("name commands that the command line has", () => {
    const names = named(/\bnpx readback ([\w-]+)/g);
    expect(names.length).toBeGreaterThan(3);
    const sources = readdirSync(join(ROOT, "src/cli")).map((file) => read(`src/cli/${file}`));
    const known = sources.flatMap((text) =>
      [...text.matchAll(/new Command\("([\w-]+)"\)/g)].map(([, name]) => name),
    );
    for (const [path, name] of names) expect(known, path).toContain(name);
  });

  it("describe each tier of tests, and `.ci/run` runs them all", () => {
    const tiers = [...read("vitest.config.ts").matchAll(/name: "(\w+)"/g)].map(([, name]) => name!);
    expect(tiers).toEqual(["unit", "process", "slow"]);
    const steps = [...read(".ci/run").matchAll(/step npm (?:run )?(test[\w:]*)/g)];
    const run = steps.map(([, script]) => scripts[script!]).join("\n");
    for (const tier of tiers) {
      expect(read("CONTRIBUTING.md")).toContain(`| \`${tier}\` |`);
      expect(run).toContain(`--project ${tier}`);
    }
  });

  it("link to files that exist", () => {
    const links = named(/\]\((?!https?:|#)([^)\s#]+)/g);
    expect(links.length).toBeGreaterThan(5);
    for (const [path, link] of links)
      expect(existsSync(join(ROOT, dirname(path), link)), `${path}: ${link}`).toBe(true);
  });

  it("name variables that set something", () => {
    const known = new Set([
      ...VARIABLES,
      ...["KILLS", "SCENARIOS", "WAIT_FACTOR"].map((name) => `READBACK_TEST_${name}`),
    ]);
    const names = named(/\b(READBACK_[A-Z_]+[A-Z])\b/g);
    expect(names.length).toBeGreaterThan(5);
    for (const [path, name] of names) expect(known, path).toContain(name);
  });

  it("name tests against each threat that exist, and leave nothing open above low", () => {
    const rows = read("docs/threats.md")
      .split("\n")
      .filter((line) => line.startsWith("| ") && !line.startsWith("| threat"));
    expect(rows.length).toBeGreaterThan(40);
    for (const row of rows) {
      const [, , , test = "", left] = row
        .split(" | ")
        .flatMap((cell, at) => (at === 0 ? ["", cell] : [cell]));
      const [, path, title] = /^`([^`]+)`: (.+)$/.exec(test) ?? [];
      expect(read(path!), row).toContain(`"${title}"`);
      expect(left, row).toMatch(/^(?:none|low)\b/);
    }
  });

  it("show what the demonstration says", () => {
    const [, shown] = /\$ npm run demo\n([\s\S]*?)```/.exec(read("README.md"))!;
    const questions = [...read("examples/demo.ts").matchAll(/ text: "([^"]+)"/g)].map(([, text]) => text!);
    expect(questions).toHaveLength(9);
    for (const question of questions) expect(shown).toContain(question);
  });
});
