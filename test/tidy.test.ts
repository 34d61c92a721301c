/** Holds every file to the habits of CONTRIBUTING.md, and the rules to what they claim to find. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { excuseOf, LONG_LINES } from "./support/long-lines.js";
import { isTest, readSources } from "./support/source-graph.js";
import {
  FILE_LINES_MAX,
  FUNCTION_LINES_MAX,
  LINE_CHARS_MAX,
  longLines,
  placesNamed,
  untidy,
} from "./support/tidy-rules.js";
import { PROCESS, SLOW } from "./tiers.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Every file under version control, as long as it is there. */
function trackedFiles(): string[] {
  const list = execFileSync("git", ["ls-files", "-z"], { cwd: ROOT, encoding: "utf8" });
  return list.split("\0").filter((path) => path !== "" && existsSync(join(ROOT, path)));
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

/** In an image's recipe these are paths of the image; in commands that are judged, of whatever machine they run on. */
function isAllowed(path: string): (line: string) => boolean {
  if (path.startsWith("src/sites/shell/") || /^test\/conformance\/\w+_cases\.json$/.test(path))
    return () => true;
  // Where an image of others keeps its files.
  if (path === "deploy/docker-compose.yml") return (line) => /^ +- [\w./-]+:\/(?:home|root)\//.test(line);
  return (line) => /(?:^|\/)Dockerfile$/.test(path) && /--mount=/.test(line);
}

describe("the code", () => {
  const code = trackedFiles().filter((path) => /\.(?:ts|js|mjs)$/.test(path));

  it("is all there", () => {
    expect(code).toEqual(expect.arrayContaining(["src/main.ts", "bin/readback.js", "test/tidy.test.ts"]));
  });

  it("is tidy", () => {
    expect(code.flatMap((path) => untidy(path, read(path)))).toEqual([]);
  });

  it.each(LONG_LINES)("still has long lines in %s", (place) => {
    const excused = code.filter((path) => excuseOf(path) === place);
    expect(excused.some((path) => longLines(read(path)).length > 0)).toBe(true);
  });
});

describe("the service", () => {
  it("has no file that nothing imports", () => {
    const all = [...readSources(ROOT, "src"), ...readSources(ROOT, "examples")];
    const sources = all.filter((source) => !isTest(source));
    const imports = new Map(sources.map(({ path, imports }) => [path, imports.map(({ target }) => target)]));
    const roots = sources.map(({ path }) => path).filter((path) => !path.startsWith("src/"));
    const alive = new Set<string>();
    const waiting = ["src/cli/main.ts", ...roots];
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (alive.has(path)) continue;
      alive.add(path);
      waiting.push(...(imports.get(path) ?? []));
    }
    expect(sources.map(({ path }) => path).filter((path) => !alive.has(path))).toEqual([]);
  });
});

describe("the tiers of tests", () => {
  const tests = trackedFiles().filter((path) => /\.(?:test|fuzz)\.ts$/.test(path));

  it.each([...SLOW, ...PROCESS])("name files that exist: %s", (glob) => {
    expect(tests.filter((path) => matchesGlob(path, glob))).not.toEqual([]);
  });
});

describe("what is under version control", () => {
  it("names no place of the machine it was written on", () => {
    const found = trackedFiles().flatMap((path) => placesNamed(path, read(path), isAllowed(path)));
    expect(found).toEqual([]);
  });

  it("locks packages by version and content, not by the address they came from", () => {
    const lock = JSON.parse(read("package-lock.json")) as {
      packages: Record<string, { resolved?: string; link?: boolean; integrity?: string }>;
    };
    for (const [name, { resolved, link, integrity }] of Object.entries(lock.packages)) {
      expect(resolved ?? "", name).not.toMatch(/^https?:/);
      if (name.startsWith("node_modules/") && !link) expect(integrity, name).toMatch(/^sha512-/);
    }
  });
});

describe("the rules", () => {
  const long = (lines: number) => "x();\n".repeat(lines);
  const planted: readonly [what: string, text: string, found: RegExp][] = [
    ["a long function", `// A.\nfunction f() {\n${long(FUNCTION_LINES_MAX)}}`, /:2: a function of 72 lines/],
    ["a long method", `// A.\nclass A { f() {\n${long(FUNCTION_LINES_MAX)}} }`, /a function of 72 lines/],
    ["a long test", `// A.\nit("x", () => {\n${long(FUNCTION_LINES_MAX)}});`, /a function of 72 lines/],
    ["a long file", `// A.\n${long(FILE_LINES_MAX)}`, /has 501 lines/],
    ["a long line", `// ${"x".repeat(LINE_CHARS_MAX)}`, /:1: a line of 143 characters; at most 140/],
    ["no beginning", "export const x = 1;", /what it is for/],
    ["work put off", `// A.\n// ${"TO"}DO: later`, /:2: /],
    ["a muted check", `// A.\n// @ts-${"ignore"}\nx();`, /@ts-/],
    ["any", "// A.\nlet x: any;", /: any/],
    ["any in a list", "// A.\nlet x: readonly any[] = [];", /: any/],
    ["any by cast", "// A.\nf(x as any);", /: any/],
    ["a swallowed error", "// A.\ntry { f(); } catch {}", /swallowed/],
    ["a swallowed error with an excuse", "// A.\ntry { f(); } catch (e) { /* never mind */ }", /swallowed/],
    ["a swallowed rejection", "// A.\nf().catch(() => {});", /swallowed/],
    ["a rejection made nothing", "// A.\nf().catch(() => undefined);", /swallowed/],
  ];

  it.each(planted)("find %s", (_what, text, found) => {
    expect(untidy("src/x.ts", text).join("\n")).toMatch(found);
  });

  it("find nothing where nothing is", () => {
    const text = [
      "#!/usr/bin/env node",
      "// What this is for: company, anybody; a to-do list.",
      `describe("x", () => {\n${long(FUNCTION_LINES_MAX)}});`,
      "try { f(); } catch { return undefined; }",
      "f().catch((error) => tell(error));",
      "const any = { TODOS: 1 };",
    ].join("\n");
    expect(untidy("src/x.ts", text)).toEqual([]);
  });

  it.each([
    [`see /${"work"}/main/src`, true],
    [`"/${"root"}/.npmrc"`, true],
    [`https://${"registry"}.example.org/x`, true],
    ['import "./chat/registry.js"; await registry.metrics()', false],
    ["src/work/list and ../home/x and frame/work/", false],
    ["the npm registry", false],
  ])("find places in %j: %s", (line, found) => {
    expect(placesNamed("x.md", line, () => false).length > 0).toBe(found);
  });
});
