/** What is wrong with a guide, each with the step it is about and what to do. */

/** The rules that a guide is held to, and what each asks. `docs/guides.md` has them with what they are for. */
export const GUIDE_RULES = {
  shape: "the file has the fields of its format, each as it has to be",
  "first-step": "a tree begins with a question, or with a reading that answers one",
  "step-id": "every step has an id, and no two have the same",
  "step-kind": "every step is of a known kind",
  options: "a question has at least one option",
  "option-fields":
    "every option has an id of its own in its question, a label, and the step that it leads to",
  "next-exists": "every step that is named exists",
  "step-text": "every step has what its kind needs: a title, a text, a question",
  "terminal-last": "nothing follows a solution",
  "content-type": "a content type is action, informational, verification or warning",
  "verification-type": "a verification is a checkbox or a text input",
  commands: "every command has its code",
  "end-last": "the last step of a procedure is its end",
  "no-branching": "a procedure that another program takes is a list without branches",
  "variable-filled":
    "every variable is a required field of the intake form, or recorded on every way to where it is said",
  unreachable: "some way leads to every step",
  "dead-end": "every step but an end or a solution leads on",
  "no-exit": "from every step some way leads to an end or a solution",
  "min-seconds": "only a critical step has a minimum of seconds",
  range: "a range has its lower bound first, and is one of numbers",
  "one-act": "a step asks for one act",
  "warning-first":
    "a warning is said before the act, and an act that is dangerous has one, or a lock-out before it",
  "options-few": "a question has four options at the most",
  "options-apart": "options and their synonyms sound apart",
  "speech-length": "a step is said in less than 15 seconds",
  "units-said": "a number that is measured has a unit that can be said",
  "source-known": "every passage that is named exists; in a draft from a document every step names one",
  "source-current": "every document has the revision that the guide was written by",
  "source-says": "the passage of a step says what the step says",
  "source-whole": "a draft says all steps and warnings of what it leads through, in their order",
} as const satisfies Readonly<Record<string, string>>;
export type GuideRule = keyof typeof GUIDE_RULES;

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
