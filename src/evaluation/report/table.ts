/** A run, and the comparison of two, as tables for a terminal. */
import { columns } from "../../lib/columns.js";
import type { RunComparison } from "../compare.js";
import type { EvaluatedRun } from "../evaluations.js";
import { MARK_COLUMNS, markLines } from "../marking.js";
import { worstRows } from "./cases.js";

/** Rows that are named below the table. */
const WORST_NAMED_MAX = 10;

const NO_JUDGE = " (no judge: relevancy and context, by words)";

export function resultTable(evaluated: EvaluatedRun): string {
  const { run, rows, summary } = evaluated;
  const metrics = Object.entries(summary.metrics).map(([metric, one]) => [
    metric,
    one.mean === undefined ? "–" : one.mean.toFixed(3),
    String(one.scored),
    String(one.failed),
    String(one.notApplicable),
    one.counts ? "yes" : "no",
  ]);
  const categories = summary.categories.map(({ category, rows: count, means }) => [
    category,
    String(count),
    means.as_expected === undefined ? "–" : means.as_expected.toFixed(2),
  ]);
  const total = summary.latency.total;
  const { aurc } = summary.riskCoverage;
  const worst = worstRows(rows).slice(0, WORST_NAMED_MAX);
  return [
    `${run.spec.dataSet}: ${rows.length} rows, ${run.rows.failed} failed, judge: ${run.spec.judge ?? "none"}`,
    "",
    ...columns([["metric", "mean", "rows", "failed", "n/a", "in the score"], ...metrics]),
    "",
    ...columns([["category", "rows", "as expected"], ...categories]),
    "",
    ...(summary.marks ? [...columns([MARK_COLUMNS, ...markLines(summary.marks)]), ""] : []),
    ...(total ? [`latency: p50 ${total.p50Ms.toFixed(0)} ms, p95 ${total.p95Ms.toFixed(0)} ms`] : []),
    ...(aurc === undefined ? [] : [`risk–coverage: AURC ${aurc.toFixed(4)}`]),
    `global score: ${summary.globalScore?.toFixed(3) ?? "–"} ${summary.verdict}${run.spec.judge === undefined ? NO_JUDGE : ""}`,
    ...(worst.length === 0 ? [] : ["", "worst:", ...columns(worst.map(worstLine))]),
  ].join("\n");
}

function worstLine({ row, checks, reason }: EvaluatedRun["rows"][number]): string[] {
  const broken = checks.filter(({ passed }) => !passed).map(({ text }) => text);
  return [`  ${row.id}`, [...broken, ...(reason === undefined ? [] : [reason])].join("; ") || "low scores"];
}

export function comparisonTable({ metrics, onlyInOld, onlyInNew }: RunComparison): string {
  if (metrics.length === 0) return "The two results have no scored row in common.";
  const lines = metrics.map(({ metric, rows, oldMean, newMean, mean, low, high, verdict }) => [
    metric,
    String(rows),
    oldMean.toFixed(3),
    newMean.toFixed(3),
    signed(mean),
    `[${signed(low)}, ${signed(high)}]`,
    verdict,
  ]);
  const missing = [
    ...(onlyInOld > 0 ? [`${onlyInOld} rows are only in the old result`] : []),
    ...(onlyInNew > 0 ? [`${onlyInNew} rows are only in the new result`] : []),
  ];
  return [
    "Differences are new − old, with 95% intervals (paired bootstrap over the rows that both have scored):",
    "",
    ...columns([["metric", "rows", "old", "new", "difference", "interval", ""], ...lines]),
    ...(missing.length === 0 ? [] : ["", `${missing.join(", ")}.`]),
  ].join("\n");
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}
