import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { Database } from "./database.js";

const LAYOUTS = { first: 1, steps: ["CREATE TABLE notes (text TEXT NOT NULL) STRICT"] };

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "readback-store-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
});

async function open(): Promise<Database> {
  const database = await Database.open(join(directory, "inner", "notes.db"), LAYOUTS);
  onTestFinished(() => database.close());
  return database;
}

it("keeps what is written, and nothing of a transaction that fails", async () => {
  const database = await open();
  await database.writeAll([{ sql: "INSERT INTO notes VALUES (?)", args: ["one"] }]);
  const failing = database.writeAll(["DELETE FROM notes", "INSERT INTO notes VALUES (NULL)"]);
  await expect(failing).rejects.toThrow("NOT NULL");
  await database.close();
  const again = await open();
  expect(await again.rows("SELECT text FROM notes", [])).toEqual([{ text: "one" }]);
});

it("may be read by its owner alone, its log and its shared memory too", async () => {
  const before = process.umask(0);
  onTestFinished(() => void process.umask(before));
  await (await open()).writeAll([{ sql: "INSERT INTO notes VALUES (?)", args: ["one"] }]);
  const inner = join(directory, "inner");
  expect(statSync(inner).mode & 0o777).toBe(0o700);
  const modes = readdirSync(inner).map((name) => [name, statSync(join(inner, name)).mode & 0o777]);
  expect(Object.fromEntries(modes)).toEqual({
    "notes.db": 0o600,
    "notes.db-shm": 0o600,
    "notes.db-wal": 0o600,
  });
});

it("is said to be damaged when its file is", async () => {
  await (await open()).close();
  const path = join(directory, "inner", "notes.db");
  for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
  writeFileSync(path, Buffer.alloc(8_192, 0xa5));
  const reading = open().then((opened) => opened.rows("SELECT text FROM notes", []));
  await expect(reading).rejects.toMatchObject({ name: "StoreUnusable", code: "damaged" });
});
