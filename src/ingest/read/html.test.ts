import { describe, expect, it } from "vitest";
import { DocumentProblem } from "../problem.js";
import { parseHtml } from "./html.js";

const parse = (html: string) => parseHtml(Buffer.from(html));

/** Sections in a short form: headings joined, all but prose marked. */
const outline = (html: string) =>
  parse(html).sections.map(({ headings, blocks }) => [
    headings.join(" > "),
    ...blocks.map(({ type, text }) => (type === "prose" ? text : `${type}[${text}]`)),
  ]);

describe("a page", () => {
  it("has a title, headings and paragraphs", () => {
    const html =
      "<!doctype html><html><head><title>Lock &amp; tag\n out</title><meta name=x></head><body><p>Intro<h1>A</h1>" +
      "<p>One <b>two</b><br>three.<p>Four<h2>B <i>b</i></h2><div>Five</div>six</body></html>";
    expect(parse(html).title).toBe("Lock & tag out");
    expect(outline(html)).toEqual([
      ["", "Intro"],
      ["A", "One two three.", "Four"],
      ["A > B b", "Five", "six"],
    ]);
  });

  it("says what is shown, and nothing else", () => {
    const html =
      "<nav>Menu</nav><script>let a = '<p>';</script><style>p {}</style><template>T</template><p hidden>H</p>" +
      "<div style='color:red; display: none'>N<div>M</div></div><!-- C --><p aria-hidden=true>A</p>" +
      "<noscript>Please turn on scripts</noscript><svg><title>S</title></svg><dialog>D</dialog><p>Shown</p>";
    expect(outline(html)).toEqual([["", "Shown"]]);
  });

  it("knows entities, and alternative texts of pictures", () => {
    expect(
      outline("<p>5 &lt; 6 &deg;C&nbsp;&#8211; &#x41; &unknown; <img alt='stop sign'> R&amp;D</p>"),
    ).toEqual([["", "5 < 6 °C – A &unknown; stop sign R&D"]]);
  });

  it("keeps code line by line", () => {
    expect(
      parse('<pre><code class="language-sh">a  <b>b</b>\n  c\n</code></pre>').sections[0]!.blocks,
    ).toEqual([{ type: "code", text: "a  b\n  c", language: "sh" }]);
  });

  it("names terms with what they mean", () => {
    expect(outline("<dl><dt>LOTO<dd>Lockout<dt>PPE<dd>Gear</dl>")).toEqual([
      ["", "LOTO: Lockout", "PPE: Gear"],
    ]);
  });

  it("mends wrong nesting", () => {
    expect(outline("</div><p>a</b></p><ul><li>b</div><li>c</ul></ul><p>d")).toEqual([
      ["", "a", "item[- b]", "item[- c]", "d"],
    ]);
  });

  it("tells when a script that never ends hides the rest", () => {
    expect(parse("<p>a</p><script><p>b</p>").warnings.join()).toMatch(/<script>/);
  });
});

describe("lists", () => {
  it("make steps of numbered items, with all that belongs to them", () => {
    const html =
      "<ol><li>Close<ul><li>left<li>right</ul><pre>x = 1\ny</pre><p>Wait.</p></li><li value=5><p>Open</p><p>Go</p>" +
      "<li>End</ol><ol start=8><li>Eight</ol><ul><li>Bullet</ul>";
    expect(outline(html)).toEqual([
      [
        "",
        "step[1. Close\n- left\n- right\nx = 1\ny\nWait.]",
        "step[5. Open\nGo]",
        "step[6. End]",
        "step[8. Eight]",
        "item[- Bullet]",
      ],
    ]);
  });
});

describe("tables", () => {
  it("name cells by their columns", () => {
    const html =
      "<table><caption>Limits</caption><thead><tr><th>Zone<th>Limit</thead><tbody><tr><td>Cold<td>4 &deg;C<tr>" +
      "<td><p>Hot</p><p>wet</p><td></table>";
    expect(outline(html)).toEqual([["", "Limits", "row[- Zone: Cold; Limit: 4 °C]", "row[- Zone: Hot wet]"]]);
  });

  it("say merged cells in each row, and names of two rows together", () => {
    const html =
      "<table><thead><tr><th rowspan=2>Zone<th colspan=2>Limit<tr><th>low<th>high</thead>" +
      "<tr><td rowspan=2>Cold<td>1<td>2<tr><td>3<td>4</table>";
    expect(outline(html)).toEqual([
      ["", "row[- Zone: Cold; Limit low: 1; high: 2]", "row[- Zone: Cold; Limit low: 3; high: 4]"],
    ]);
  });

  it("take bold cells of the first row for names, and a row's own head for its name", () => {
    expect(outline("<table><tr><td><b>A</b><td><strong>B</strong><tr><td>1<td>2</table>")).toEqual([
      ["", "row[- A: 1; B: 2]"],
    ]);
    expect(outline("<table><tr><th>Oil<td>5 l<tr><th>Water<td>9 l</table>")).toEqual([
      ["", "row[- Oil: 5 l]", "row[- Water: 9 l]"],
    ]);
  });

  it("that only arrange a page are read as a page", () => {
    expect(outline("<table><tr><td>Left<table><tr><td>a<td>b</table><p>Right</p></table><p>After")).toEqual([
      ["", "Left", "row[- a; b]", "Right", "After"],
    ]);
  });
});

describe("character sets", () => {
  const latin1 = (html: string) => parseHtml(Buffer.from(html, "latin1"));

  it.each([
    '<meta charset="windows-1252">',
    "<meta http-equiv=Content-Type content='text/html; charset=ISO-8859-1'>",
    '<?xml version="1.0" encoding="latin1"?>',
  ])("are those that the page declares: %s", (declaration) => {
    expect(latin1(`${declaration}<p>4 °C`).sections[0]!.blocks[0]!.text).toBe("4 °C");
  });

  it("are told by a byte order mark first", () => {
    const html = Buffer.concat([
      Buffer.from([0xff, 0xfe]),
      Buffer.from("<meta charset=latin1><p>4 °C", "utf16le"),
    ]);
    expect(parseHtml(html).sections[0]!.blocks[0]!.text).toBe("4 °C");
  });

  it("that are wrong or unknown are a named problem", () => {
    expect(() => latin1("<p>4 °C")).toThrow(DocumentProblem);
    expect(() => latin1("<p>4 °C")).toThrow(/declare its character set/);
    expect(() => latin1("<meta charset=klingon><p>4 °C")).toThrow(/unknown character set, klingon/);
    expect(() => latin1("<meta charset=utf-8><p>4 °C")).toThrow(/not UTF-8/);
  });
});
