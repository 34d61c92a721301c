/** Small pieces that every part of the stepper makes its results of. */
import { nameOf } from "./places.js";
import {
  type GuideRun,
  type LogWhat,
  type RunEvent,
  SAID_CHARS_MAX,
  type Saying,
  type Stepped,
} from "./run.js";

/** When, and by whom. */
export type RunMoment = Pick<RunEvent, "atMs" | "by">;

/** The run stays where it is. */
export function stay(run: GuideRun, ...says: readonly Saying[]): Stepped {
  return { run, says, effects: [] };
}

/** The run with one more line in its record. */
export function logged(run: GuideRun, { atMs, by }: RunMoment, what: LogWhat, text?: string): GuideRun {
  const said = text === undefined ? {} : { text: text.slice(0, SAID_CHARS_MAX) };
  return { ...run, log: [...run.log, { atMs, by, what, at: nameOf(run.place), ...said }] };
}
