/** How long answers take, by stage: percentiles by nearest rank, so that each figure is one that was measured. */

export interface Percentiles {
  readonly count: number;
  readonly p50Ms: number;
  readonly p90Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

/** Milliseconds by stage for each answer, to percentiles by stage, in the order in which stages first occur. */
export function latencyByStage(
  timings: readonly Readonly<Record<string, number>>[],
): Readonly<Record<string, Percentiles>> {
  const stages = new Map<string, number[]>();
  for (const answer of timings)
    for (const [stage, ms] of Object.entries(answer)) {
      const all = stages.get(stage);
      if (all === undefined) stages.set(stage, [ms]);
      else all.push(ms);
    }
  return Object.fromEntries([...stages].map(([stage, all]) => [stage, percentilesOf(all)]));
}

function percentilesOf(all: readonly number[]): Percentiles {
  const sorted = all.toSorted((a, b) => a - b);
  return {
    count: sorted.length,
    p50Ms: percentile(sorted, 0.5),
    p90Ms: percentile(sorted, 0.9),
    p95Ms: percentile(sorted, 0.95),
    maxMs: sorted.at(-1)!,
  };
}

/** The smallest value that at least `share` of the values do not exceed. `sorted` holds one at least, in order. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}
