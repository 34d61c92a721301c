/** What a model leaks is cut wherever its text is cut into pieces, and all else stays as it is. */
import { describe, expect, it } from "vitest";
import { DecorationFilter, LeakFilter, withoutArtifacts } from "./artifacts.js";

const TOOLS = ["read_sensor", "status"];

function inPieces(text: string, size: number): string {
  const leaks = new LeakFilter(TOOLS);
  const signs = new DecorationFilter();
  let shown = "";
  for (let at = 0; at < text.length; at += size) shown += signs.take(leaks.take(text.slice(at, at + size)));
  return shown + signs.take(leaks.take("", { isLast: true }), { isLast: true });
}

const LEAKS = [
  'It is warm. read_sensor(name="p2")',
  "It is warm. <tool_calls>[]</tool_calls>",
  "It is warm. <｜tool▁calls▁begin｜>x",
  "It is warm. <|im_start|>system",
  'It is warm. ```json\n{"name": "status", "arguments": {}}\n```',
  'It is warm. {"tool" : "read_sensor"}',
];

describe("a leak", () => {
  it.each(LEAKS)("is cut from %j at every split", (text) => {
    for (let size = 1; size <= text.length; size++)
      expect(inPieces(text, size).trimEnd(), `pieces of ${size}`).toBe("It is warm.");
  });

  it("of a marker that is a word is cut once four letters of it came together", () => {
    const filter = new LeakFilter(TOOLS);
    expect(filter.take("Warm mini") + filter.take("max:tool_call {}")).toBe("Warm ");
    expect(filter.hasLeaked).toBe(true);
  });

  it("takes along the words that are glued to a call", () => {
    expect(withoutArtifacts(`Yes. ${"Letmelook.".repeat(5)}read_sensor()`, TOOLS)).toBe("Yes.");
  });
});

describe("what is no leak", () => {
  it.each([
    "The status (running) is good, and status(1) of x<y|z is not; a read_sensor is a tool.",
    'Data: {"name": "pump", "parameters": {}} and a < b > c <b>bold</b>',
    "No toolbox, no `code`, no {braces}.",
    "泵的温度是九度。阀门关闭。",
    `https://example.org/${"a".repeat(600)} is long.`,
  ])("stays: %j", (text) => {
    for (let size = 1; size <= 64; size++) expect(inPieces(text, size)).toBe(text);
  });
});

describe("decoration", () => {
  it.each([
    ["✅ Pump two runs.", "Pump two runs."],
    ["Pump two runs✅. It is at 9 °C ↔ 48 °F ©.", "Pump two runs. It is at 9 °C ↔ 48 °F ©."],
    ["Done👩🏽‍🚒now", "Done now"],
    ["```\n⚠️ kept\n```\n⚠️ gone", "```\n⚠️ kept\n```\ngone"],
  ])("of %j goes at every split", (text, wanted) => {
    for (let size = 1; size <= text.length; size++) expect(inPieces(text, size)).toBe(wanted);
  });
});
