import { describe, expect, it } from "vitest";
import { guideOf, instruct, procedureOf, question } from "../schema/guides.test-util.js";
import { guideHtml, guideMarkdown } from "./written-out.js";

const resource = "plant/pump/p2";
const FULL = procedureOf(
  [
    { id: "s", kind: "section", title: "Lock <out>" },
    instruct("a", {
      warning: "Hot *bars*.",
      commands: [{ code: "ls\ndf" }],
      next: "c",
      min_seconds: 9,
      critical: true,
    }),
    {
      id: "c",
      kind: "check",
      title: "Read",
      resource,
      signal: "pressure",
      expect: { max: 4, unit: "bar" },
      otherwise: "a",
    },
    { id: "o", kind: "operate", title: "Set", resource, action: "set", value: 3, unit: "bar" },
    { id: "r", kind: "record", title: "Gauge", text: "What?", variable: "p", unit: "bar", min: 1, max: 4 },
    { id: "h", kind: "hold_point", title: "Two", text: "Ask.", group: "leads" },
    question("q", { Yes: "z", No: "a" }),
  ],
  {
    description: "For <line> two.",
    owner: "anna",
    intake: [
      { name: "b", label: "Second", order: 2, required: false },
      { name: "a", label: "First", order: 1, unit: "bar" },
    ],
    origin: { format: "rfflow", version: "1.0", file: "x.rfflow" },
  },
);

describe("a guide that is written out", () => {
  it("is Markdown that shows every step, and none of its texts as markup", () => {
    const lines = guideMarkdown(FULL).split("\n");
    const wanted = [
      ...[
        "# Guide",
        "For \\<line\\> two.",
        "- Owner: anna",
        "- Imported from: x.rfflow, rfflow, 1.0",
        "## Before you begin",
      ],
      ...[
        "- First: \\[VAR:a\\], bar",
        "- Second: \\[VAR:b\\], optional",
        "## Lock \\<out\\>",
        "### 1. Step a",
      ],
      ...["> **Warning:** Hot \\*bars\\*.", "Close valve a.", "    ls", "    df", "- Not before: 9 s"],
      ...[
        "### 2. Read",
        "- Read: pressure of plant/pump/p2",
        "- Wanted: at most 4 bar",
        "- Otherwise: step 1",
      ],
      ...["### 3. Set", "- Operate, with consent: set plant/pump/p2 3 bar", "### 4. Gauge"],
      ...["- Record: \\[VAR:p\\], 1 to 4 bar", "### 5. Two", "- Second person: leads"],
      ...["### 6. Is the light on?", "- Yes: step 7", "- No: step 1", "### 7. Done"],
    ];
    expect(lines.filter((line) => wanted.includes(line))).toEqual(wanted);
  });

  it("is HTML without anything of its texts as markup", () => {
    const page = guideHtml(guideOf([instruct("a", { title: "<script>", warning: "A & B", next: "a" })]));
    expect(page).toContain("1. &lt;script&gt;</h3>");
    expect(page).toContain('<p class="warning">Warning: A &amp; B</p>');
    expect(page).not.toMatch(/<script|src=|href=/);
    expect(guideHtml(FULL)).toContain("<h2>Lock &lt;out&gt;</h2>");
    expect(guideHtml(FULL)).toContain("<dt>First</dt><dd>[VAR:a], bar</dd>");
  });
});
