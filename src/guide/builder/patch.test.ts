/** Patches by example, and any sequence of them: the draft keeps every rule that it kept, and undo undoes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Guide } from "../schema/guide.js";
import { guideOf, instruct, procedureOf, question } from "../schema/guides.test-util.js";
import { validateGuide } from "../validation/validate.js";
import { type GuideDraft, type Patch, type PatchAuthor, patchSchema, tryPatches } from "./patch.js";
import { markedSteps } from "./review.js";
import { type BuilderSession, SessionRefused, stepSession, UNDO_MAX } from "./session.js";
import { sessionOf } from "./sessions.test-util.js";

const ann: PatchAuthor = { type: "person", name: "ann" };
const model: PatchAuthor = { type: "model" };

function draftOf(guide: Guide): GuideDraft {
  return { guide, backing: guide.steps.map(({ id }) => ({ step: id, who: "ann" })) };
}

const two = draftOf(procedureOf([instruct("a"), instruct("b")]));
const tree = draftOf(
  guideOf([
    question("q", { Yes: "ok", No: "fix" }),
    instruct("fix", { next: "q" }),
    { id: "ok", kind: "solution", title: "Fixed", text: "It runs." },
  ]),
);
const idsOf = (draft: GuideDraft) => draft.guide.steps.map(({ id }) => id);

function applied(draft: GuideDraft, patches: readonly Patch[], author = ann): GuideDraft {
  const tried = tryPatches(draft, patches, author);
  if (tried.type === "refused") throw new Error(tried.errors.join("\n"));
  return tried.draft;
}

function errorsOf(draft: GuideDraft, patches: readonly Patch[], author = ann): string {
  const tried = tryPatches(draft, patches, author);
  return tried.type === "refused" ? tried.errors.join("\n") : "applied";
}

describe("patches", () => {
  it("add before the end, behind a step or before one", () => {
    expect(idsOf(applied(two, [{ op: "add", step: instruct("c") }]))).toEqual(["a", "b", "c", "z"]);
    const patches: Patch[] = [
      { op: "add", step: instruct("c"), after: "a" },
      { op: "add", step: instruct("d"), before: "a" },
    ];
    expect(idsOf(applied(two, patches))).toEqual(["d", "a", "c", "b", "z"]);
  });

  it("modify, move and remove by the id of the step", () => {
    const modified = applied(two, [
      { op: "modify", id: "a", fields: { warning: "It is hot.", title: "Cook" } },
    ]);
    expect(modified.guide.steps[0]).toMatchObject({ id: "a", title: "Cook", warning: "It is hot." });
    const cleared = applied(modified, [{ op: "modify", id: "a", fields: { warning: null } }]);
    expect(cleared.guide.steps[0]).not.toHaveProperty("warning");
    expect(idsOf(applied(two, [{ op: "move", id: "a", after: "b" }]))).toEqual(["b", "a", "z"]);
    expect(idsOf(applied(two, [{ op: "remove", id: "a" }]))).toEqual(["b", "z"]);
    expect(applied(two, [{ op: "describe", fields: { name: "New", tags: ["x"] } }]).guide).toMatchObject({
      ...{ name: "New", tags: ["x"], id: "g" },
    });
  });

  it("take a whole branch at once, whose parts could not stand alone", () => {
    const branch: Patch[] = [
      { op: "add", step: { ...instruct("reset"), next: "q" } },
      {
        op: "modify",
        id: "q",
        fields: {
          options: [
            { id: "0", label: "Yes", next: "ok" },
            { id: "1", label: "No", next: "fix" },
            { id: "2", label: "Blinking", next: "reset" },
          ],
        },
      },
    ];
    expect(idsOf(applied(tree, branch))).toEqual(["q", "fix", "ok", "reset"]);
    expect(errorsOf(tree, branch.slice(0, 1))).toMatch(/step reset: no way leads to it/);
    expect(errorsOf(tree, branch.slice(1))).toMatch(/leads to reset, which is no step/);
  });

  it.each<[what: string, patch: Patch, says: RegExp]>([
    [
      "a step that is gone",
      { op: "modify", id: "gone", fields: {} },
      /patch 1 \(modify\): there is no step gone.*name one of a, b, z/,
    ],
    ["an id that is taken", { op: "add", step: instruct("a") }, /there is a step a already; modify that one/],
    ["no id", { op: "add", step: { kind: "instruct" } }, /has no id; give it one/],
    ["another id", { op: "modify", id: "a", fields: { id: "c" } }, /add another step, and remove this one/],
    ["two places", { op: "move", id: "a", after: "b", before: "z" }, /`after` or `before`, not both/],
    ["a place beside itself", { op: "move", id: "a", after: "a" }, /cannot stand beside itself/],
    [
      "no shape",
      { op: "modify", id: "a", fields: { kind: "dance" } },
      /step a: `kind` is not as it has to be; write one of/,
    ],
    [
      "a field that is not known",
      { op: "modify", id: "a", fields: { colour: "red" } },
      /`colour` is not known here; take it out/,
    ],
    ["the end away", { op: "remove", id: "z" }, /put a step of the kind end behind it/],
    [
      "two acts",
      { op: "modify", id: "a", fields: { text: "Close the valve and open the drain." } },
      /make a step of each/,
    ],
    [
      "its owner",
      { op: "describe", fields: { owner: "eve" } },
      /`owner` is not described here; write some of/,
    ],
    ["an id like an object's", { op: "remove", id: "constructor" }, /no step constructor/],
  ])("refuse %s, and say what to do", (_what, patch, says) => {
    expect(errorsOf(two, [patch])).toMatch(says);
  });

  it("are refused whole, with all that is wrong", () => {
    const patches: Patch[] = [
      { op: "remove", id: "x" },
      { op: "add", step: instruct("c") },
      { op: "remove", id: "y" },
    ];
    expect(errorsOf(two, patches).split("\n")).toEqual([
      expect.stringContaining("patch 1 (remove)"),
      expect.stringContaining("patch 3 (remove)"),
    ]);
  });

  it("leave a rule broken that was broken before, and may mend it", () => {
    const long = draftOf(procedureOf([instruct("a", { text: "Set it to 4.5." }), instruct("b")]));
    expect(idsOf(applied(long, [{ op: "add", step: instruct("c") }]))).toContain("c");
    const mended = applied(long, [{ op: "modify", id: "a", fields: { text: "Set it to 4.5 bar." } }]);
    expect(validateGuide(mended.guide)).toEqual([]);
  });
});

describe("who stands behind a step", () => {
  it("is the person who wrote it, and nobody where the model did", () => {
    const changed = applied(
      two,
      [
        { op: "add", step: instruct("c") },
        { op: "move", id: "a", after: "b" },
      ],
      model,
    );
    expect(markedSteps(changed)).toEqual(["a", "c"]);
    const confirmed = applied(changed, [
      { op: "confirm", id: "a" },
      { op: "modify", id: "c", fields: { title: "C" } },
    ]);
    expect(markedSteps(confirmed)).toEqual([]);
    expect(confirmed.backing.find(({ step }) => step === "b")).toEqual({ step: "b", who: "ann" });
  });

  it("is nobody any more where the model changed it", () => {
    expect(markedSteps(applied(two, [{ op: "modify", id: "b", fields: { title: "B" } }], model))).toEqual([
      "b",
    ]);
    const steps = [instruct("a"), instruct("n"), { id: "z", kind: "end", title: "Done" }];
    expect(markedSteps(applied(two, [{ op: "replace", steps }], model))).toEqual(["n"]);
  });

  it("is never claimed by the model", () => {
    const source = { document: "loto.md", place: "step 1" };
    expect(errorsOf(two, [{ op: "confirm", id: "a" }], model)).toMatch(/only a person confirms/);
    expect(errorsOf(two, [{ op: "modify", id: "a", fields: { source } }], model)).toMatch(
      /`source` is for people/,
    );
    expect(errorsOf(two, [{ op: "replace", steps: [instruct("a", { source })] }], model)).toMatch(
      /for people/,
    );
    expect(errorsOf(two, [{ op: "describe", fields: { visibility: "restricted" } }], model)).toMatch(
      /`visibility`/,
    );
  });
});

/** Sound and broken patches alike: of steps that are there, that are not, that lead anywhere. */
const anyId = fc.constantFrom("a", "b", "c", "z", "q", "fix", "ok", "gone", "__proto__", "constructor");
const anyStep = fc.record(
  {
    ...{
      id: anyId,
      kind: fc.constantFrom("instruct", "question", "section", "end", "dance"),
      title: fc.constant("T"),
    },
    text: fc.constantFrom("Close the valve.", "Close the valve and open the drain.", "Drain [VAR:x].", ""),
    ...{
      next: anyId,
      options: fc.constant([{ id: "0", label: "Yes", next: "ok" }]),
      extra: fc.constant({ x: 1 }),
    },
  },
  { requiredKeys: ["kind"] },
);
const maybeId = fc.option(anyId, { nil: undefined });
const anyPatch = fc
  .oneof(
    fc.record({ op: fc.constant("add"), step: anyStep, after: maybeId }),
    fc.record({ op: fc.constant("modify"), id: anyId, fields: anyStep }),
    fc.record({ op: fc.constantFrom("remove", "confirm"), id: anyId }),
    fc.record({ op: fc.constant("move"), id: anyId, before: maybeId }),
    fc.record({ op: fc.constant("replace"), steps: fc.array(anyStep, { maxLength: 3 }) }),
    fc.record({
      op: fc.constant("describe"),
      fields: fc.dictionary(fc.constantFrom("name", "owner", "intake"), fc.anything()),
    }),
  )
  .map((patch) => patchSchema.parse(patch));
/** Such as fit a guide whose steps are a, b and z, or q, fix and ok. */
const freshId = fc.constantFrom("n1", "n2", "n3", "n4");
const soundPatch: fc.Arbitrary<Patch> = fc.oneof(
  fc.record({
    op: fc.constant("add" as const),
    step: freshId.map((id) => instruct(id)),
    after: fc.constant("a"),
  }),
  anyId.map(
    (id): Patch => ({ op: "modify", id, fields: { title: `Title of ${id}`, warning: "It is hot." } }),
  ),
  anyId.map((id): Patch => ({ op: "confirm", id })),
  freshId.map((id): Patch => ({ op: "remove", id })),
  fc.constant<Patch>({ op: "move", id: "a", after: "b" }),
);
const anyAuthor = fc.constantFrom(ann, model);
const somePatches = fc.oneof(
  fc.array(anyPatch, { minLength: 1, maxLength: 3 }),
  fc.array(soundPatch, { minLength: 1, maxLength: 2 }),
);
const anySequence = fc.array(fc.tuple(somePatches, anyAuthor), { maxLength: 12 });

function changedBy(
  session: BuilderSession,
  patches: readonly Patch[],
  author: PatchAuthor,
): BuilderSession | undefined {
  try {
    return stepSession(session, { type: "patched", patches, author }, 1);
  } catch (error) {
    if (error instanceof SessionRefused) return undefined;
    throw error;
  }
}

describe("any sequence of patches", () => {
  it("keeps the guide as valid as it was, and undo undoes", () => {
    let taken = 0;
    fc.assert(
      fc.property(fc.constantFrom(two, tree), anySequence, (draft, sequence) => {
        let session = sessionOf(draft.guide, { backing: draft.backing });
        const states = [session];
        for (const [patches, author] of sequence) {
          const next = changedBy(session, patches, author);
          if (next === undefined) continue;
          taken += 1;
          expect(validateGuide(next.guide)).toEqual([]);
          const marked = markedSteps(next);
          if (author.type === "person")
            expect(marked.every((id) => markedSteps(session).includes(id))).toBe(true);
          states.push(next);
          session = next;
        }
        for (const before of states.slice(0, -1).reverse().slice(0, UNDO_MAX)) {
          session = stepSession(session, { type: "undone", by: "ann" }, 2);
          expect(session.guide).toEqual(before.guide);
          expect(session.backing).toEqual(before.backing);
        }
      }),
      { numRuns: 150 },
    );
    expect(taken).toBeGreaterThan(50);
  });
});
