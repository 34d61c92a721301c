/**
 * A service that has just started takes a hundred times as long for its first answer as for its hundredth: what it runs
 * is not compiled yet. So it asks and answers itself, by what every turn runs and without any provider, before the first
 * user does.
 */
import { phrasesFor } from "../answer/phrases.js";
import type { DraftEvent } from "../capability/draft.js";
import { type Passage, passageOf } from "../domain/passage.js";
import { systemClock } from "../lib/clock.js";
import { pause } from "../lib/pause.js";
import { shippedEntries } from "../lib/shipped-files.js";
import { emergencyIn } from "../locale/emergency.js";
import type { Locale } from "../locale/locale.js";
import { utterance } from "../routing/normalized-message.js";
import { take } from "../routing/take.js";
import { Gate } from "./gate.js";
import { spokenWords } from "./spoken-words.js";

/** Answers; by the last of them time and again nothing is left to compile. */
const ROUNDS = 24;
const PASSAGES = 5;

export class Rehearsal {
  #isStopped = false;
  #done: Promise<number> | undefined;

  /** `locale`: the language of the fixed phrases; `msMax`: computing and waiting together, a busy machine does fewer rounds. */
  constructor(
    private readonly locale: Locale,
    private readonly msMax: number,
  ) {}

  /** Begins it, in the time that nothing else needs. */
  start(): void {
    // Nobody waits for it, and nothing but speed is lost with it.
    this.#done = this.#run().catch(() => 0);
  }

  /** Resolves when nothing of it runs any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#done;
  }

  /** How many answers were said from beginning to end, once it is over. */
  get done(): Promise<number> {
    return this.#done ?? Promise.resolve(0);
  }

  async #run(): Promise<number> {
    const { things = "", ...texts } = shippedEntries("locales/words/rehearsal.txt");
    const names = things.split(" ");
    let said = 0;
    const untilMs = systemClock.monotonic() + this.msMax;
    for (let round = 0; round < ROUNDS; round++) {
      if (this.#isStopped || systemClock.monotonic() > untilMs) break;
      const filled = (text = "", n = round) =>
        text.replaceAll("{thing}", names[round % names.length]!).replaceAll("{n}", String(n + 2));
      const question = filled(texts.question);
      emergencyIn(question);
      take([], question);
      utterance(question);
      const passages = Array.from({ length: PASSAGES }, (_, i) => {
        const id = `${round}-${i}`;
        const text = filled(i === 0 ? texts.passage : texts.steps, round + i);
        return passageOf({ chunkId: id, documentId: id, title: id, sourceFile: id, text, score: 1 });
      });
      if (await isAnswered(question, passages, filled(texts.answer), this.locale)) said += 1;
    }
    return said;
  }
}

async function isAnswered(
  question: string,
  passages: readonly Passage[],
  answer: string,
  locale: Locale,
): Promise<boolean> {
  const { language } = locale;
  const route = { route: "rehearsal", layer: "rule", confidence: 1 } as const;
  const said = { persona: "default", phrases: phrasesFor("default", locale), route, language } as const;
  const gate = new Gate({ question, ...said, earlyClause: true }, () => systemClock.monotonic());
  for await (const event of gate.run(draftOf(question, passages, answer)))
    if (event.type === "text") spokenWords(event.text, language);
    else if (event.type === "answer") return event.answer.outcome === "answered";
  return false;
}

/** As a model drafts it: word by word. */
async function* draftOf(
  question: string,
  passages: readonly Passage[],
  answer: string,
): AsyncGenerator<DraftEvent, void, undefined> {
  yield { type: "queries", queries: [question] };
  yield { type: "passages", passages };
  for (const text of answer.match(/\S+\s*/g) ?? []) {
    await pause();
    yield { type: "text", text };
  }
  yield { type: "end", searched: "found", degraded: false };
}
