/** What a rule of guides is: it looks at one step after the other, in the light of the guide as a whole. */
import type { GuideRule } from "../schema/finding.js";
import type { GuideIndex } from "../schema/graph.js";
import type { Guide, GuideStep } from "../schema/guide.js";

export interface StepRule {
  readonly rule: GuideRule;
  /** What to do, as an order. */
  readonly remedy: string;
  /** What is wrong with a step, as clauses; nothing where it keeps the rule. */
  readonly problems: (step: GuideStep, look: Look) => readonly string[] | string | false | undefined;
}

/** A guide, and what several rules ask of it. */
export interface Look {
  readonly guide: Guide;
  readonly index: GuideIndex;
  /** Steps that a run can come to. */
  readonly reached: ReadonlySet<string>;
  /** The same, where nothing has been locked out or isolated before. */
  readonly unlocked: ReadonlySet<string>;
  /** Steps from which an end or a solution can be come to, these included. */
  readonly ending: ReadonlySet<string>;
  /** By variables that the intake does not fill: the steps that can be come to before anything else does. */
  readonly unfilled: ReadonlyMap<string, ReadonlySet<string>>;
}
