import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { shippedEntries, shippedPath, shippedRows } from "./shipped-files.js";

const WORDS = shippedPath("locales/words/");
const FILES = readdirSync(WORDS);

it("fails where a file is missing", () => {
  expect(() => shippedRows("locales/words/none.txt")).toThrow("none.txt");
});

it("leaves out remarks and empty lines, and keeps the order", () => {
  expect(shippedRows("locales/words/spellings.txt").slice(0, 2)).toEqual(["colour color", "tyre tire"]);
});

it("reads rows by their names", () => {
  const { courtesy } = shippedEntries("locales/words/classes.txt");
  expect(courtesy).toMatch(/^thanks thank /);
});

describe.each(FILES)("%s", (name) => {
  it("has rows that are words with single spaces, below a remark that says what they are", () => {
    expect(readFileSync(join(WORDS, name), "utf8")).toMatch(/^# \S/);
    const rows = shippedRows(`locales/words/${name}`);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.filter((row) => row !== row.trim() || /\s\s|\t|\r/.test(row))).toEqual([]);
  });
});
