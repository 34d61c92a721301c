/** Circles, nudges and compaction: the tables of Pulse. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { argumentsInWords, compacted, summaryOfCall } from "../../src/llm/compaction.js";
import type { ModelMessage } from "../../src/llm/port.js";
import { loadPrompts } from "../../src/llm/prompts.js";
import { callKey, isCircling, type WatchedCall, watched } from "../../src/operate/loop/call-watch.js";
import { factsOf, recalled, summaryOf, withFacts } from "../../src/operate/loop/fact-memory.js";
import { nudgeAfter, withNudge } from "../../src/operate/loop/loop.js";
import { expectTable, type TableRow } from "../support/table-rows.js";

const NOTHING_KNOWN = recalled([], 0);

type Args = Readonly<Record<string, unknown>> | null;

interface LoopTable {
  readonly key_cases: readonly {
    readonly a: [string, Args];
    readonly b?: [string, Args];
    readonly same?: boolean;
  }[];
  readonly episode_cases: readonly {
    readonly calls?: readonly [string, Args][];
    readonly allowed?: readonly boolean[];
  }[];
}

interface Message {
  readonly role: "user" | "assistant" | "tool";
  readonly text?: string;
  readonly calls?: readonly { readonly id: string; readonly tool: string; readonly input: Args }[];
  readonly for_?: string;
  readonly chars?: number;
}

interface CompactionRow {
  readonly id: string;
  readonly messages?: readonly Message[];
  readonly turn_start?: number;
  readonly keep_turns?: number;
  readonly min_chars?: number;
  readonly compacted?: readonly number[];
  readonly summary_contains?: Readonly<Record<string, readonly string[]>> | readonly string[];
  readonly facts?: Readonly<Record<string, readonly [string, string, string]>>;
  readonly generate?: { readonly rounds: number; readonly chars: number; readonly tool: string };
  readonly compacted_count?: number;
  readonly inspect?: string;
}

interface CompactionTable {
  readonly cases: readonly CompactionRow[];
  readonly key_params: readonly { readonly label: string; readonly input: Args; readonly text: string }[];
  readonly summary: readonly {
    readonly label: string;
    readonly tool: string;
    readonly input: Args;
    readonly contains: readonly string[];
  }[];
}

const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const loop = read("pulse_loop_cases.json") as LoopTable;
const compaction = read("pulse_compaction_cases.json") as CompactionTable;
const NOW_MS = Date.UTC(2026, 0, 1);
const prompts = await loadPrompts();

/** Which calls of an episode may be made, a second apart. */
function allowedOf(calls: readonly [string, Args][]): boolean[] {
  const past: WatchedCall[] = [];
  return calls.map(([tool, args], at) => {
    const call = watched(tool, args ?? {}, undefined, at * 1_000);
    const isCircle = isCircling(past, call);
    past.push(call);
    return !isCircle;
  });
}

it("sees circles and nudges as the table has it", () => {
  const keys = loop.key_cases.map(({ a, b, same }, at): TableRow => {
    const [one, other] = [a, b ?? a].map(([tool, args]) => callKey(tool, args ?? {}));
    return { id: `key ${at + 1}`, holds: same === undefined ? one!.length > 0 : (one === other) === same };
  });
  const episodes = loop.episode_cases.flatMap(({ allowed, calls }, at): TableRow[] => {
    if (calls === undefined || allowed === undefined) return [];
    return [{ id: `episode ${at + 1}`, holds: JSON.stringify(allowedOf(calls)) === JSON.stringify(allowed) }];
  });
  const nudge = prompts.render("loop-nudge", { calls: "13", turns: String(20 - 5 - 1) });
  const firm = prompts.render("loop-firm", { calls: "18", turns: "1" });
  const results = ["good", "bad"].map((id) => ({ id, ok: id === "good", content: "{}" }));
  const nudged = withNudge(results, nudge);
  const wrapUp: TableRow[] = [
    {
      id: "nudge after 13 calls",
      holds: nudgeAfter(13, undefined) === "loop-nudge" && /13 tool calls.*14 turns remaining/.test(nudge),
    },
    { id: "no nudge after 5 calls", holds: nudgeAfter(5, undefined) === undefined },
    {
      id: "nudge in the last result that is no error",
      holds: JSON.stringify(nudged).includes(`good","ok":true,"content":"{}\\n\\n[note]`),
    },
    {
      id: "escalation",
      holds: nudgeAfter(18, "loop-nudge") === "loop-firm" && /18 tool calls.*no more tool calls/.test(firm),
    },
    {
      id: "once",
      holds: nudgeAfter(15, "loop-nudge") === undefined && nudgeAfter(30, "loop-firm") === undefined,
    },
  ];
  expectTable("pulse_loop_cases", [...keys, ...episodes, ...wrapUp]);
});

function messageOf({ calls, chars, for_: callId, role, text = "" }: Message): ModelMessage {
  if (role === "tool") return { role, callId: callId!, content: "x".repeat(chars ?? 0) };
  if (calls === undefined) return { role, content: text };
  const given = calls.map(({ id, input, tool }) => ({
    id,
    name: tool,
    arguments: JSON.stringify(input ?? {}),
  }));
  return { role: "tool_calls", calls: given };
}

function generated({ chars, rounds, tool }: NonNullable<CompactionRow["generate"]>): ModelMessage[] {
  return Array.from({ length: rounds }, (_, at) => [
    messageOf({ role: "assistant", calls: [{ id: `c${at}`, tool, input: {} }] }),
    messageOf({ role: "tool", for_: `c${at}`, chars }),
  ]).flat();
}

function isCompacted(row: CompactionRow): boolean {
  const messages = row.messages?.map(messageOf) ?? generated(row.generate!);
  const limits = { turnsKept: row.keep_turns!, charsKept: row.min_chars! };
  const factsFor = (call: string) => {
    const known = row.facts?.[call];
    return known === undefined ? "" : `${known[1]} = ${known[2]}`;
  };
  const after = compacted(messages, row.turn_start ?? messages.length, factsFor, limits);
  const changed = after.flatMap((message, at) => (message === messages[at] ? [] : [at]));
  const contains = Object.entries((row.summary_contains ?? {}) as Record<string, readonly string[]>);
  return (
    (row.compacted === undefined || JSON.stringify(changed) === JSON.stringify(row.compacted)) &&
    (row.compacted_count === undefined || changed.length === row.compacted_count) &&
    JSON.stringify(after).length <= JSON.stringify(messages).length &&
    contains.every(([at, parts]) => parts.every((part) => JSON.stringify(after[Number(at)]).includes(part)))
  );
}

/** What is left of an inspected container. */
function inspected({ inspect }: CompactionRow): string {
  const facts = factsOf(
    { id: "c", key: "docker:{}", about: "h" },
    { ok: true, data: JSON.parse(inspect!) },
    NOW_MS,
  );
  return summaryOf(withFacts(NOTHING_KNOWN, facts, NOW_MS), "c");
}

it("makes room as the table has it", () => {
  const cases = compaction.cases.map((row): TableRow => {
    const { id, summary_contains: parts } = row;
    if (row.inspect !== undefined)
      return { id, holds: (parts as readonly string[]).every((part) => inspected(row).includes(part)) };
    return { id, holds: (row.messages ?? row.generate) !== undefined && isCompacted(row) };
  });
  const params = compaction.key_params.map(({ input, label, text }) => ({
    id: `arguments: ${label}`,
    holds: argumentsInWords(input ?? {}) === text,
  }));
  const summaries = compaction.summary.map(({ contains, input, label, tool }) => {
    const chars = Number(/\d+(?= chars)/.exec(contains.join(" "))?.[0] ?? 1);
    const summary = summaryOfCall({ tool, args: input ?? {}, chars }, "");
    return { id: `summary: ${label}`, holds: contains.every((part) => summary.includes(part)) };
  });
  expectTable("pulse_compaction_cases", [...cases, ...params, ...summaries], {
    "cp-11":
      "a result of any shape keeps its own words (exit_code=137, oomkilled=false): no tool has a rule of its own",
    "cp-13":
      "a chat keeps 20 lines and no results; secrets are taken out of a result before any model sees it",
  });
  const container = inspected(compaction.cases.find(({ inspect }) => inspect !== undefined)!);
  for (const part of ["status=exited", "exit_code=137", "oomkilled=false", "name=no"])
    expect(container).toContain(part);
});
