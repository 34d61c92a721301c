/** The rules that ResolutionFlow states for its flows, and the cases beside them: by the import and the rules of guides. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { exportProcedure, exportTree } from "../../src/guide/exchange/export-flow.js";
import { importFlow } from "../../src/guide/exchange/import-flow.js";
import type { GuideRule } from "../../src/guide/schema/finding.js";
import { GuideProblem } from "../../src/guide/schema/read-guide.js";
import { validateGuide } from "../../src/guide/validation/validate.js";
import { expectTable } from "../support/table-rows.js";

type Fields = Readonly<Record<string, unknown>>;

const table = JSON.parse(readFileSync(new URL("resolutionflow_rules.json", import.meta.url), "utf8")) as {
  readonly rules: readonly { readonly id: string; readonly rule: string }[];
  readonly tree_cases: readonly {
    readonly title: string;
    readonly tree: Fields;
    readonly violates: readonly string[];
  }[];
  readonly tree_cases_beyond: readonly {
    readonly title: string;
    readonly tree: Fields;
    readonly should_flag: string;
  }[];
  readonly procedure_cases: readonly {
    readonly title: string;
    readonly flow: Fields;
    readonly violates: readonly string[];
  }[];
};

/** Which of our rules holds each of theirs. */
const OF_TREES: Readonly<Record<string, readonly GuideRule[]>> = {
  "rf-t01": ["first-step"],
  "rf-t02": ["step-id"],
  "rf-t03": ["step-kind"],
  "rf-t04": ["options"],
  "rf-t05": ["option-fields"],
  "rf-t06": ["next-exists"],
  "rf-t07": ["step-text", "commands"],
  "rf-t08": ["step-text", "terminal-last"],
};
const OF_PROCEDURES: Readonly<Record<string, readonly GuideRule[]>> = {
  "rf-p01": ["shape"],
  "rf-p02": ["step-kind"],
  "rf-p03": ["step-id"],
  "rf-p04": ["step-text"],
  "rf-p05": ["end-last"],
  "rf-p06": ["no-branching"],
  "rf-p07": ["content-type"],
  "rf-p08": ["verification-type"],
  "rf-p09": ["commands"],
  "rf-p10": ["variable-filled"],
};

/** The rules that a flow breaks, whether it can be imported or not. */
function broken(flow: unknown): readonly GuideRule[] {
  try {
    return validateGuide(importFlow(flow)).map(({ rule }) => rule);
  } catch (error) {
    if (error instanceof GuideProblem) return error.findings.map(({ rule }) => rule);
    throw error;
  }
}

/** Of a table of rules: those of ours that theirs name, and no other one of them. */
function holds(
  violates: readonly string[],
  of: Readonly<Record<string, readonly GuideRule[]>>,
  flow: unknown,
) {
  const found = broken(flow);
  const judged = Object.values(of).flat();
  const wanted = violates.map((id) => of[id] ?? []);
  const others = judged.filter((rule) => !wanted.flat().includes(rule));
  return (
    wanted.every((rules) => rules.some((rule) => found.includes(rule))) &&
    !others.some((rule) => found.includes(rule))
  );
}

/** The rows hold steps only; their one valid placeholder is a field of this form. */
const INTAKE = [{ variable_name: "breaker", label: "Breaker", field_type: "text", required: true }];

it("holds the rows of trees", () => {
  const rows = table.tree_cases.map(({ title, tree, violates }) => ({
    id: title,
    holds: holds(violates, OF_TREES, tree),
  }));
  expectTable("resolutionflow tree_cases", rows);
});

it("holds the rows of trees beyond their rules", () => {
  const flags: Readonly<Record<string, GuideRule>> = {
    "unreachable node": "unreachable",
    "no solution reachable from an option": "no-exit",
    "non-terminal dead end": "dead-end",
    "spoken labels not distinct": "options-apart",
    "too many options to hear": "options-few",
    "hazard keyword without warning or lockout step": "warning-first",
  };
  const [valid] = table.tree_cases;
  const rows = table.tree_cases_beyond.map(({ should_flag, title, tree }) => {
    const rule = flags[should_flag]!;
    return { id: title, holds: broken(tree).includes(rule) && !broken(valid!.tree).includes(rule) };
  });
  expectTable("resolutionflow tree_cases_beyond", rows);
});

it("holds the rows of procedures", () => {
  const rows = table.procedure_cases.map(({ flow, title, violates }) => ({
    id: title,
    holds: holds(violates, OF_PROCEDURES, { ...flow, intake_form: INTAKE }),
  }));
  expectTable("resolutionflow procedure_cases", rows);
});

const NODE = { id: "a", type: "action", title: "T", description: "D", next_node_id: "z" };
const END = { id: "z", type: "solution", title: "T", description: "D" };
const tree = (...children: readonly Fields[]): Fields => ({
  ...{ id: "r", type: "decision", question: "Q?", children: [...children, END] },
  options: [{ id: "y", label: "Yes", next_node_id: children[0]?.id ?? "z" }],
});
const STEP = { id: "a", type: "procedure_step", title: "T", description: "D" };
const flow = (...steps: readonly Fields[]): Fields => ({
  steps: [...steps, { id: "z", type: "procedure_end", title: "T" }],
});

/** A flow that breaks each rule, for those that no row of the tables does. */
const BROKEN: Readonly<Record<string, readonly Fields[]>> = {
  "rf-t01": [{ ...NODE, children: [END] }],
  "rf-t02": [tree({ ...NODE, id: "" }), tree(NODE, NODE)],
  "rf-t03": [tree({ ...NODE, type: undefined })],
  "rf-t04": [
    { ...tree(), children: undefined },
    { ...tree(), question: 7, options: undefined },
  ],
  "rf-t05": [
    { ...tree(), options: [{ id: "y", label: "Yes" }] },
    { ...tree(), options: [{ label: "Yes", next_node_id: "z" }] },
  ],
  "rf-t06": [tree({ ...NODE, next_node_id: "nowhere" })],
  "rf-t07": [tree({ ...NODE, title: "" }), tree({ ...NODE, commands: [{}] })],
  "rf-t08": [tree({ ...END, id: "a", next_node_id: "z" }), tree({ ...END, id: "a", children: [] })],
  "rf-p01": [{ steps: {} }],
  "rf-p02": [flow({ ...STEP, type: "decision" })],
  "rf-p03": [flow({ ...STEP, id: undefined }), flow(STEP, STEP)],
  "rf-p04": [flow({ ...STEP, description: 4 })],
  "rf-p05": [{ steps: [STEP] }],
  "rf-p06": [flow({ ...STEP, next_node_id: "z" }), flow({ ...STEP, options: [] })],
  "rf-p07": [flow({ ...STEP, content_type: "photo" })],
  "rf-p08": [flow({ ...STEP, verification_type: "photo" })],
  "rf-p09": [flow({ ...STEP, commands: ["ls"] }), flow({ ...STEP, commands: [{ label: "x" }] })],
  "rf-p10": [flow({ ...STEP, description: "[VAR:nobody]" })],
};

it("holds every rule of both shapes", () => {
  const all = { ...OF_TREES, ...OF_PROCEDURES };
  // Those of markers and sessions are held beside what builds guides: src/guide/builder.
  const shapes = table.rules.filter(({ id }) => !id.startsWith("rf-m"));
  const rows = shapes.map(({ id }) => ({
    id,
    holds:
      (BROKEN[id] ?? []).length > 0 &&
      BROKEN[id]!.every((one) => broken(one).some((rule) => all[id]!.includes(rule))),
  }));
  expectTable("resolutionflow rules", rows, {
    "rf-t09": "while a guide is built, every change is held to every rule, and not only the last one",
  });
  const titleless = broken(tree({ ...NODE, title: undefined }));
  expect(titleless).toEqual(["step-text"]);
  expect(broken(flow(STEP)).filter((rule) => Object.values(OF_PROCEDURES).flat().includes(rule))).toEqual([]);
});

it("gives the valid rows back as they came", () => {
  const [validTree] = table.tree_cases;
  const [validFlow] = table.procedure_cases;
  expect(exportTree(importFlow(validTree!.tree))).toEqual(validTree!.tree);
  expect(exportProcedure(importFlow(validFlow!.flow))).toEqual(validFlow!.flow);
});
