/** What is wrong with a guide, each with the step it is about and what to do. */

/** The rules that a guide is held to; `docs/guides.md` has what each asks, and what for. */
export const GUIDE_RULES = [
  ...(["shape", "first-step", "step-id", "step-kind", "step-text", "options", "option-fields"] as const),
  ...(["next-exists", "terminal-last", "content-type", "verification-type", "commands", "end-last"] as const),
  ...(["no-branching", "variable-filled", "unreachable", "dead-end", "no-exit", "min-seconds"] as const),
  ...(["range", "one-act", "warning-first", "options-few", "options-apart", "speech-length"] as const),
  ...(["units-said", "source-known", "source-current", "source-says", "source-whole"] as const),
] as const;
export type GuideRule = (typeof GUIDE_RULES)[number];

export interface GuideFinding {
  readonly rule: GuideRule;
  /** Id of the step; absent: the guide as a whole. */
  readonly step?: string | undefined;
  /** What is wrong, as a clause. */
  readonly problem: string;
  /** What to do, as an order. */
  readonly remedy: string;
}

/** One line: "step close-valve: its `text` is missing; write what the worker hears (step-text)". */
export function findingText({ rule, step, problem, remedy }: GuideFinding): string {
  return `${step === undefined ? "the guide" : `step ${step}`}: ${problem}; ${remedy} (${rule})`;
}
