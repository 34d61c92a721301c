/** The outcome of a benchmark as a table for people, and as a value for programs. */
import { columns } from "../../lib/columns.js";
import { type BenchmarkReport, METRICS, type RetrievalMetricName, type WayDifference } from "./benchmark.js";

const NAMES = Object.keys(METRICS) as RetrievalMetricName[];

/** A table of the figures, and below it what each way has over those before it. */
export function reportTable(report: BenchmarkReport): string {
  const { documents, queries, unjudgedQueries, ways, differences } = report;
  const unjudged =
    unjudgedQueries === 0 ? "" : ` (${unjudgedQueries} more without a judgement were left out)`;
  const header = ["", ...NAMES, "p50 ms", "p95 ms"];
  const rows = ways.map(({ name, means, p50Ms, p95Ms }) => [
    name,
    ...NAMES.map((metric) => means[metric].toFixed(4)),
    p50Ms.toFixed(1),
    p95Ms.toFixed(1),
  ]);
  const compared = differences.map((one) => [
    `${one.better} − ${one.than}`,
    one.metric,
    signed(one.mean),
    `[${signed(one.low)}, ${signed(one.high)}]`,
    verdict(one),
  ]);
  return [
    `${documents} documents, ${queries} queries${unjudged}`,
    "",
    ...columns([header, ...rows]),
    ...(compared.length === 0
      ? []
      : ["", "Differences, with 95% intervals (paired bootstrap over queries):", ...columns(compared)]),
  ].join("\n");
}

/** Without the figures of each query. */
export function reportValue(report: BenchmarkReport): object {
  return { ...report, ways: report.ways.map(({ perQuery: _, ...way }) => way) };
}

/** An interval that holds 0 proves nothing. */
function verdict({ low, high }: WayDifference): string {
  if (low > 0) return "better";
  return high < 0 ? "worse" : "no clear difference";
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(4)}`;
}
