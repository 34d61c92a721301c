/** Old markers: the rules and the cases of the conformance file, by name, and replies of every kind. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { jsonIn, type MarkedReply, markedPatches, readMarkers } from "./markers.js";
import { oneQuestion, REPLY_FORMAT, readReply, SAY_CHARS_MAX } from "./reply.js";

interface MarkerCase {
  readonly raw: string;
  readonly content?: string;
  readonly phase?: string;
  readonly tree?: unknown;
  readonly delta?: unknown;
  readonly intake_fields?: number;
}
const path = new URL("../../../test/conformance/resolutionflow_rules.json", import.meta.url);
const { marker_cases: CASES } = JSON.parse(readFileSync(path, "utf8")) as {
  marker_cases: readonly MarkerCase[];
};

const procedure = { flowType: "procedural" } as const;
const tree = { flowType: "troubleshooting" } as const;

describe("the marker cases", () => {
  it.each(CASES)("$raw", ({ content, delta, intake_fields: fields, phase, raw, tree: found }) => {
    const read = readMarkers(raw);
    if (content !== undefined) expect(read.content).toBe(content);
    expect(read.content).not.toMatch(/\[\/?[A-Z_]+/);
    expect(read.phase).toEqual(phase);
    expect(read.tree ?? null).toEqual(found ?? null);
    expect(read.delta).toEqual(delta);
    expect((read.intake as unknown[] | undefined)?.length).toBe(fields);
  });
});

describe("the marker rules", () => {
  it("rf-m01: blocks are parsed and removed from what is shown", () => {
    const values = {
      TREE_UPDATE: "tree",
      STEPS_UPDATE: "tree",
      INTAKE_FORM: "intake",
      METADATA: "metadata",
      DELTA: "delta",
    };
    for (const [block, field] of Object.entries(values)) {
      const read = readMarkers(`One. [${block}]{"a":[1]}[/${block}]Two.`);
      expect([read.content, read[field as keyof MarkedReply]]).toEqual(["One. Two.", { a: [1] }]);
    }
  });

  it("rf-m02: an opened block with no close is removed to the end and yields no update", () => {
    const read = readMarkers('Well. [STEPS_UPDATE]{"steps":[]} and [PHASE:review]');
    expect(read).toEqual({
      content: "Well.",
      errors: [expect.stringMatching(/has no end: write less at a time/)],
    });
  });

  it("rf-m03: broken JSON yields no update but is still removed", () => {
    const read = readMarkers("Well. [DELTA]{'a': 1}[/DELTA] Done.");
    expect(read).toEqual({
      content: "Well.  Done.",
      errors: [expect.stringMatching(/\[DELTA\] is no JSON: write/)],
    });
    const deep = `[TREE_UPDATE]${"[".repeat(600)}[/TREE_UPDATE]`;
    expect(readMarkers(deep)).toMatchObject({ content: "", errors: [expect.stringMatching(/no JSON/)] });
  });

  it("rf-m04: code fences inside a block are stripped", () => {
    for (const fenced of ['```json\n{"a":1}\n```', '```\n{"a":1}\n```', ' {"a":1} '])
      expect(jsonIn(fenced)).toEqual({ a: 1 });
  });

  it("rf-m05: a phase is accepted only from the five that there are", () => {
    for (const phase of ["scoping", "discovery", "enrichment", "review", "generation"])
      expect(readMarkers(`[PHASE:${phase}]`).phase).toBe(phase);
    expect(readMarkers("Go. [PHASE:party]")).toEqual({
      content: "Go.",
      errors: [expect.stringMatching(/no phase party/)],
    });
  });

  it("rf-m06: metadata merges, a tree replaces", () => {
    const read = readMarkers(
      '[METADATA]{"name":"A","tags":["x"]}[/METADATA][METADATA]{"name":"B"}[/METADATA]' +
        '[TREE_UPDATE]{"id":"1"}[/TREE_UPDATE][TREE_UPDATE]{"id":"2"}[/TREE_UPDATE]',
    );
    expect(read).toMatchObject({ metadata: { name: "B", tags: ["x"] }, tree: { id: "2" } });
  });

  it("rf-m07: three or more newlines collapse to two", () => {
    expect(readMarkers("A\n\n\n\nB\n\nC").content).toBe("A\n\nB\n\nC");
  });

  it("leave a marker that is quoted", () => {
    expect(readMarkers("Write `[PHASE:review]` or `[DELTA]`.").content).toBe(
      "Write `[PHASE:review]` or `[DELTA]`.",
    );
  });
});

describe("marked values as patches", () => {
  const node = { id: "b", type: "action", title: "B", description: "Press it.", next_node_id: "q", odd: 1 };
  const step = {
    id: "s",
    type: "procedure_step",
    title: "S",
    description: "Press it.",
    commands: [{ code: "ls" }],
  };

  it("add, modify and remove by a delta", () => {
    const add = { action: "add", target_node_id: "a", nodes: [step, { ...step, id: "t" }] };
    expect(markedPatches({ delta: add }, procedure)).toEqual([
      {
        op: "add",
        after: "a",
        step: { id: "s", kind: "instruct", title: "S", text: "Press it.", commands: [{ code: "ls" }] },
      },
      { op: "add", after: "s", step: expect.objectContaining({ id: "t" }) },
    ]);
    const modify = { action: "modify", target_node_id: "b", nodes: [node] };
    expect(markedPatches({ delta: modify }, tree)).toEqual([
      {
        op: "modify",
        id: "b",
        fields: { id: "b", kind: "instruct", title: "B", text: "Press it.", next: "q" },
      },
    ]);
    expect(markedPatches({ delta: { action: "remove", target_node_id: "b" } }, tree)).toEqual([
      { op: "remove", id: "b" },
    ]);
  });

  it.each([
    [{ delta: { action: "add", target_node_id: "a" } }, /has no nodes; write them as a list/],
    [{ delta: { action: "remove" } }, /names no step/],
    [{ delta: { action: "modify", target_node_id: "a", nodes: [] } }, /one node/],
    [{ delta: { action: "dance", target_node_id: "a", nodes: [] } }, /write add, modify or remove/],
    [
      { delta: { action: "add", target_node_id: "a", nodes: [{ type: "task" }] } },
      /write decision, action or solution/,
    ],
    [{ tree: { steps: [] } }, /this guide is a tree; write a tree/],
  ])("say what is wrong with %j", (marked, says) => {
    expect(() => markedPatches(marked, tree)).toThrow(says);
  });

  it("replace all steps, describe the guide and its form", () => {
    const root = {
      id: "q",
      type: "decision",
      question: "On?",
      options: [{ id: "y", label: "Yes", next_node_id: "b" }],
    };
    const [replace] = markedPatches({ tree: { ...root, children: [node] } }, tree);
    expect(replace).toMatchObject({ op: "replace", steps: [{ id: "q", kind: "question" }, { id: "b" }] });
    const intake = [{ variable_name: "line", label: "Line", field_type: "text", required: true, odd: 1 }];
    expect(markedPatches({ intake, metadata: { name: "N", colour: 1 } }, procedure)).toEqual([
      { op: "describe", fields: { name: "N" } },
      { op: "describe", fields: { intake: [{ name: "line", label: "Line", type: "text", required: true }] } },
    ]);
  });
});

describe("a reply", () => {
  const step = { id: "c", kind: "instruct", title: "C", text: "Close it.", warning: null };
  const sound = { say: "Done.", phase: "discovery", patches: [{ op: "add", step, after: "a", id: null }] };

  it("is structured, with what is left out and what is null alike", () => {
    const read = { say: "Done.", phase: "discovery", errors: [] };
    const patches = [
      { op: "add", after: "a", step: { id: "c", kind: "instruct", title: "C", text: "Close it." } },
    ];
    const text = JSON.stringify(sound);
    for (const written of [text, `\`\`\`json\n${text}\n\`\`\``, `<think>Hm {</think>${text}`])
      expect(readReply(written, procedure)).toEqual({ ...read, patches });
    const modify = { op: "modify", id: "a", step: { title: "A" }, clear: ["warning"] };
    expect(readReply(JSON.stringify({ say: "", patches: [modify] }), procedure).patches).toEqual([
      { op: "modify", id: "a", fields: { title: "A", warning: null } },
    ]);
  });

  it.each([
    ['{"say": "Well", "patches": [{"op": "add"}]}', /patch 1 \(add\): write `step`/],
    ['{"say": "Well", "patches": [{"op": "explode"}]}', /`patches\.0\.op`/],
    ['{"say": "Well", "patches": [{"op": "add", "step": {"id": "x", "source": {}}}]}', /source/],
    ['{"say": "Well", "patches": [', /no JSON object, or not all of one/],
    ['{"steps": "x"}', /write a list of steps/],
    ["Fine. [TREE_UPDATE]{[/TREE_UPDATE]", /no JSON/],
  ])("that is broken changes nothing and is told why: %s", (written, says) => {
    const { errors, patches } = readReply(written, procedure);
    expect(patches).toEqual([]);
    expect(errors.join("\n")).toMatch(says);
  });

  it("is a bare flow with markers behind it, as older prompts ask for in the end", () => {
    const steps = [{ id: "z", type: "procedure_end", title: "Done" }];
    const written = `${JSON.stringify({ steps })}\n[METADATA]{"name":"N"}[/METADATA]`;
    expect(readReply(written, procedure)).toEqual({
      ...{ say: "", errors: [] },
      patches: [
        { op: "describe", fields: { name: "N" } },
        { op: "replace", steps: [{ id: "z", kind: "end", title: "Done" }] },
      ],
    });
  });

  it("is prose where it is nothing else, and not longer than anybody listens", () => {
    expect(readReply("I see.", procedure)).toEqual({ say: "I see.", patches: [], errors: [] });
    const long = readReply("One two three. ".repeat(500), procedure).say;
    expect(long.length).toBeLessThanOrEqual(SAY_CHARS_MAX);
    expect(long).toMatch(/(?:One|two|three\.)$/);
  });

  it.each([
    ["Good. What comes next?", "Good. What comes next?", true],
    ["Which valve? And which pump? I wait.", "Which valve? I wait.", true],
    ["1. Who does it?\n2. When?\n", "1. Who does it?", true],
    ["That is done.", "That is done.", false],
  ])("asks one question: %j", (say, text, asks) => {
    const found = oneQuestion(say);
    expect([found.text, found.question !== ""]).toEqual([text, asks]);
  });

  it("has a shape that strict servers take: no field left out, none besides", () => {
    const seen: object[] = [];
    JSON.stringify(REPLY_FORMAT.schema, (_key, value) => {
      if (value?.type === "object") seen.push(value);
      return value;
    });
    expect(seen.length).toBeGreaterThan(6);
    for (const one of seen as { properties: object; required: string[]; additionalProperties: boolean }[]) {
      expect(one.additionalProperties).toBe(false);
      expect(one.required).toEqual(Object.keys(one.properties));
    }
  });
});
