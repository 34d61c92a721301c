/** A schema of a stranger holds its replies to what it says, and never the service. */
import { describe, expect, it } from "vitest";
import { contentCheck } from "./tools.js";

const VALUE = { type: "object", properties: { value: { type: "number" } }, required: ["value"] };

function check(outputSchema: unknown, content: unknown): string {
  try {
    contentCheck(outputSchema)(content);
    return "fits";
  } catch (error) {
    return `${(error as { code: string }).code} ${(error as Error).message}`;
  }
}

/** Each definition refers twice to the next one: 2 to the power of `levels` schemas in all. */
function doubling(levels: number): object {
  const twice = (level: number) => ({
    allOf: [{ $ref: `#/$defs/s${level}` }, { $ref: `#/$defs/s${level}` }],
  });
  const levelsOf = Array.from({ length: levels }, (_, level) => [`s${level}`, twice(level + 1)]);
  return {
    $ref: "#/$defs/s0",
    $defs: { ...Object.fromEntries(levelsOf), [`s${levels}`]: { type: "object" } },
  };
}

describe("content", () => {
  it.each<[unknown, unknown, string | RegExp]>([
    [undefined, "text", "fits"],
    [VALUE, { value: 1 }, "fits"],
    [VALUE, { value: "1" }, /^MALFORMED .*value must be number/],
    [VALUE, {}, /^MALFORMED .*required property 'value'/],
    [{ ...VALUE, additionalProperties: false }, { value: 1, more: 2 }, /^MALFORMED/],
    [{ $ref: "#/$defs/reading", $defs: { reading: VALUE } }, { value: 1 }, "fits"],
    [{ $ref: "#/$defs/reading", $defs: { reading: VALUE } }, { value: "1" }, /^MALFORMED .*number/],
    [
      { $ref: "#/$defs/reading", required: ["more"], $defs: { reading: VALUE } },
      { value: 1 },
      /^MALFORMED .*more/,
    ],
    [{ $schema: "http://json-schema.org/draft-07/schema#", ...VALUE }, { value: "1" }, /^MALFORMED .*number/],
    [{ properties: { pattern: { type: "number" } } }, { pattern: "x" }, /^MALFORMED .*number/],
    [{ ...VALUE, patternProperties: { "^v": {} }, additionalProperties: false }, { value: 1, v2: 1 }, "fits"],
    [{ ...VALUE, $async: true }, { value: "1" }, /^MALFORMED .*number/],
    [{ type: "wild" }, {}, /^MALFORMED/],
    [{ $schema: "http://plant.example/own" }, {}, /^MALFORMED/],
    [{ $ref: "#/$defs/none" }, {}, /^MALFORMED .*refers/],
    [{ $ref: "http://127.0.0.1:1/schema" }, {}, /^MALFORMED .*refers/],
    [{ $ref: "#" }, {}, /^MALFORMED .*too large, or refers to itself/],
    [{ $dynamicRef: "#x" }, {}, /^MALFORMED .*refers/],
    [doubling(40), {}, /^MALFORMED .*too large, or refers to itself/],
  ])("%j: %j", (schema, content, expected) => {
    expect(check(schema, content)).toEqual(
      typeof expected === "string" ? expected : expect.stringMatching(expected),
    );
  });

  it("is not compared with a pattern, nor each item with each other one", () => {
    const pattern = { properties: { value: { type: "string", pattern: "^(a+)+$" } } };
    expect(check(pattern, { value: `${"a".repeat(60)}!` })).toBe("fits");
    const items = Array.from({ length: 100_000 }, (_, i) => ({ i }));
    expect(check({ properties: { items: { uniqueItems: true } } }, { items })).toBe("fits");
  });
});
