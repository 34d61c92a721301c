/** A run as a table for people, and as JSON for machines. */
import type { Distribution, Measures, StepMeasure, UnmetExpectation } from "./measures.js";
import type { OperationMeasures } from "./operations.js";
import type { RunObservations } from "./run.js";
import { VIOLATIONS, type Violation } from "./violation.js";

export interface Report {
  readonly title: string;
  readonly users: number;
  readonly relays: number;
  readonly speed: number;
  /** The scenario's, or the command's. */
  readonly askedSpeed: number;
  readonly seed: number;
  readonly measures: Measures;
  /** Of a service that may change something. */
  readonly operations?: OperationMeasures | undefined;
  readonly seen: Pick<RunObservations, "violations" | "violationCount" | "relayProblems" | "startMs">;
}

/** Violations and unmet expectations that a table lists; JSON has all that were kept. */
const LISTED_MAX = 20;

/** Whether nothing was wrong. */
export function isGood({ measures, operations, seen }: Report): boolean {
  const isWire = seen.violationCount === 0 && seen.relayProblems.length === 0 && measures.unmet.length === 0;
  const isProven = operations === undefined || operations.problems.length === 0;
  return isWire && isProven && (operations?.unneededQuestions ?? []).length === 0;
}

export function reportJson(report: Report): string {
  const { measures, seen, ...run } = report;
  const { startMs, violations, ...counts } = seen;
  const since = violations.map((violation) => ({ ...violation, atMs: Math.round(violation.atMs - startMs) }));
  return JSON.stringify(
    { ...run, good: isGood(report), ...measures, ...counts, violations: since },
    rounded,
    2,
  );
}

export function reportText(report: Report): string {
  const { title, users, relays, speed, askedSpeed, seed, measures, operations, seen } = report;
  const time = speed === 1 ? "" : `, accelerated ×${speed}`;
  return [
    `${title}: ${users} users on ${relays} relays, ${seconds(measures.elapsedMs)} s${time}, seed ${seed}`,
    ...(speed === askedSpeed
      ? []
      : [`×${askedSpeed} was asked for; at present this machine keeps up with ×${speed}.`]),
    ...(speed === 1 ? [] : [`Times are the users'; they include computing time, stretched ×${speed}.`]),
    "",
    ...table(measures.steps),
    "",
    `outcomes       ${listed(measures.outcomes)}`,
    `packets        ${measures.packets}`,
    `interruptions  ${interruptions(measures)}`,
    `gaps           ${measures.gapsMs === undefined ? "none" : `${measures.gapsMs.count}, ${spread(measures.gapsMs)}`}`,
    ...operationLines(operations),
    "",
    ...violationLines(seen),
    ...some("bad relays", seen.relayProblems, seen.relayProblems.length),
    ...some("unmet expectations", measures.unmet.map(unmetLine), measures.unmet.length),
  ].join("\n");
}

function operationLines(operations: OperationMeasures | undefined): string[] {
  if (operations === undefined) return [];
  const { called, pressesPerTask, problems, proposed, rows } = operations;
  const { succeeded, tasks, unneededQuestions, wrongTargets } = operations;
  return [
    `operations     ${proposed} proposed, ${called} called; ${rows} rows of the ledger`,
    `tasks          ${succeeded} of ${tasks} as wanted; wrong targets ${wrongTargets}, presses per task ${pressesPerTask.toFixed(1)}`,
    ...some("unneeded questions", unneededQuestions, unneededQuestions.length),
    ...some("not borne out", problems, problems.length),
  ];
}

function interruptions({ interruptions: { lastPacketMs, endMs } }: Measures): string {
  if (lastPacketMs === undefined || endMs === undefined) return "none";
  return `${endMs.count}; to the last packet ${spread(lastPacketMs)}; to the end ${spread(endMs)}`;
}

function spread({ p50, p95, p99, max }: Distribution): string {
  return `p50 ${ms(p50)}, p95 ${ms(p95)}, p99 ${ms(p99)}, max ${ms(max)} ms`;
}

const HEADINGS = [
  "step",
  "count",
  "first",
  "p50",
  "p95",
  "p99",
  "max",
  "total",
  "p50",
  "p95",
  "p99",
  "max",
] as const;
const FIRST_WIDTH = 20;
const WIDTH = 7;

function table(steps: readonly StepMeasure[]): string[] {
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(FIRST_WIDTH) : cell.padStart(WIDTH))).join("");
  return [
    line(HEADINGS),
    ...steps.map(({ kind, count, firstSoundMs, totalMs }) =>
      line([kind, String(count), "", ...cells(firstSoundMs), "", ...cells(totalMs)]),
    ),
    "first: from the end of the question to the first packet or the text; total: to the end of the answer; in ms",
  ];
}

function cells(found: Distribution | undefined): string[] {
  if (found === undefined) return ["–", "–", "–", "–"];
  const { p50, p95, p99, max } = found;
  return [p50, p95, p99, max].map(ms);
}

function listed(outcomes: Readonly<Record<string, number>>): string {
  return Object.entries(outcomes)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
}

function violationLines({ violations, violationCount, startMs }: Report["seen"]): string[] {
  const lines = violations.map((violation) => violationText(violation, startMs));
  return some("violations", lines, violationCount);
}

function violationText({ kind, atMs, relay, username, detail, frames }: Violation, startMs: number): string {
  const who = username === undefined ? relay : `${username} on ${relay}`;
  const clause = VIOLATIONS[kind];
  return [
    `${seconds(atMs - startMs)} s ${who}: ${kind}: ${detail} (${clause})`,
    ...frames.map((frame) => `    ${frame}`),
  ].join("\n  ");
}

function unmetLine({ username, atMs, what, problems }: UnmetExpectation): string {
  return `${seconds(atMs)} s ${username}, ${what}: ${problems.join("; ")}`;
}

function some(what: string, lines: readonly string[], count: number): string[] {
  if (count === 0) return [`${what}: none`];
  const rest = count - Math.min(lines.length, LISTED_MAX);
  return [
    `${what}: ${count}`,
    ...lines.slice(0, LISTED_MAX).map((line) => `  ${line}`),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

function seconds(timeMs: number): string {
  return (timeMs / 1_000).toFixed(1);
}

function ms(value: number): string {
  return String(Math.round(value));
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Math.round(value * 1_000) / 1_000 : value;
}
