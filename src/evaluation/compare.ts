/**
 * Whether one run is better than another, or was lucky with its questions: the paired bootstrap over the rows that both
 * have scored. Reads what `report-json.ts` writes.
 */
import { z } from "zod";
import { type Difference, pairedBootstrap } from "../retrieval/benchmark/bootstrap.js";
import { METRICS, type MetricName } from "./score.js";

/** A report as it is read back: what a comparison needs of it. */
export const comparedSchema = z.object({
  id: z.string(),
  dataset: z.string(),
  rows: z.array(
    z.object({
      id: z.string(),
      scores: z.record(z.string(), z.object({ value: z.number().optional() })),
    }),
  ),
});

export type ComparedReport = z.infer<typeof comparedSchema>;

export interface MetricComparison extends Difference {
  readonly metric: MetricName;
  /** Rows that both have scored. */
  readonly rows: number;
  readonly oldMean: number;
  readonly newMean: number;
  /** By the 95% interval of the difference: one that holds 0 proves nothing. */
  readonly verdict: "better" | "worse" | "no clear difference";
}

export interface RunComparison {
  readonly metrics: readonly MetricComparison[];
  /** Rows, by id, that only one of them has. */
  readonly onlyInOld: number;
  readonly onlyInNew: number;
}

/** Differences are new − old: positive is better. */
export function compare(older: ComparedReport, newer: ComparedReport): RunComparison {
  const oldRows = new Map(older.rows.map((row) => [row.id, row]));
  const newIds = new Set(newer.rows.map(({ id }) => id));
  return {
    metrics: METRICS.flatMap((metric) => compareMetric(metric, oldRows, newer) ?? []),
    onlyInOld: older.rows.filter(({ id }) => !newIds.has(id)).length,
    onlyInNew: newer.rows.filter(({ id }) => !oldRows.has(id)).length,
  };
}

function compareMetric(
  metric: MetricName,
  oldRows: ReadonlyMap<string, ComparedReport["rows"][number]>,
  newer: ComparedReport,
): MetricComparison | undefined {
  const pairs = newer.rows.flatMap(({ id, scores }) => {
    const [then, now] = [oldRows.get(id)?.scores[metric]?.value, scores[metric]?.value];
    return then === undefined || now === undefined ? [] : [{ then, now }];
  });
  if (pairs.length === 0) return undefined;
  const [then, now] = [pairs.map((pair) => pair.then), pairs.map((pair) => pair.now)];
  const difference = pairedBootstrap(now, then);
  const verdict = difference.low > 0 ? "better" : difference.high < 0 ? "worse" : "no clear difference";
  return { metric, rows: pairs.length, oldMean: mean(then), newMean: mean(now), ...difference, verdict };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
