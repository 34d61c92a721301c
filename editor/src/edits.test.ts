/** Changes by hand keep the rules of the service: a step goes or comes, and every way still leads somewhere. */
import { describe, expect, it } from "vitest";
import { type Patch, tryPatches } from "../../src/guide/builder/patch.js";
import type { Guide as ServiceGuide } from "../../src/guide/schema/guide.js";
import { guideOf, instruct, procedureOf, question } from "../../src/guide/schema/guides.test-util.js";
import { guideFile } from "../../src/guide/schema/read-guide.js";
import { addedBehind, changedFields, freeId, removal } from "./edits.js";
import type { Guide, Step } from "./guide.js";

const solution = (id: string) => ({ id, kind: "solution", title: id, text: "It works." });
const tree = guideOf([
  question("q", { Red: "red", Green: "green" }),
  instruct("red", { next: "more" }),
  instruct("more", { next: "done" }),
  instruct("green", { next: "done" }),
  solution("done"),
]);
const procedure = procedureOf([instruct("a"), instruct("b", { otherwise: "c" }), instruct("c")]);
const file = (guide: ServiceGuide) => guideFile(guide) as unknown as Guide;

function made(guide: ServiceGuide, patches: readonly unknown[]): ServiceGuide | readonly string[] {
  const tried = tryPatches({ guide, backing: [] }, patches as Patch[], { type: "person", name: "ann" });
  return tried.type === "applied" ? tried.draft.guide : tried.errors;
}

describe("a step that is removed", () => {
  it.each([
    [tree, "red"],
    [tree, "more"],
    [procedure, "b"],
    [procedure, "c"],
  ])("leaves no way that leads nowhere (%#)", (guide, id) => {
    expect(made(guide, removal(file(guide), id))).toMatchObject({
      steps: guide.steps.filter((step) => step.id !== id).map((step) => ({ id: step.id })),
    });
  });

  it("takes its answer along where nothing follows it", () => {
    const guide = guideOf([
      question("q", { Red: "r", Green: "g", Dark: "d" }),
      ...["r", "g", "d"].map(solution),
    ]);
    expect(made(guide, removal(file(guide), "d"))).toMatchObject({
      steps: [{ options: [{ next: "r" }, { next: "g" }] }, {}, {}],
    });
  });
});

describe("a step that is added", () => {
  const added = { id: "n", kind: "instruct", title: "New", text: "Press the button." } as Step;

  it("stands behind another one of a procedure", () => {
    expect(made(procedure, addedBehind(file(procedure), "a", added))).toMatchObject({
      steps: [{ id: "a" }, { id: "n" }, { id: "b" }, { id: "c" }, { id: "z" }],
    });
  });

  it("is led to in a tree, and leads to what followed", () => {
    expect(made(tree, addedBehind(file(tree), "red", added))).toMatchObject({
      steps: [{}, { id: "red", next: "n" }, { id: "n", next: "more" }, {}, {}, {}],
    });
  });

  it("is one more answer to a question", () => {
    expect(made(tree, addedBehind(file(tree), "q", { ...added, next: "done" }))).toMatchObject({
      steps: [{ options: [{}, {}, { id: "answer", label: "New", next: "n" }] }, { id: "n" }, {}, {}, {}, {}],
    });
  });
});

describe("ids", () => {
  it.each([
    ["Öffne den Schrank!", [], "offne-den-schrank"],
    ["Open it", ["open-it", "open-it-2"], "open-it-3"],
    ["Відкрийте", [], "step"],
  ])("of %j, where %j are taken: %s", (words, taken, id) => {
    expect(freeId(words, new Set(taken))).toBe(id);
  });
});

describe("a form", () => {
  const step = { id: "a", kind: "instruct", title: "A", text: "Close it.", warning: "Hot." };

  it("changes what is another, takes out what is empty, and leaves the rest", () => {
    const after = { title: "A", text: "Open it.", warning: null, help_text: null };
    expect(changedFields(step, after)).toEqual({ text: "Open it.", warning: null });
    expect(changedFields(step, { title: "A" })).toBeUndefined();
  });
});
