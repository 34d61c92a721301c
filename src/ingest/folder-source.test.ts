import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  closeSync,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { DocumentsFolder } from "../../test/support/documents-folder.js";
import { openFolderSource } from "./folder-source.js";
import { DocumentProblem } from "./problem.js";
import { EntryGone, EntryUnreadable, PathProblem } from "./source.js";

const NO_ABORT = new AbortController().signal;

let folder: DocumentsFolder;
beforeEach(() => {
  folder = new DocumentsFolder();
});

const read = async (name: string, bytesMax = 1_000) => {
  const source = await openFolderSource(folder.docs);
  const bytes = await source.read({ path: folder.path(name), name }, bytesMax, NO_ABORT);
  return Buffer.from(bytes).toString("utf8");
};

describe("reading a file", () => {
  it("brings all of it, up to the limit", async () => {
    folder.write({ "a.md": "x".repeat(1_000), "empty.md": "" });
    expect(await read("a.md")).toBe("x".repeat(1_000));
    expect(await read("empty.md")).toBe("");
    await expect(read("a.md", 999)).rejects.toThrow(
      "the file has 1000 bytes, more than the 999 that are allowed",
    );
  });

  it("refuses two gigabytes by their size, unread", async () => {
    const handle = openSync(folder.path("huge.md"), "w");
    ftruncateSync(handle, 2 ** 31);
    closeSync(handle);
    await expect(read("huge.md", 10_000_000)).rejects.toBeInstanceOf(DocumentProblem);
  });

  it("that became a pipe or a folder does not wait for anybody", async () => {
    folder.write({ "sub.md/a.md": "x" });
    execFileSync("mkfifo", [folder.path("pipe.md")]);
    await expect(read("pipe.md")).rejects.toBeInstanceOf(EntryGone);
    await expect(read("sub.md")).rejects.toBeInstanceOf(EntryGone);
    await expect(read("nothing.md")).rejects.toBeInstanceOf(EntryGone);
    await expect(read("sub.md/a.md/below.md")).rejects.toBeInstanceOf(EntryGone);
  });

  it("that became a link out of the folder is refused", async () => {
    writeFileSync(join(folder.base, "secret.md"), "Oil the safe.");
    symlinkSync(join(folder.base, "secret.md"), folder.path("a.md"));
    await expect(read("a.md")).rejects.toThrow(/leads out of the folder/);
    symlinkSync(folder.base, folder.path("up"));
    await expect(read("up/secret.md")).rejects.toThrow(/leads out of the folder/);
  });

  it("that is being written is unreadable for now", async () => {
    folder.write({ "a.md": "x".repeat(3_000_000) });
    const source = await openFolderSource(folder.docs);
    let isOver = false;
    const reading = source
      .read({ path: folder.path("a.md"), name: "a.md" }, 100_000_000, NO_ABORT)
      .catch((error: unknown) => error)
      .finally(() => {
        isOver = true;
      });
    // Grows as long as it is being read.
    while (!isOver) {
      appendFileSync(folder.path("a.md"), "more");
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await reading).toBeInstanceOf(EntryUnreadable);
    expect(await reading).toMatchObject({ retryable: true });
  });

  it("ends when it is aborted", async () => {
    folder.write({ "a.md": "x" });
    const source = await openFolderSource(folder.docs);
    const abort = AbortSignal.abort(new Error("stop"));
    await expect(source.read({ path: folder.path("a.md"), name: "a.md" }, 10, abort)).rejects.toThrow("stop");
    await expect(source.list(abort)).rejects.toThrow("stop");
  });
});

describe("listing a folder", () => {
  const list = async () => (await openFolderSource(folder.docs)).list(NO_ABORT);

  it("names files whose names are not UTF-8, each by its bytes, and opens none", async () => {
    const named = (byte: number, rest: string) =>
      Buffer.concat([Buffer.from(`${folder.docs}/n`), Buffer.from([byte]), Buffer.from(rest)]);
    for (const byte of [0xfe, 0xff]) writeFileSync(named(byte, ".md"), "x");
    writeFileSync(named(0xff, ".png"), "x");
    folder.write({ "sound \ufffd.md": "x", "Größe 🦺.md": "x" });
    const { entries, problems, ignoredCount } = await list();
    expect(entries.map(({ name }) => name).sort()).toEqual(["Größe 🦺.md", "sound \ufffd.md"]);
    expect(problems.map(({ name }) => name)).toEqual(["n\\xFE.md", "n\\xFF.md"]);
    expect(ignoredCount).toBe(1);
  });

  it("goes as deep as folders go", async () => {
    const deep = Array.from({ length: 200 }, () => "d").join("/");
    folder.write({ [`${deep}/a.md`]: "x" });
    expect((await list()).entries.map(({ name }) => name)).toEqual([`${deep}/a.md`]);
  });

  it("rejects when the folder is no more", async () => {
    const source = await openFolderSource(folder.docs);
    renameSync(folder.docs, join(folder.base, "elsewhere"));
    await expect(source.list(NO_ABORT)).rejects.toBeInstanceOf(PathProblem);
    rmSync(join(folder.base, "elsewhere"), { recursive: true });
  });
});
