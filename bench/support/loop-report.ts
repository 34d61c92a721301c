/** How busy a process's event loop was, and what collecting garbage cost it. */
import { type EventLoopUtilization, PerformanceObserver, performance } from "node:perf_hooks";

/** Since the last time of asking. */
export interface LoopReport {
  /** Share of the time in which the loop was not idle. */
  readonly utilization: number;
  readonly collections: number;
  readonly longestCollectionMs: number;
}

let since: EventLoopUtilization = performance.eventLoopUtilization();
let collections: number[] = [];
new PerformanceObserver((list) => {
  collections.push(...list.getEntries().map(({ duration }) => duration));
}).observe({ entryTypes: ["gc"] });

export function loopReport(): LoopReport {
  const now = performance.eventLoopUtilization();
  const { utilization } = performance.eventLoopUtilization(now, since);
  const longestCollectionMs = Math.max(0, ...collections);
  const report = { utilization, collections: collections.length, longestCollectionMs };
  since = now;
  collections = [];
  return report;
}
