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
      const heard = stepRun(index, run, { type: "heard", atMs, by: run.user }).run;
      return stepRun(index, heard, { ...(action as RunAction), atMs, by }).run;
    },
    beginRun(index, { atMs, by: "ann" }).run,
  );
}

/** A step of each kind that wants more than doing, as its file has it. */
export const record = { id: "r", kind: "record", title: "Gauge", text: "What does it show?", variable: "p" };
export const check = {
  id: "c",
  kind: "check",
  title: "Pressure",
  resource: "plant/pump/p2",
  signal: "pressure",
};
export const operate = { id: "o", kind: "operate", title: "Stop", resource: "plant/pump/p2", action: "stop" };
export const hold = {
  id: "h",
  kind: "hold_point",
  title: "Second look",
  text: "A colleague looks.",
  group: "fitters",
};
