/** Where the runs of a guide stumble, step by step, out of their records. Pure. */
import type { Guide } from "../schema/guide.js";
import { FAILURES, type GuideRun } from "./run.js";

const MS_PER_MINUTE = 60_000;

export interface StepRecord {
  readonly step: string;
  /** How often runs came to it. */
  readonly visits: number;
  readonly failures: number;
  readonly helps: number;
  /** Minutes of a visit on average, pauses left out. */
  readonly minutes: number;
  /** These, as a multiple of what the guide estimates; absent: it estimates nothing. */
  readonly ofEstimate?: number;
}

/** The steps that runs came to, the weakest first: by failures and calls for help a visit, then by time against estimate. */
export function weakSteps(guide: Guide, runs: readonly GuideRun[]): readonly StepRecord[] {
  const visits = runs.flatMap(visitsIn);
  const records = guide.steps.flatMap(({ estimatedMinutes, id, kind }): readonly StepRecord[] => {
    const own = visits.filter(({ at }) => at === id);
    if (own.length === 0 || kind === "section") return [];
    const sum = (of: (visit: Visit) => number) => own.reduce((all, visit) => all + of(visit), 0);
    const minutes = sum(({ ms }) => ms) / own.length / MS_PER_MINUTE;
    return [
      {
        ...{ step: id, visits: own.length, minutes },
        ...{ failures: sum(({ failures }) => failures), helps: sum(({ helps }) => helps) },
        ...(estimatedMinutes ? { ofEstimate: minutes / estimatedMinutes } : {}),
      },
    ];
  });
  return records.toSorted((a, b) => weakness(b) - weakness(a));
}

/** A step that takes as long as estimated adds nothing; one that takes twice as long is as weak as one that fails. */
function weakness({ failures, helps, ofEstimate = 1, visits }: StepRecord): number {
  return (failures + helps) / visits + Math.max(0, ofEstimate - 1);
}

/** Whether anything went wrong there, or took longer than it should. */
export function isWeak(record: StepRecord): boolean {
  return weakness(record) > 0;
}

interface Visit {
  readonly at: string;
  ms: number;
  failures: number;
  helps: number;
}

/** Every time that a run was at a place, with what happened there until it left. */
function visitsIn({ log }: GuideRun): readonly Visit[] {
  const visits: Visit[] = [];
  let [sinceMs, isPaused] = [0, false];
  for (const { at, atMs, what } of log) {
    const visit = visits.at(-1);
    if (visit !== undefined && !isPaused) visit.ms += atMs - sinceMs;
    sinceMs = atMs;
    if (what === "arrived") visits.push({ at, ms: 0, failures: 0, helps: 0 });
    if (what === "paused" || what === "resumed") isPaused = what === "paused";
    if (visit === undefined || at !== visit.at) continue;
    if (FAILURES.has(what)) visit.failures += 1;
    if (what === "help") visit.helps += 1;
  }
  return visits;
}
