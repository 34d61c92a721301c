import { describe, expect, it } from "vitest";
import { shippedText } from "../../lib/shipped-files.js";
import { findingText, GUIDE_RULES } from "./finding.js";
import {
  indexGuide,
  nextId,
  optionsOf,
  reached,
  successors,
  variablesIn,
  waysOut,
  withVariables,
} from "./graph.js";
import { accessOf, mayUse } from "./guide.js";
import { BASE, guideOf, instruct, procedureOf, question } from "./guides.test-util.js";
import { fileValue, GuideProblem, guideFile, parseGuide } from "./read-guide.js";

function findingsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof GuideProblem) return error.findings.map(findingText);
    throw error;
  }
  throw new Error("nothing was wrong");
}

describe("a guide", () => {
  it("is read from YAML, where every scalar is text, as from JSON", () => {
    const yaml = [
      "readback_guide: 1",
      "id: bleed\nname: Bleed the line\nflow_type: maintenance\nversion: 3",
      "steps:",
      "  - {id: a, kind: record, title: Gauge, text: What does it show?, variable: p, unit: bar, min: 0, max: 4.5}",
      "  - {id: z, kind: end, title: Done}",
    ].join("\n");
    const json = { ...BASE, id: "bleed", name: "Bleed the line", flow_type: "maintenance", version: 3 };
    const record = { id: "a", kind: "record", title: "Gauge", text: "What does it show?", variable: "p" };
    const steps = [
      { ...record, unit: "bar", min: 0, max: 4.5 },
      { id: "z", kind: "end", title: "Done" },
    ];
    const guide = parseGuide(fileValue(yaml, "bleed.yaml"));
    expect(guide).toEqual(parseGuide(fileValue(JSON.stringify({ ...json, steps }), "bleed.json")));
    expect(guide.steps[0]).toMatchObject({ valueType: "number", min: 0, max: 4.5 });
    expect(guide).toMatchObject({
      status: "draft",
      version: 3,
      visibility: "network",
      users: [],
      language: "en",
    });
  });

  it("is written as it was read", () => {
    const step = instruct("a", {
      min_seconds: 30,
      critical: true,
      check_digit: { place: "the label", digits: "047" },
      source: { document: "loto", revision: "2026-03", place: "step 3" },
      extra: { some_field: { inner_field: [1, null] } },
    });
    const guide = procedureOf([step], { intake: [{ name: "line_name", label: "Line" }] });
    expect(guide.steps[0]).toMatchObject({
      minSeconds: 30,
      extra: { some_field: { inner_field: [1, null] } },
    });
    expect(parseGuide(JSON.parse(JSON.stringify(guideFile(guide))))).toEqual(guide);
    expect(guideFile(guide)).toMatchObject({
      steps: [step, {}],
      intake: [{ name: "line_name", label: "Line" }],
    });
  });

  it("tells everything that is wrong, with step and remedy", () => {
    const steps = [
      { id: "a", kind: "instruct", title: "Close" },
      { kind: "wait", id: "b" },
      { id: "c", kind: "end", title: "Done", next: "a" },
      { kind: "end", title: "Done" },
      instruct("e", { critical: "perhaps" }),
    ];
    expect(findingsOf(() => guideOf(steps, { id: "No such id" }))).toEqual([
      expect.stringMatching(/^the guide: `id` is not as it has to be; write small letters/),
      "step a: `text` is missing; write what the worker hears (shape)",
      expect.stringMatching(/^step b: `kind` is not as it has to be; write one of instruct, question/),
      "step c: `next` is not known here; take it out, or correct its name (shape)",
      expect.stringMatching(/^step number 4: `id` is missing; give the step an id of its own/),
      "step e: `critical` is not as it has to be; write true or false (shape)",
    ]);
  });

  it.each([
    ["{", "g.json", /is not JSON.*correct it/],
    ["a: [", "g.yaml", /is not YAML \(line 1/],
    [`${"[".repeat(600)}`, "g.json", /nested more than 512/],
    [`"${"x".repeat(1_048_576)}"`, "g.json", /more than 1048576 characters/],
    ["[]", "g.json", /shape of one/],
    [
      JSON.stringify({ ...BASE, steps: Array(300).fill(instruct("a")) }),
      "g.json",
      /at most 250 steps: split it/,
    ],
    [JSON.stringify({ ...BASE, readback_guide: 2, steps: [] }), "g.json", /readback_guide: 1/],
  ])("refuses %.20s", (text, file, found) => {
    expect(findingsOf(() => parseGuide(fileValue(text, file)))).not.toEqual([]);
    expect(() => parseGuide(fileValue(text, file))).toThrow(found);
  });
});

describe("the index of a guide", () => {
  const tree = indexGuide(
    guideOf([
      question("q", { Yes: "ok", No: "fix" }),
      instruct("fix", { next: "q", otherwise: "call" }),
      instruct("call"),
      { id: "ok", kind: "solution", title: "Fixed", text: "It runs." },
    ]),
  );
  const ids = (id: string) => successors(tree, tree.steps.get(id)!).map((step) => step.id);

  it("walks a tree by what is named", () => {
    expect(tree.guide.steps[0]!.id).toBe("q");
    expect(["q", "fix", "call", "ok"].map(ids)).toEqual([["ok", "fix"], ["q", "call"], [], []]);
    expect(optionsOf(tree.guide.steps[0]!).map(({ label }) => label)).toEqual(["Yes", "No"]);
    expect(waysOut(tree, tree.steps.get("fix")!).map(({ via }) => via)).toEqual(["next", "otherwise"]);
    expect([...reached(tree)].toSorted()).toEqual(["call", "fix", "ok", "q"]);
    expect([...reached(tree, ({ id }) => id === "fix")].toSorted()).toEqual(["fix", "ok", "q"]);
  });

  it("walks a procedure as it is listed, and knows its sections", () => {
    const section = { id: "s", kind: "section", title: "Locking out" };
    const index = indexGuide(
      procedureOf([instruct("a"), section, instruct("b", { next: "z" }), instruct("c")]),
    );
    const steps = index.guide.steps;
    expect(steps.map((step) => nextId(index, step))).toEqual(["s", "b", "z", "z", undefined]);
  });

  it("finds variables, and puts in what is known", () => {
    expect(variablesIn("[VAR:pump] to [VAR:bar_max], [VAR:pump], [VAR:], [var:x]")).toEqual([
      "pump",
      "bar_max",
    ]);
    expect(withVariables("Stop [VAR:pump] at [VAR:bar].", new Map([["pump", "P2"]]))).toBe(
      "Stop P2 at [VAR:bar].",
    );
  });
});

describe("access to a guide", () => {
  const anna = { network: "acme", username: "anna", groups: ["engineering"], kiosk: false };
  const source = { document: "loto", place: "step 1" };

  it("is that of documents", () => {
    const guide = procedureOf([], { visibility: "restricted", groups: ["engineering"] });
    expect(accessOf(guide, "acme")).toMatchObject({
      visibility: "restricted",
      allowedGroups: ["engineering"],
    });
    expect(mayUse(anna, guide, "acme", new Set())).toBe(true);
    expect(mayUse({ ...anna, groups: [] }, guide, "acme", new Set())).toBe(false);
    expect(mayUse(anna, guide, "other", new Set())).toBe(false);
  });

  it("is for those whom it names where it says no more", () => {
    expect(procedureOf([], { users: ["boris"] }).visibility).toBe("restricted");
    expect(procedureOf([], { groups: ["fitters"] }).visibility).toBe("restricted");
    expect(procedureOf([], { users: ["boris"], visibility: "network" }).visibility).toBe("network");
    expect(procedureOf([]).visibility).toBe("network");
  });

  it("takes that of every document it says", () => {
    const guide = procedureOf([instruct("a", { source })]);
    expect(mayUse(anna, guide, "acme", new Set(["loto"]))).toBe(true);
    expect(mayUse(anna, guide, "acme", new Set(["other"]))).toBe(false);
    expect(mayUse(anna, guide, "acme", new Set())).toBe(false);
  });
});

describe("the rules", () => {
  it("stand in the documentation, each with what it asks", () => {
    const rows = shippedText("docs/guides.md").split("\n## Rules")[1]!.split("\n## ")[0]!;
    const named = [...rows.matchAll(/^\| `([a-z-]+)` \| .{20,} \|$/gm)].map(([, rule]) => rule);
    expect(named.toSorted()).toEqual(GUIDE_RULES.toSorted());
  });
});
