/** Runs for tests, as the stepper makes them. */
import type { GuideIndex } from "../schema/graph.js";
import type { GuideRun, RunAction } from "./run.js";
import { beginRun, stepRun } from "./stepper.js";

const MS_PER_MINUTE = 60_000;

/** What is done, by whom unless by the worker, and how many minutes after what came before; absent: one. */
export type Told = RunAction & { readonly by?: string; readonly after?: number };

/** A run by ann that is told one thing after the other. */
export function runOfActions(index: GuideIndex, actions: readonly Told[], startMs = 0): GuideRun {
  let atMs = startMs;
  return actions.reduce(
    (run, { after = 1, by = "ann", ...action }) => {
      atMs += after * MS_PER_MINUTE;
      return stepRun(index, run, { ...(action as RunAction), atMs, by }).run;
    },
    beginRun(index, { atMs, by: "ann" }).run,
  );
}
