/**
 * One event at work: the run as it is by now, and what is said of it. The stepper makes one for each event and gives out
 * what came of it; how a run comes to another place stands here. Nothing outside is touched.
 */
import { type GuideIndex, isTerminal, nextId } from "../schema/graph.js";
import type { GuideStep } from "../schema/guide.js";
import { STEPS_MAX } from "../schema/schema.js";
import { isGuarded, nameOf, stepAt, valueAskedAt } from "./places.js";
import {
  type GuideRun,
  type LogWhat,
  type RunEvent,
  type RunPlace,
  SAID_CHARS_MAX,
  type Saying,
  type Stepped,
  type Values,
  WAY_BACK_MAX,
} from "./run.js";

/** What counts from the step on that is left: that it was done, and what was recorded. */
interface Passing {
  readonly passed?: GuideStep;
  readonly values?: Values;
}

export class Stepping {
  readonly #says: Saying[] = [];
  #isAsked = false;

  /** `moment`: when, and by whom. */
  constructor(
    readonly index: GuideIndex,
    public run: GuideRun,
    readonly moment: Pick<RunEvent, "atMs" | "by">,
  ) {}

  /** The step that the run is at; undefined in the intake. */
  get step(): GuideStep | undefined {
    return stepAt(this.index, this.run.place);
  }

  /** What came of the event. */
  get stepped(): Stepped {
    return { run: this.run, says: this.#says, isAsked: this.#isAsked };
  }

  say(...says: readonly Saying[]): void {
    this.#says.push(...says);
  }

  /** What is asked anew was not heard yet. */
  set(fields: Partial<GuideRun>): this {
    const isNew = "asks" in fields && fields.asks !== this.run.asks;
    this.run = { ...this.run, ...(isNew && { heardMs: undefined }), ...fields };
    return this;
  }

  /** Nothing has to be said first any more. */
  free(): this {
    return this.set({ asks: undefined });
  }

  /** One more line in the run's record. */
  log(what: LogWhat, text?: string): this {
    const said = text === undefined ? {} : { text: text.slice(0, SAID_CHARS_MAX) };
    const { log, place } = this.run;
    return this.set({ log: [...log, { ...this.moment, what, at: nameOf(place), ...said }] });
  }

  /** On to another step; to nowhere, the run stays. */
  go(to: string | undefined, { passed, values = this.run.values }: Passing = {}): void {
    if (to === undefined || !this.index.steps.has(to)) return this.say({ say: "no_way_on" });
    const before = this.run.passed;
    const isNew = passed !== undefined && isGuarded(passed) && !before.includes(passed.id);
    this.leave({ values, passed: isNew ? [...before, passed.id] : before }, { type: "step", id: to });
  }

  /** On from a step that was done, to what follows or to where an answer led. */
  pass(step: GuideStep, to = nextId(this.index, step)): void {
    this.go(to, { passed: step });
  }

  /** The step's own question, where it has one, comes before the next step. */
  verify(step: GuideStep, { to, values = this.run.values }: { to?: string; values?: Values } = {}): void {
    if (step.verificationPrompt === undefined)
      return this.go(to ?? nextId(this.index, step), { passed: step, values });
    this.set({ values, asks: { type: "verification", to } }).prompt();
  }

  /** To another place; what came before is kept, so that going back undoes what was done since. */
  leave(fields: Partial<GuideRun>, place: RunPlace): void {
    const { passed, place: from, values, wayBack } = this.run;
    this.set({ ...fields, wayBack: [...wayBack, { place: from, values, passed }].slice(-WAY_BACK_MAX) });
    this.arrive(place);
  }

  /** To the place that is `at` in the way back, with all that counted there; nobody has arrived yet. */
  backTo(at: number): this {
    const { wayBack } = this.run;
    return this.set({ ...wayBack[at]!, wayBack: wayBack.slice(0, at) });
  }

  /** At a place for the first time, or again: nothing that was asked elsewhere counts here. */
  arrive(place = this.run.place): void {
    this.#put(place);
    if (this.run.status !== "paused") this.log("arrived").present();
  }

  #put(place: RunPlace): void {
    const asks = stepAt(this.index, place)?.checkDigit && ({ type: "check_digit" } as const);
    // What was done before it was come to again has to be done again.
    const passed = this.run.passed.filter((id) => id !== nameOf(place));
    const fresh = { heardMs: undefined, misses: 0, outOfRange: 0 };
    this.set({ place, passed, asks, sinceMs: this.moment.atMs, ...fresh });
  }

  /** What is said at the place of the run, and what is waited for there. Headings lead on by themselves. */
  present(): void {
    for (let hops = 0; hops <= STEPS_MAX; hops++) {
      const { step } = this;
      if (step?.kind !== "section" || this.run.asks !== undefined) break;
      this.say({ say: "section", step: step.id });
      const next = nextId(this.index, step);
      if (next === undefined || !this.index.steps.has(next)) return this.say({ say: "no_way_on" });
      this.#put({ type: "step", id: next });
      this.log("arrived");
    }
    const { step } = this;
    if (step !== undefined && isTerminal(step)) {
      this.set({ status: "done" }).free().log("finished");
      return this.say({ say: "ended", step: step.id });
    }
    const isFree = this.run.asks === undefined;
    // What a site reads or does is waited for.
    if (isFree && step?.kind === "check") this.set({ asks: { type: "reading" } });
    if (isFree && step?.kind === "operate") this.set({ asks: { type: "operation" } });
    this.prompt();
  }

  /** What is said of where the run is, once more. */
  prompt(slowly = false): void {
    const { asks, place } = this.run;
    this.#isAsked = true;
    const step = nameOf(place);
    switch (asks?.type) {
      case "readback":
        return this.say({ say: "readback", value: withUnit(asks.value, valueAskedAt(this.index, this.run)) });
      case "check_digit":
      case "verification":
      case "person":
        return this.say({ say: asks.type, step });
      case "too_fast":
        return this.say({ say: "too_fast" });
      case "reason":
      case "quit":
        return this.say({ say: `ask_${asks.type}` });
      default:
        return this.say(
          place.type === "intake" ? { say: "field", field: place.field } : { say: "step", step, slowly },
        );
    }
  }
}

export function withUnit(
  value: string | number,
  asked: { readonly unit?: string | undefined } | undefined,
): string {
  return asked?.unit === undefined ? `${value}` : `${value} ${asked.unit}`;
}
