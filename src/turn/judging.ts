/** Asks all checkers about the sentences of one answer, within the computing time that an answer has for it. */

import type { SentenceContext } from "../grounding/check/check.js";
import { tooLong } from "../grounding/check/check-sentence.js";
import type {
  Checker,
  Conclusion,
  DraftedSentence,
  DraftSoFar,
  EvidenceEvent,
} from "../grounding/checker.js";
import { type AttributedJudgement, judgeInSteps, judgementOf, unjudged } from "../grounding/judge.js";
import { CHECK_MS_MAX } from "../grounding/limits.js";
import { Haste } from "../lib/pause.js";
import { gently, type Steps, WorkBudget } from "../lib/steps.js";
import { speakable } from "../speech/speakable.js";

/** How much of the event loop the looks at one piece of a draft may take before others of its peer, in milliseconds. */
const AWAITED_MS_MAX = 20;

export class Judging {
  readonly #budget = new WorkBudget(CHECK_MS_MAX);
  readonly #haste = new Haste();
  /** What sentences may rest on, as far as the checkers have not taken it in. */
  readonly #unread: EvidenceEvent[] = [];

  constructor(private readonly checkers: readonly Checker[]) {}

  get isOutOfTime(): boolean {
    return this.#budget.isSpent;
  }

  /** Keeps what sentences may rest on until there is time to look at it, or a sentence to judge. */
  add(event: EvidenceEvent): void {
    this.#unread.push(event);
  }

  /** Whether there is evidence to take in. */
  get isBehind(): boolean {
    return this.#unread.length > 0;
  }

  /** Takes in the evidence: time that nobody waits for, while the writer thinks of its first word. */
  async prepare(): Promise<void> {
    for (const event of this.#unread.splice(0))
      for (const checker of this.checkers) await this.#gently(checker.add(event));
  }

  /** What it does from now on is waited for, or no longer. */
  set isAwaited(isAwaited: boolean) {
    if (isAwaited) this.#haste.begin(AWAITED_MS_MAX);
    else this.#haste.end();
  }

  /** What the checkers say of a sentence; undefined when it has no words. */
  async judge(sentence: DraftedSentence, context: SentenceContext): Promise<AttributedJudgement | undefined> {
    const text = speakable(sentence.text);
    if (text === "") return undefined;
    await this.prepare();
    const words = { ...sentence, text };
    return (await this.#gently(judgeInSteps(words, context, this.checkers))) ?? unjudged(words);
  }

  /** Of a sentence of which only the beginning is known. */
  tooLong(beginning: string): AttributedJudgement {
    return { judgement: judgementOf(tooLong(beginning)), by: undefined };
  }

  /** What each concludes. What waited is decided even where checking took all its time: that has time of its own. */
  async conclude(draft: DraftSoFar): Promise<ReadonlyMap<Checker, Conclusion>> {
    await this.prepare();
    const conclusions = new Map<Checker, Conclusion>();
    for (const checker of this.checkers) {
      const conclusion = await gently(checker.conclude(draft), new WorkBudget(CHECK_MS_MAX), this.#haste);
      const nothing = { parts: [], withheld: draft.held.length > 0, relevance: undefined };
      conclusions.set(checker, conclusion ?? nothing);
    }
    return conclusions;
  }

  #gently<T>(steps: Steps<T>): Promise<T | undefined> {
    return gently(steps, this.#budget, this.#haste);
  }
}
