import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown } from "./markdown.js";

/** What a paragraph says. */
const plainInline = (text: string) =>
  parseMarkdown(text)
    .flatMap(({ blocks }) => blocks.map(({ text: said }) => said))
    .join("|");

describe("plainInline", () => {
  it.each([
    ["**Never** reach *into* the ***press***.", "Never reach into the press."],
    ["**All of *this* counts.**", "All of this counts."],
    ["Use form_12_b and __this__ and _that_.", "Use form_12_b and this and that."],
    ["Set `P1` to 3 * 4 * 5.", "Set P1 to 3 * 4 * 5."],
    ['See [the sheet](sheet.md) and ![a sign](sign.png "x").', "See the sheet and a sign."],
    [
      "[![logo](a.png)](https://example.com) [here][1][^2]\n\n[1]: b.md\n[^2]: Not said.",
      "logo here|Not said.",
    ],
    ["See [Sheet  B] and [that][Sheet b].\n\n[sheet b]: b.md", "See Sheet B and that."],
    ["Set register [A][1].", "Set register [A][1]."],
    ["Type `*a* [b](c) &amp; \\*`.", "Type *a* [b](c) &amp; \\*."],
    ["Write to <https://example.com/a> or<br/>call.", "Write to https://example.com/a or call."],
    ["<b>Wait</b> <span class='x'>2</span> min, if x < 3 and y > 4", "Wait 2 min, if x < 3 and y > 4"],
    ["5 &lt; 6 &amp;&nbsp;20 &deg;C &unknown;", "5 < 6 & 20 °C &unknown;"],
    ["\\*not emphasis\\* and \\[no link\\](x) \\& 1\\. first", "*not emphasis* and [no link](x) & 1. first"],
    ["~~old~~ new", "old new"],
    ["a ** b ** c", "a ** b ** c"],
  ])("%j", (text, plain) => {
    expect(plainInline(text)).toBe(plain);
  });

  it("leaves text without marks as it is", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\p{L}\p{N}.,;:'"!?%°()/ -]*$/u), (text) => {
        expect(plainInline(`x ${text}`)).toBe(`x ${text}`.replace(/\s+/g, " ").trim());
      }),
    );
  });
});
