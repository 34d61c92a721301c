/** Runs for tests, as the stepper makes them. */
import { type GuideIndex, indexGuide } from "../schema/graph.js";
import { procedureOf } from "../schema/guides.test-util.js";
import type { GuideRun, RunAction, SaidAction, Saying, Stepped, Values } from "./run.js";
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

/** A run that is told one thing after the other, a minute apart unless said otherwise. */
export class Led {
  #atMs = 0;
  stepped: Stepped;

  constructor(
    private readonly index: GuideIndex,
    given: Values = {},
  ) {
    this.stepped = beginRun(index, { atMs: 0, by: "ann", given });
  }

  /** `isHeard`: whether all was heard that was said before. */
  tell(action: SaidAction, { afterMs = MS_PER_MINUTE, by = "ann", isHeard = true } = {}): readonly Saying[] {
    if (isHeard) this.hears();
    this.#atMs += afterMs;
    this.stepped = stepRun(this.index, this.run, { ...action, atMs: this.#atMs, by });
    return this.stepped.says;
  }

  hears(): void {
    const { isAsked, run } = this.stepped;
    const heard = { type: "heard", atMs: this.#atMs, by: run.user } as const;
    if (isAsked) this.stepped = { ...stepRun(this.index, run, heard), isAsked: false };
  }

  get run(): GuideRun {
    return this.stepped.run;
  }

  get at(): string {
    const { place } = this.run;
    return place.type === "step" ? place.id : place.field;
  }

  /** What the record holds of this kind. */
  texts(what: string): readonly (string | undefined)[] {
    return this.run.log.filter((one) => one.what === what).map(({ text }) => text);
  }
}

/** A run of a procedure of these steps that has just begun. */
export function led(steps: readonly Record<string, unknown>[], fields: Record<string, unknown> = {}): Led {
  return new Led(indexGuide(procedureOf(steps, fields)));
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
