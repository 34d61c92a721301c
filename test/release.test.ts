/** The script that makes a release, in a repository of its own. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FILES = [
  ...["CHANGELOG.md", "Dockerfile", "package.json", "package-lock.json", "scripts/release.sh"],
  ...["protocol/package.json", "audio/package.json", "bin/package.json"],
];

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "readback-release-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of FILES) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(ROOT, file), join(folder, file));
  }
  changelog("Something new.");
  git("init", "--quiet");
  commit("First");
});

const read = (file: string) => readFileSync(join(folder, file), "utf8");
const git = (...args: readonly string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });

function commit(message: string): void {
  git("add", ".");
  git("-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "--quiet", "--message", message);
}

function changelog(unreleased: string): void {
  writeFileSync(join(folder, "CHANGELOG.md"), `# Changelog\n\n## [Unreleased]\n\n${unreleased}\n`);
}

function untold(): void {
  changelog("");
  commit("Nothing");
}

function release(...args: readonly string[]) {
  const { PATH = "" } = process.env;
  const who = { GIT_AUTHOR_NAME: "T", GIT_AUTHOR_EMAIL: "t@example.com" };
  const committer = { GIT_COMMITTER_NAME: "T", GIT_COMMITTER_EMAIL: "t@example.com" };
  const env = { PATH, HOME: folder, ...who, ...committer };
  const { status, stdout, stderr } = spawnSync(join(folder, "scripts/release.sh"), args, {
    env,
    encoding: "utf8",
  });
  return { status, said: stdout + stderr };
}

describe("a release", () => {
  it("has its version in every package, the image, the changelog and a tag", () => {
    expect(release("--no-tests", "0.2.0")).toMatchObject({ status: 0 });
    const lock = JSON.parse(read("package-lock.json")) as { packages: Record<string, { version: string }> };
    for (const name of ["", "protocol", "audio", "bin"]) {
      expect(JSON.parse(read(join(name, "package.json"))).version).toBe("0.2.0");
      expect(lock.packages[name]!.version).toBe("0.2.0");
    }
    expect(read("Dockerfile")).toMatch(/^ARG VERSION=0\.2\.0$/m);
    expect(read("CHANGELOG.md")).toMatch(
      /^## \[Unreleased\]\n\n## \[0\.2\.0\] - \d{4}-\d\d-\d\d\n\nSomething new\./m,
    );
    expect(git("tag", "--points-at", "HEAD")).toBe("v0.2.0\n");
    expect(git("status", "--porcelain")).toBe("");
    expect(release("--no-tests", "0.2.0")).toMatchObject({
      status: 1,
      said: expect.stringContaining("there is a tag"),
    });
  });

  it("is only shown with --dry-run", () => {
    const { status, said } = release("--dry-run", "0.2.0");
    expect({ status, said }).toMatchObject({
      status: 0,
      said: expect.stringContaining('+  "version": "0.2.0"'),
    });
    expect(git("status", "--porcelain") + git("tag")).toBe("");
    expect(git("log", "--format=%s")).toBe("First\n");
  });

  it.each<[string, () => void, string, RegExp]>([
    ["changes that are not committed", () => changelog("More."), "0.2.0", /not committed/],
    ["nothing to tell", untold, "0.2.0", /says nothing under Unreleased/],
    ["an older version", () => undefined, "0.0.9", /the version is \S+ already/],
    ["no version", () => undefined, "next", /name a version such as/],
  ])("is refused with %s", (_what, prepare, version, why) => {
    prepare();
    const before = git("status", "--porcelain");
    expect(release("--no-tests", version)).toMatchObject({ status: 1, said: expect.stringMatching(why) });
    expect(git("status", "--porcelain")).toBe(before);
  });
});
