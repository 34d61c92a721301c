/** Flows of both shapes, and guides, come back from a round trip as they went. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Guide, idOf } from "../schema/guide.js";
import { guideOf, instruct, procedureOf, question } from "../schema/guides.test-util.js";
import { GuideProblem } from "../schema/read-guide.js";
import { exportEnvelope, exportProcedure, exportTree } from "./export-flow.js";
import { guideOrFlow, importFlow, isFlow } from "./import-flow.js";

type Fields = Readonly<Record<string, unknown>>;

/** A thousand flows, half of each shape. */
const RUNS_EACH = 500;

const word = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" });
const text = fc.oneof(word, fc.lorem({ maxCount: 6 }));
/** Fields that nobody knows, some of them under names that a guide uses itself. */
const unknown = fc.dictionary(
  fc.oneof(fc.constantFrom("kind", "extra", "warning", "x_pos", "expect", "__proto__", "min"), word),
  fc.jsonValue({ maxDepth: 2 }),
  { maxKeys: 2 },
);
const RESERVED = [
  "readback",
  "readback_guide",
  "type",
  "id",
  "steps",
  "children",
  "version",
  "tree_structure",
];

/** `fields` with some of `maybe`, with fields that nobody knows beside them. */
function object(
  fields: Fields,
  maybe: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<Fields> {
  return fc.tuple(unknown, fc.record(maybe, { requiredKeys: [] })).map(([others, some]) => {
    const known = new Set([...Object.keys(fields), ...Object.keys(maybe), ...RESERVED, ...NAMED]);
    const foreign = Object.entries(others).filter(([name]) => !known.has(name));
    return { ...Object.fromEntries(foreign), ...fields, ...some };
  });
}
const NAMED = [
  "title",
  "description",
  "question",
  "options",
  "next_node_id",
  "content_type",
  "verification_type",
];

const orNull = (of: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 4, arbitrary: of }, fc.constantFrom(null, ""));

function node(id: string, ids: readonly string[], children: readonly Fields[]): fc.Arbitrary<Fields> {
  const target = fc.constantFrom(...ids);
  const option = fc
    .tuple(word, text, target)
    .chain(([own, label, next]) => object({ id: own, label, next_node_id: next }, {}));
  const decision = fc
    .tuple(text, fc.array(option, { minLength: 1, maxLength: 4 }))
    .chain(([asked, options]) =>
      object({ id, type: "decision", question: asked, options, children }, { help_text: orNull(text) }),
    );
  if (children.length > 0) return decision;
  const titled = (type: string, maybe: Readonly<Record<string, fc.Arbitrary<unknown>>>) =>
    fc.tuple(text, text).chain(([title, description]) => object({ id, type, title, description }, maybe));
  const action = titled("action", {
    ...{
      commands: fc.oneof(fc.array(text, { maxLength: 2 }), fc.constant(null)),
      expected_outcome: orNull(text),
    },
    ...{ help_text: orNull(text), next_node_id: orNull(target) },
  });
  return fc.oneof(action, titled("solution", { resolution_steps: fc.array(text, { maxLength: 2 }) }));
}

const tree = fc.array(fc.nat(), { minLength: 2, maxLength: 9 }).chain((parents) => {
  const ids = parents.map((_, at) => `n${at}`);
  const build = (at: number): fc.Arbitrary<Fields> => {
    const below = parents.flatMap((parent, child) => (child > 0 && parent % child === at ? [child] : []));
    return fc.tuple(...below.map(build)).chain((children) => node(ids[at]!, ids, children));
  };
  return build(0);
});

const command = text.chain((code) => object({ code }, { label: orNull(text), language: orNull(word) }));
const listed = (id: string): fc.Arbitrary<Fields> =>
  fc.tuple(text, text, fc.boolean()).chain(([title, description, isSection]) =>
    isSection
      ? object({ id, type: "section_header", title }, {})
      : object(
          { id, type: "procedure_step", title, description },
          {
            content_type: fc.constantFrom("action", "informational", "verification", "warning", null),
            estimated_minutes: fc.oneof(
              fc.double({ min: 0, max: 600, noNaN: true }),
              fc.constantFrom("5", null, -1, 1e9),
            ),
            commands: fc.oneof(fc.array(command, { maxLength: 2 }), fc.constant(null)),
            ...{
              expected_outcome: orNull(text),
              verification_prompt: orNull(text),
              warning_text: orNull(text),
            },
            verification_type: fc.constantFrom("checkbox", "text_input", null),
            notes_enabled: fc.constantFrom(true, false, "true", 1, null),
            reference_url: orNull(fc.webUrl()),
          },
        ),
  );
const intakeField = fc.tuple(fc.stringMatching(/^[a-z_]{1,9}$/), text).chain(([variable_name, label]) =>
  object(
    { variable_name, label },
    {
      field_type: fc.constantFrom("text", "number", "select", null),
      ...{
        required: fc.constantFrom(true, false, null),
        display_order: fc.oneof(fc.nat(), fc.constant("1")),
      },
      ...{ placeholder: orNull(text), group_name: orNull(text) },
    },
  ),
);
const maybeIntake = fc.oneof(fc.array(intakeField, { maxLength: 3 }), fc.constant(null));

const steps = fc
  .nat({ max: 8 })
  .chain((count) => fc.tuple(...Array.from({ length: count }, (_, at) => listed(`s${at}`))))
  .chain((some) => text.map((title) => [...some, { id: "end", type: "procedure_end", title }]));
const procedure = steps.chain((of) => object({ steps: of }, { intake_form: maybeIntake }));

const names = fc.oneof(fc.array(word, { maxLength: 3 }), fc.constantFrom(null, [1], "network"));
const around = (fields: Fields, maybe: Readonly<Record<string, fc.Arbitrary<unknown>>> = {}) =>
  fc
    .tuple(text, fc.constantFrom("1.0", "1.2.1", "1", 1))
    .chain(([name, version]) =>
      object(
        { version, name, ...fields },
        { ...{ description: orNull(text), tags: names, categories: names }, ...maybe },
      ),
    );
const envelope = fc.oneof(
  tree.chain((of) => around({ flow_type: "troubleshooting", tree_structure: of })),
  fc
    .tuple(steps, fc.constantFrom("procedural", "maintenance"))
    .chain(([of, type]) => around({ flow_type: type, steps: of }, { intake_form: maybeIntake })),
);

/** What JSON makes of it: files are JSON. */
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe("a flow that is imported and exported", () => {
  it("is the same tree", () => {
    fc.assert(
      fc.property(tree, (flow) => {
        expect(json(exportTree(importFlow(json(flow))))).toEqual(json(flow));
      }),
      { numRuns: RUNS_EACH },
    );
  });

  it("is the same procedure", () => {
    fc.assert(
      fc.property(procedure, (flow) => {
        expect(json(exportProcedure(importFlow(json(flow))))).toEqual(json(flow));
      }),
      { numRuns: RUNS_EACH },
    );
  });

  it("is the same envelope, around either", () => {
    fc.assert(
      fc.property(envelope, (flow) => {
        const guide = importFlow(json(flow), { file: "x.rfflow" });
        expect(guide).toMatchObject({ status: "draft", origin: { format: "rfflow", file: "x.rfflow" } });
        expect(json(exportEnvelope(guide))).toEqual(json(flow));
      }),
      { numRuns: RUNS_EACH },
    );
  });
});

const FULL: Fields = {
  warning: "Hot.",
  ...{ critical: true, min_seconds: 30, estimated_minutes: 2, notes_enabled: true, content_type: "action" },
  ...{
    expected_outcome: "Cold",
    verification_prompt: "Cold?",
    verification_type: "checkbox",
    help_text: "Why.",
  },
  commands: [{ code: "ls" }, { code: "df", label: "Room", language: "sh", extra: { when: 1 } }],
  ...{ check_digit: { place: "the label", digits: "047" }, reference_url: "https://example.org/" },
  source: { document: "loto", revision: "2026-03", place: "step 3" },
  extra: { colour: "red" },
};
const KINDS = [
  {
    id: "c",
    kind: "check",
    title: "Read",
    resource: "plant/pump/p2",
    signal: "status",
    expect: { equals: "running" },
  },
  {
    id: "o",
    kind: "operate",
    title: "Stop",
    resource: "plant/pump/p2",
    action: "stop",
    value: 4,
    unit: "bar",
  },
  { id: "r", kind: "record", title: "Gauge", text: "What?", variable: "p", unit: "bar", min: 0, max: 4.5 },
  { id: "h", kind: "hold_point", title: "Two", text: "Ask.", group: "leads" },
];
const META = {
  visibility: "restricted",
  users: ["anna"],
  groups: ["g"],
  owner: "anna",
  tags: ["t"],
  version: 4,
};

describe("a guide that is exported and imported", () => {
  const back = (guide: Guide): Guide => {
    const { origin, ...rest } = importFlow(json(exportEnvelope(guide)));
    return rest as Guide;
  };

  it("is the same procedure, whatever its steps", () => {
    const section = { id: "s", kind: "section", title: "First", text: "Once." };
    const all = [section, instruct("a", FULL), ...KINDS.map((step) => ({ ...FULL, ...step }))];
    const guide = procedureOf(all, { ...META, intake: [{ name: "line", label: "Line", unit: "bar" }] });
    expect(back(guide)).toEqual(guide);
  });

  it("is the same tree, whatever its steps", () => {
    const kinds = KINDS.map((step, at) => ({ ...step, next: KINDS[at + 1]?.id ?? "z", otherwise: "q" }));
    const solution = {
      id: "y",
      kind: "solution",
      title: "Fixed",
      text: "It runs.",
      resolution_steps: ["Reset"],
    };
    const asked = question("q", { Yes: "a", No: "y" }, { title: "Light", otherwise: "z", help_text: "Why." });
    const synonyms = {
      ...asked,
      options: (asked.options as Fields[]).map((one) => ({ ...one, synonyms: ["so"] })),
    };
    const all = [
      synonyms,
      instruct("a", { ...FULL, next: "c" }),
      ...kinds,
      solution,
      { id: "z", kind: "end", title: "Done" },
    ];
    const guide = guideOf(all, { ...META, intake: [{ name: "line", label: "Line" }] });
    const [root] = guide.steps;
    const returned = back(guide);
    expect(returned.steps[0]).toEqual(root);
    expect(new Map(returned.steps.map((step) => [step.id, step]))).toEqual(
      new Map(guide.steps.map((step) => [step.id, step])),
    );
    expect({ ...returned, steps: [] }).toEqual({ ...guide, steps: [] });
  });

  it("is refused where the other program would lead wrongly", () => {
    expect(() => exportProcedure(procedureOf([question("q", { Yes: "z" })]))).toThrow(
      /step q: it leads elsewhere/,
    );
    expect(() => exportProcedure(procedureOf([instruct("a", { next: "a" })]))).toThrow(
      /step a: it leads elsewhere/,
    );
    expect(() => exportProcedure(guideOf([instruct("a")], { flow_type: "maintenance" }))).toThrow(
      /the last, and no end/,
    );
    expect(() => exportTree(procedureOf([instruct("a")]))).toThrow(GuideProblem);
    const twice = [question("q", { Yes: "q" }), question("q", { Yes: "q" })];
    expect(() => exportTree(guideOf(twice))).toThrow(/another step has its id/);
  });

  it("holds each step once, whatever its origin says of nesting", () => {
    const origin = { format: "troubleshooting", nesting: { q: ["a", "gone"], a: ["b"], b: ["a", "q"] } };
    const all = [question("q", { Yes: "a" }), instruct("a"), instruct("b"), instruct("c")];
    const ids = (node: Fields): unknown => [
      node.id,
      ...((node.children ?? []) as readonly Fields[]).map(ids),
    ];
    expect(ids(exportTree(guideOf(all, { origin })))).toEqual(["q", ["a", ["b"]], ["c"]]);
  });
});

describe("an import", () => {
  const steps = [{ id: "z", type: "procedure_end", title: "Done" }];
  const file = { version: "1.0", flow_type: "procedural", name: "Übergabe: Linie 3", steps };

  it("resolves or makes tags and categories", () => {
    const flow = { ...file, tags: ["network ", "New"], categories: ["Line  3"] };
    const known = { tags: ["Network"], categories: ["line 3"] };
    expect(importFlow(flow, { known })).toMatchObject({
      tags: ["Network", "New"],
      categories: ["line 3"],
      id: "ubergabe-linie-3",
    });
  });

  it("is its importer's alone, whatever the file says", () => {
    const own = { visibility: "network", users: ["eve"], groups: ["all"], status: "published", version: 7 };
    const flow = { ...file, readback: own };
    const access = { visibility: "restricted", users: ["anna"], groups: [], owner: "anna", status: "draft" };
    expect(guideOrFlow(flow, { owner: "anna" })).toMatchObject({ ...access, version: 7 });
    expect(importFlow(flow)).toMatchObject({ visibility: "network", status: "draft" });
  });

  it.each([
    [{ ...file, version: "2.0" }, /`version` is not .*; export it again as version 1.0/],
    [{ ...file, version: undefined }, /`version` is missing/],
    [{ ...file, flow_type: "chart" }, /`flow_type` is not .*; write one of troubleshooting/],
    [{ ...file, name: "" }, /`name` is not .*; write its name/],
    [
      { ...file, steps: [{ id: "a", type: "task" }] },
      /step a: `type` .*; write procedure_step, section_header/,
    ],
    [{ ...file, flow_type: "troubleshooting" }, /the guide: `it` is not as/],
    [{ ...file, readback: { users: 5 } }, /`users` is not as it has to be; write a list of user names/],
    [[], /write one JSON object/],
    [null, /write one JSON object/],
  ])("refuses %j", (flow, found) => {
    expect(() => importFlow(flow)).toThrow(found);
  });

  it("is told from a guide", () => {
    expect([file, { type: "decision" }, guideOf([instruct("a")]), 5].map(isFlow)).toEqual([
      true,
      true,
      false,
      false,
    ]);
    expect(isFlow({ steps: [{ kind: "end" }] })).toBe(false);
    expect(idOf("Лінія")).toBe("guide");
  });
});
