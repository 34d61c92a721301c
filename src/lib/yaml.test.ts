import { describe, expect, it } from "vitest";
import { parseYaml, YamlError } from "./yaml.js";

describe("parseYaml", () => {
  it("leaves every scalar as it was written", () => {
    const { data } = parseYaml("a: 1.10\nb: no\nc: 0123\nd: 2026-03-01\ne: ~\nf:\n");
    expect(data).toEqual({ a: "1.10", b: "no", c: "0123", d: "2026-03-01", e: "~", f: "" });
  });

  it("reads JSON too", () => {
    expect(parseYaml('[{"a": "x", "b": [1, true]}]').data).toEqual([{ a: "x", b: ["1", "true"] }]);
  });

  it("knows the lines of values", () => {
    const yaml = parseYaml("# heading\n- a: 1\n- a: 2\n  b:\n    - x\n");
    expect([[0], [1], [1, "b", 0], [1, "none"], [7]].map((path) => yaml.lineOf(path))).toEqual([
      2, 3, 5, 3, 2,
    ]);
  });

  it.each([
    ["a: [1", 1],
    ["a: 1\nb: {\n", 3],
    ["a: 1\na: 2", 2],
    ["a: 1\n--- \nb: 2", 2],
    // The parser would take seconds for a few hundred of these.
    [`a: 1\n  ${"?  ".repeat(300)}`, 2],
    [`- ${"- ".repeat(300)}x`, 1],
  ])("names the line of what is wrong: %j", (text, line) => {
    expect(() => parseYaml(text)).toThrow(YamlError);
    try {
      parseYaml(text);
    } catch (error) {
      expect((error as YamlError).line).toBe(line);
    }
  });

  it("is not multiplied by aliases", () => {
    const names = "abcdefghij".split("");
    const lines = names.map((name, index) => {
      const previous = names[index - 1];
      return `${name}: &${name} [${Array(10)
        .fill(previous === undefined ? "x" : `*${previous}`)
        .join(", ")}]`;
    });
    expect(() => parseYaml(lines.join("\n"))).toThrow(YamlError);
  });
});
