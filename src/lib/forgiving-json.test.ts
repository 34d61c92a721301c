import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseForgivingJson } from "./forgiving-json.js";

describe("forgiving JSON", () => {
  it("takes a bare line feed or tab in a string as a space", () => {
    expect(parseForgivingJson('{\n\t"text": "Call 112.\n\tAt once."\r\n}')).toEqual({
      text: "Call 112.  At once.",
    });
  });

  it("leaves alone what is JSON, escaped line feeds included", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(parseForgivingJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(["", "{", "{'a': 1}", '{"a": 1,}', '{"a": "b}'])("does not read %j", (text) => {
    expect(() => parseForgivingJson(text)).toThrow(SyntaxError);
  });
});
