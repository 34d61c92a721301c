/** What the page shows of a suggestion is what the service makes of it when it is accepted. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Patch, tryPatches } from "../../src/guide/builder/patch.js";
import type { Guide as ServiceGuide } from "../../src/guide/schema/guide.js";
import { guideOf, instruct, procedureOf, question } from "../../src/guide/schema/guides.test-util.js";
import { guideFile } from "../../src/guide/schema/read-guide.js";
import { linksOf, rowsOf } from "./ghosts.js";
import type { Guide, Suggestion } from "./guide.js";

const procedure = procedureOf([instruct("a"), instruct("b"), instruct("c")]);
const file = (guide: ServiceGuide) => guideFile(guide) as unknown as Guide;

function suggested(...patches: readonly Patch[]): Suggestion {
  return { id: "s1", status: "proposed", patches: patches as unknown as Suggestion["patches"] };
}

function shown(guide: ServiceGuide, ...patches: readonly Patch[]): readonly string[] {
  return rowsOf(file(guide), [suggested(...patches)]).map(({ ghost, step }) =>
    `${step.id} ${ghost?.what ?? ""}`.trim(),
  );
}

describe("ghosts", () => {
  it.each<[patch: Patch, rows: readonly string[]]>([
    [{ op: "add", step: instruct("n") }, ["a", "b", "c", "n added", "z"]],
    [{ op: "add", step: instruct("n"), after: "a" }, ["a", "n added", "b", "c", "z"]],
    [{ op: "add", step: instruct("n"), before: "a" }, ["n added", "a", "b", "c", "z"]],
    [{ op: "add", step: instruct("b") }, ["a", "b", "c", "z"]],
    [{ op: "modify", id: "b", fields: { text: "Open it." } }, ["a", "b changed", "c", "z"]],
    [{ op: "remove", id: "b" }, ["a", "b removed", "c", "z"]],
    [{ op: "move", id: "c", before: "a" }, ["a", "b", "c changed", "z"]],
    [{ op: "describe", fields: { name: "x" } }, ["a", "b", "c", "z"]],
    [{ op: "confirm", id: "a" }, ["a", "b", "c", "z"]],
    [
      { op: "replace", steps: [instruct("a"), instruct("n"), instruct("c", { text: "Shut it." })] },
      ["a", "n added", "b removed", "c changed", "z removed"],
    ],
  ])("of %j", (patch, rows) => {
    expect(shown(procedure, patch)).toEqual(rows);
  });

  it("are only those of suggestions that wait", () => {
    const accepted = { ...suggested({ op: "remove", id: "b" }), status: "accepted" } as const;
    expect(rowsOf(file(procedure), [accepted]).every(({ ghost }) => ghost === undefined)).toBe(true);
  });

  it("stand where the service puts the steps, whatever is added", () => {
    const id = fc.constantFrom("a", "b", "c", "z");
    const place = fc.oneof(fc.constant({}), fc.record({ after: id }), fc.record({ before: id }));
    fc.assert(
      fc.property(fc.array(place, { maxLength: 4 }), (places) => {
        const patches = places.map((one, at): Patch => ({ op: "add", step: instruct(`n${at}`), ...one }));
        const tried = tryPatches({ guide: procedure, backing: [] }, patches, { type: "person", name: "ann" });
        if (tried.type === "refused") return;
        const rows = rowsOf(file(procedure), [suggested(...patches)]);
        expect(rows.map(({ step }) => step.id)).toEqual(tried.draft.guide.steps.map((step) => step.id));
      }),
    );
  });
});

describe("ways", () => {
  it("go on with the next step of a procedure, and by name alone in a tree", () => {
    const ways = (guide: ServiceGuide) =>
      linksOf(rowsOf(file(guide), []), guide.flowType, "otherwise").map(
        ({ from, label, to }) => `${from} ${label} ${to}`,
      );
    expect(ways(procedureOf([instruct("a", { otherwise: "z" }), instruct("b")]))).toEqual([
      ...["a  b", "a otherwise z", "b  z"],
    ]);
    const tree = guideOf([question("q", { yes: "y", no: "n" }), instruct("y", { next: "n" }), solution("n")]);
    expect(ways(tree)).toEqual(["q yes y", "q no n", "y  n"]);
  });

  it("that a suggestion would make are told from those that there are", () => {
    const add = { op: "add", step: { ...instruct("n"), next: "c" }, after: "a" } as const;
    const rows = rowsOf(file(procedure), [suggested(add, { op: "modify", id: "a", fields: { next: "n" } })]);
    const links = linksOf(rows, "procedural", "otherwise");
    expect(links.filter(({ ghost }) => ghost).map(({ from, to }) => `${from} ${to}`)).toEqual(["a n", "n c"]);
    expect(links.filter(({ ghost }) => !ghost)).toHaveLength(3);
  });
});

function solution(id: string) {
  return { id, kind: "solution", title: id, text: "It works." };
}
