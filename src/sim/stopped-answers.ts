/** Checks that the words heard of an interrupted answer begin some whole answer to the same question [LT-87]. */
import type { CommandEvent, SentEvent } from "./trace.js";

interface StoppedAnswer {
  readonly question: string;
  readonly text: string;
  readonly event: CommandEvent;
}

/** Different whole answers to one question that are kept. */
const ANSWERS_KEPT_MAX = 32;

export class StoppedAnswers {
  readonly #whole = new Map<string, Set<string>>();
  readonly #heard: StoppedAnswer[] = [];

  add(asked: SentEvent | undefined, event: CommandEvent, text: string, interrupted: boolean): void {
    const question = asked?.question;
    if (question === undefined) return;
    if (interrupted) {
      this.#heard.push({ question, text, event });
      return;
    }
    const answers = this.#whole.get(question) ?? new Set();
    if (answers.size < ANSWERS_KEPT_MAX) answers.add(text);
    this.#whole.set(question, answers);
  }

  /** Interrupted answers that begin no whole answer to their question, where there is one. */
  contradictions(): readonly StoppedAnswer[] {
    return this.#heard.filter(({ question, text }) => {
      const answers = this.#whole.get(question);
      return answers !== undefined && ![...answers].some((answer) => answer.startsWith(text));
    });
  }
}
