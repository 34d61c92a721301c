import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdsDoubling } from "../../test/support/doubling.js";
import { isNestedDeeper, JSON_DEPTH_MAX } from "./json-depth.js";

/** Found in another way: by taking the value apart. */
function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

describe("the depth of a JSON text", () => {
  it("is that of its value, whatever stands in its strings", () => {
    const braces = fc.string({ unit: fc.constantFrom('"', "\\", "[", "]", "{", "}", "a"), maxLength: 12 });
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 6 },
        fc.integer(),
        braces,
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(braces, tie("value"), { maxKeys: 3 }),
      ),
    }));
    fc.assert(
      fc.property(value, (one) => {
        const text = JSON.stringify(one);
        const depth = depthOf(one);
        expect(isNestedDeeper(text, depth)).toBe(false);
        if (depth > 0) expect(isNestedDeeper(text, depth - 1)).toBe(true);
      }),
    );
  });

  it("is found of text that would overflow a recursion, and of text that is no JSON", () => {
    expect(isNestedDeeper("[".repeat(1_000_000))).toBe(true);
    expect(isNestedDeeper(`"${"[".repeat(1_000_000)}`)).toBe(false);
    expect(isNestedDeeper(`{"a":${"[".repeat(JSON_DEPTH_MAX)}`)).toBe(true);
  });

  holdsDoubling("isNestedDeeper", (text) => isNestedDeeper(text, Number.POSITIVE_INFINITY));
});
