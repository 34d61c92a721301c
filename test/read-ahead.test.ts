import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { shippedPath } from "../src/lib/shipped-files.js";
import { parseYaml } from "../src/lib/yaml.js";
import { commandsIn, digestOf, READ_AHEAD } from "../src/locale/commands/read-ahead.js";

const FOLDER = shippedPath("locales/commands/");
const texts = readdirSync(FOLDER).map((name) => readFileSync(`${FOLDER}${name}`, "utf8"));

describe("commands that the build has read (npm run build)", () => {
  it("are those of all languages", () => {
    const read = JSON.parse(readFileSync(READ_AHEAD, "utf8"));
    expect(Object.keys(read).sort()).toEqual(texts.map(digestOf).sort());
  });

  it("have the values and the lines of their files", () => {
    for (const text of texts) {
      const [ahead, read] = [commandsIn(text), parseYaml(text)];
      expect(ahead.data).toEqual(read.data);
      expect(ahead.lineOf(["lists", "equipment", 1])).toBe(read.lineOf(["lists", "equipment", 1]));
    }
  });

  it("are read anew where a file is another by now", () => {
    expect(commandsIn(`${texts[0]}\nmore: [one]\n`).data).toMatchObject({ more: ["one"] });
  });
});
