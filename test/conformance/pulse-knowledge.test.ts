/** The memory of facts: the table of Pulse, and the holes that it saw. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { callKey } from "../../src/operate/loop/call-watch.js";
import type { LoopResult } from "../../src/operate/loop/envelope.js";
import {
  answerOf,
  type FactMemory,
  factsOf,
  inNextTurn,
  lookUp,
  recalled,
  summaryOf,
  summaryOfResult,
  withFacts,
} from "../../src/operate/loop/fact-memory.js";
import { expectTable } from "../support/table-rows.js";

const NOTHING_KNOWN = recalled([], 0);

interface ToolRow {
  readonly label: string;
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: string;
  readonly enriched?: boolean;
}

interface Expected {
  readonly len?: number;
  readonly render?: string;
  readonly render_contains?: readonly string[];
  readonly render_lacks?: readonly string[];
  readonly value_len?: Readonly<Record<string, number>>;
  readonly total_chars?: number;
  readonly total_chars_at_most?: number;
  readonly lookup?: Readonly<Record<string, string | null>>;
  readonly summary_contains?: Readonly<Record<string, readonly string[]>>;
  readonly summary_lacks?: Readonly<Record<string, readonly string[]>>;
  readonly summary_empty?: readonly string[];
}

interface StoreRow {
  readonly id: string;
  readonly ops: readonly {
    readonly add?: readonly [string, string, string];
    readonly add_repeat?: readonly [string, string, string, number];
    readonly add_for?: string;
    readonly fact?: readonly [string, string, string];
    readonly turn?: number;
    readonly expect_total_chars?: number;
  }[];
  readonly expect: Expected;
}

const table = JSON.parse(readFileSync(new URL("pulse_knowledge_cases.json", import.meta.url), "utf8")) as {
  readonly store: readonly StoreRow[];
  readonly predict_extract_roundtrip: readonly ToolRow[];
  readonly gate_flow: readonly ToolRow[];
  readonly negative_summary: readonly {
    readonly label: string;
    readonly input: string;
    readonly contains: string[];
  }[];
  readonly negative_marker: ToolRow;
};

const NOW_MS = Date.UTC(2026, 0, 1);
const fact = (key: string, value: string, call = "c") => ({
  key,
  value,
  call,
  about: [],
  takenAtMs: NOW_MS,
  maxAgeMs: 300_000,
});

function charsOf({ facts }: FactMemory): number {
  return facts
    .filter(({ key }) => !key.endsWith(":queried"))
    .reduce((sum, { value }) => sum + value.length, 0);
}

function inStore({ expect: wanted, ops }: StoreRow): boolean {
  let memory = NOTHING_KNOWN;
  let holds = true;
  for (const op of ops) {
    const [, key = "", value = ""] = op.add ?? op.fact ?? [];
    if (op.add ?? op.fact) memory = withFacts(memory, [fact(key, value, op.add_for)], NOW_MS);
    if (op.add_repeat) {
      const [, name, text, times] = op.add_repeat;
      memory = withFacts(memory, [fact(name, text.repeat(times))], NOW_MS);
    }
    while (op.turn !== undefined && memory.turn < op.turn) memory = inNextTurn(memory);
    if (op.expect_total_chars !== undefined) holds &&= charsOf(memory) === op.expect_total_chars;
  }
  return holds && isAsExpected(memory, wanted);
}

function isAsExpected(memory: FactMemory, wanted: Expected): boolean {
  const calls = [...new Set(memory.facts.map(({ call }) => call))];
  const summaries = calls.flatMap((call) => summaryOf(memory, call).split("; "));
  const rendered = summaries.map((fact) => fact.replace(/^(.+?) = /, "[$1] ")).join("\n");
  const entries = <T>(of: Readonly<Record<string, T>> | undefined) => Object.entries(of ?? {});
  return [
    wanted.len === undefined || memory.facts.length === wanted.len,
    wanted.render === undefined || rendered === wanted.render,
    (wanted.render_contains ?? []).every((part) => rendered.includes(part)),
    !(wanted.render_lacks ?? []).some((part) => rendered.includes(part)),
    entries(wanted.value_len).every(([key, length]) => lookUp(memory, key, NOW_MS)?.value.length === length),
    wanted.total_chars === undefined || charsOf(memory) === wanted.total_chars,
    wanted.total_chars_at_most === undefined || charsOf(memory) <= wanted.total_chars_at_most,
    entries(wanted.lookup).every(([key, value]) => (lookUp(memory, key, NOW_MS)?.value ?? null) === value),
    entries(wanted.summary_contains).every(([call, parts]) =>
      parts.every((part) => summaryOf(memory, call).includes(part)),
    ),
    entries(wanted.summary_lacks).every(
      ([call, parts]) => !parts.some((part) => summaryOf(memory, call).includes(part)),
    ),
    (wanted.summary_empty ?? []).every((call) => summaryOf(memory, call) === ""),
  ].every((one) => one);
}

/** What a tool of the table answers: JSON, or plain text. */
function resultOf(result: string): unknown {
  return /^[[{]/.test(result) ? JSON.parse(result) : result;
}

/** What the memory answers to the same call again. */
function again({ input, result, tool }: ToolRow, data: unknown = JSON.parse(result)) {
  const told: LoopResult = { ok: true, data };
  const key = callKey(tool, input);
  const facts = factsOf({ id: "c", key, about: "p" }, told, NOW_MS);
  return answerOf(withFacts(NOTHING_KNOWN, facts, NOW_MS), key, NOW_MS);
}

it("holds the table", () => {
  const store = table.store.map((row) => ({ id: row.id, holds: inStore(row) }));
  const rounds = table.predict_extract_roundtrip.map((row) => ({
    id: `round trip: ${row.label}`,
    holds: again(row) !== undefined,
  }));
  const flows = table.gate_flow.map((row) => ({
    id: `gate: ${row.label}`,
    holds: (again(row)?.length ?? 0) > 1 === row.enriched,
  }));
  const summaries = table.negative_summary.map(({ contains, input, label }) => ({
    id: `summary: ${label}`,
    holds: contains.every((part) => summaryOfResult(resultOf(input)).includes(part)),
  }));
  const none = again(table.negative_marker, table.negative_marker.result);
  const marker = {
    id: "negative marker",
    holds: none?.[0]?.value === `checked: ${table.negative_marker.result}`,
  };
  expectTable("pulse_knowledge_cases", [...store, ...rounds, ...flows, ...summaries, marker], {
    "ka-09":
      "the keys say what each fact is of: headings by category told a model nothing and took its tokens",
    "gate: query:get": "an answer from memory has all that the call had told, and not its first fact alone",
  });
  expect(none).toHaveLength(1);
});
