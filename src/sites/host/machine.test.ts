import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Machine } from "./machine.js";

const root = mkdtempSync(join(tmpdir(), "readback-machine-"));
const COMMAND_MS = 300;
const machine = new Machine(root, COMMAND_MS);
const NOBODY = 65_534;

afterAll(() => rmSync(root, { recursive: true }));

function script(name: string, text: string): string {
  const path = join(root, name);
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** As a user who may not read everything, whoever runs the tests. */
function asNobody<T>(work: () => T): T {
  if (process.geteuid?.() !== 0) return work();
  process.seteuid?.(NOBODY);
  try {
    return work();
  } finally {
    process.seteuid?.(0);
  }
}

describe("a command", () => {
  it.each([
    ["hangs", "exec sleep 20", "TIMEOUT"],
    ["hangs in a child of its own, which holds its output", "sleep 3", "TIMEOUT"],
    ["ignores that it shall end", "trap '' TERM INT HUP; while :; do sleep 0.1; done", "TIMEOUT"],
    ["floods", "exec yes", "TOO_LARGE"],
    ["fails", "exit 3", "EXECUTION_FAILED"],
    ["is killed", "kill -9 $$", "EXECUTION_FAILED"],
  ])("that %s", async (what, text, code) => {
    const path = script(what.replaceAll(/\W/g, "-"), text);
    await expect(machine.run(path, [])).rejects.toMatchObject({ name: "SiteFailure", code });
  });

  it("that is not there", async () => {
    await expect(machine.run("no-such-program", [])).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("gets its arguments as they are, and no environment of ours", async () => {
    const hostile = ["$(id)", "a; id", "`id`", "a\nb", "*"];
    const shown = await machine.run(script("shown", 'printf "%s\\0" "$@"; env'), hostile);
    expect(shown.split("\0").slice(0, -1)).toEqual(hostile);
    expect(shown).not.toMatch(/^(?:HOME|USER|NODE_ENV|VITEST)=/m);
  });

  it("may tell a part", async () => {
    await expect(machine.run(script("partly", "echo some; exit 1"), [], 1)).resolves.toBe("some\n");
  });
});

describe("a file", () => {
  it("is read from its beginning, as far as it may", () => {
    writeFileSync(join(root, "log"), `first\n${"x".repeat(100_000)}\nlast\n`);
    expect(machine.text("/log", 6)).toBe("first\n");
  });

  it("is none where it is not there, a pipe, a folder, or endless", () => {
    execFileSync("mkfifo", [join(root, "pipe")]);
    for (const path of ["/none", "/pipe", "/"]) expect(machine.text(path)).toBe("");
    expect(new Machine("/", COMMAND_MS).text("/dev/zero")).toBe("");
  });

  it("is none where it may not be read", () => {
    const path = join(root, "secret");
    writeFileSync(path, "hush");
    chmodSync(path, 0);
    chmodSync(root, 0o755);
    expect(asNobody(() => machine.text("/secret"))).toBe("");
  });
});
