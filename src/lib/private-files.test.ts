import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { makePrivateFile, makePrivateFolder, narrowFolder, writePrivateFile } from "./private-files.js";

let base: string;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "readback-private-"));
  const before = process.umask(0);
  onTestFinished(() => {
    process.umask(before);
    rmSync(base, { recursive: true });
  });
});

const mode = (path: string) => statSync(path).mode & 0o777;

describe("what is made", () => {
  it("may be read by its owner alone, although the umask takes nothing away", async () => {
    const folder = join(base, "a", "b");
    makePrivateFolder(folder);
    makePrivateFile(join(folder, "made"));
    await writePrivateFile(join(folder, "written"), "text");
    expect([join(base, "a"), folder].map(mode)).toEqual([0o700, 0o700]);
    expect(["made", "written"].map((name) => mode(join(folder, name)))).toEqual([0o600, 0o600]);
  });

  it("narrows a file that is written over", async () => {
    const path = join(base, "report");
    writeFileSync(path, "old", { mode: 0o644 });
    await writePrivateFile(path, "new");
    expect(mode(path)).toBe(0o600);
  });
});

describe("what is there already", () => {
  it("loses the permissions of others, where it is ours", () => {
    mkdirSync(join(base, "data", "inner"), { recursive: true, mode: 0o755 });
    for (const name of ["ours.db", "ours.db-wal", "theirs"])
      writeFileSync(join(base, "data", name), "", { mode: 0o664 });
    writeFileSync(join(base, "outside"), "", { mode: 0o644 });
    symlinkSync(join(base, "outside"), join(base, "data", "ours.link"));
    const exposed: string[] = [];
    narrowFolder(
      join(base, "data"),
      (name) => name !== "theirs",
      (path) => exposed.push(path),
    );
    const modes = ["", "inner", "ours.db", "ours.db-wal", "theirs"].map((name) =>
      mode(join(base, "data", name)),
    );
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o600, 0o664]);
    expect(mode(join(base, "outside"))).toBe(0o644);
    expect(exposed).toEqual([]);
  });

  it("is nothing where there is no folder", () => {
    const path = join(base, "none");
    narrowFolder(
      path,
      () => true,
      (_path, error) => {
        throw error;
      },
    );
    expect(existsSync(path)).toBe(false);
  });
});
