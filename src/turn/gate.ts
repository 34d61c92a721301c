/**
 * The gate between a draft and the user: each sentence is judged by every checker before any of it is said. What one
 * bears out and none contradicts passes at once; what has to wait for the rest is held; what does not hold is not said.
 * At the end the gate tells what the answer came to. Checking shares the event loop with all else, and is bounded; a
 * writer that goes on beyond the bounds is stopped, and the user is told.
 */

import type { Phrases } from "../answer/phrases.js";
import type { Persona } from "../capability/capability.js";
import type { DraftEnd, DraftEvent } from "../capability/draft.js";
import type { RouteDecision } from "../domain/answer.js";
import type { TurnEvent } from "../domain/turn.js";
import type { SentenceContext } from "../grounding/check/check.js";
import type { CheckedSentence, Checker, DraftedSentence, Original } from "../grounding/checker.js";
import type { AttributedJudgement } from "../grounding/judge.js";
import { ANSWER_CHARS_MAX, CHECKED_SENTENCES_MAX } from "../grounding/limits.js";
import { systemClock } from "../lib/clock.js";
import { nextRound } from "../lib/pause.js";
import { clauseEnd, clauseSoFar } from "../speech/clause.js";
import { answerOf, isSearchEvent, type SearchEvent, withText } from "./answer.js";
import { checkersFor } from "./checkers.js";
import { type DraftSentence, DraftSentences } from "./draft-sentences.js";
import { Judging } from "./judging.js";
import type { NoAnswer } from "./outcome.js";
import { refusalTest } from "./refusals.js";
import { Release } from "./release.js";
import type { SecondReader } from "./second-reader.js";
import { orElse, whileWaiting } from "./while-waiting.js";

export interface GateJob {
  readonly question: string;
  readonly persona: Persona;
  readonly phrases: Phrases;
  readonly route: RouteDecision;
  /** Absent: that the documents do not answer. */
  readonly notFound?: NoAnswer | undefined;
  /** What somebody is told last who may be in danger, where the documents gave nothing; nothing for all others. */
  readonly caution?: () => string | undefined;
  /** What a sentence is spoken in that does not tell its own language: a BCP 47 tag. */
  readonly language?: string;
  /** Whether a first clause is of use before its sentence is written: for a voice that may be made ready. */
  readonly earlyClause?: boolean;
  /** The wall clock, in Unix milliseconds, by which readings grow old; absent: the system's. */
  readonly nowMs?: () => number;
  /** Who judges; absent: one checker for each kind of evidence. */
  readonly checkers?: readonly Checker[];
  /** Who reads again what the checkers let through; absent: nobody. */
  readonly secondReader?: SecondReader | undefined;
}

/** What sets a clause off from the next one: as the end of a sentence it would look broken off. */
const CLAUSE_MARK = /(?<![\s,;:—–，；：、-])[\s,;:—–，；：、-]+$/u;

/** What a sentence ends with, as far as one can tell before the next one begins. */
const SEEMS_OVER = /[.!?…。！？।]["'”’»)\]*_`]*$/u;

interface JudgedAhead {
  readonly text: string;
  readonly judged: AttributedJudgement | undefined;
}

export class Gate {
  readonly #nowMs: () => number;
  readonly #judging: Judging;
  /** What the draft told of its search. */
  readonly #found: SearchEvent[] = [];
  readonly #isRefusal: (sentence: string) => boolean;
  #question: string;
  #sentences = new DraftSentences();
  /** UTF-16 units, and sentences, that the writer has written. */
  #written = { chars: 0, sentences: 0 };
  #release: Release;
  /** Its first clause was looked at. */
  #clauseOffered = false;
  /** The sentence that was judged before it was known to be over. */
  #ahead: JudgedAhead | undefined;
  #ms = 0;

  constructor(
    private readonly job: GateJob,
    private readonly now: () => number,
    /** Told when the first word has to wait for the last sentence. */
    private readonly onHeld: () => void = () => {},
  ) {
    this.#question = job.question;
    this.#isRefusal = refusalTest(job.phrases);
    this.#nowMs = job.nowMs ?? systemClock.now;
    this.#judging = new Judging(job.checkers ?? checkersFor(job, this.#nowMs));
    this.#release = this.#newRelease();
  }

  #newRelease(): Release {
    return new Release(this.job.phrases, this.#nowMs, this.onHeld);
  }

  /** The draft, with only what holds; its last event is the answer. Throws what the draft throws. */
  async *run(drafts: AsyncIterable<DraftEvent>): AsyncGenerator<TurnEvent, void, undefined> {
    const prepared = whileWaiting(drafts, () => this.#prepare(), this.#hurry);
    for await (const draft of orElse(prepared, () => this.#release.awaited)) {
      yield* this.#release.settled();
      if (draft === undefined) continue;
      yield* this.#timed(this.#take(draft));
      if (draft.type === "end" || !this.#isOverBounds) continue;
      yield* this.#timed(this.#stop());
      return;
    }
  }

  /** Adds up the time until each event, without that which whoever reads them takes. */
  async *#timed(events: AsyncGenerator<TurnEvent>): AsyncGenerator<TurnEvent> {
    for (;;) {
      const startMs = this.now();
      const { done, value } = await events.next();
      this.#ms += this.now() - startMs;
      if (done === true) return;
      yield value;
    }
  }

  get #isOverBounds(): boolean {
    const { chars, sentences } = this.#written;
    return chars > ANSWER_CHARS_MAX || sentences > CHECKED_SENTENCES_MAX || this.#judging.isOutOfTime;
  }

  /** The writer has written more than is checked: as if it had broken off here. */
  async *#stop(): AsyncGenerator<TurnEvent> {
    yield* this.#take({ type: "cut" });
    yield* this.#take({ type: "phrase", text: this.job.phrases.restIsLost });
    yield* this.#take({ type: "end", searched: "found", degraded: true, outcome: "partial" });
  }

  /** Time that nobody waits for, once the writer has asked for what it waits for. */
  async #prepare(): Promise<void> {
    this.#judging.isAwaited = false;
    if (this.#judging.isBehind) {
      await nextRound();
      await this.#judging.prepare();
    }
    await this.#judgeAhead();
  }

  readonly #hurry = (): void => {
    this.#judging.isAwaited = true;
  };

  /** Judges a sentence that seems to be over, before the word comes that shows that it is. */
  async #judgeAhead(): Promise<void> {
    const sentences = this.#sentences;
    const text = sentences.pending.trim();
    if (!SEEMS_OVER.test(text) || this.#ahead?.text === text) return;
    const judged = await this.#judged({ text });
    // Meanwhile the writer may have started over.
    if (this.#sentences === sentences) this.#ahead = { text, judged };
  }

  get #wantsClause(): boolean {
    return this.job.earlyClause === true && !this.#clauseOffered && this.#release.isUntouched;
  }

  /** The writer starts over: nothing that it wrote counts. What it found does. */
  rewind(): void {
    this.#sentences = new DraftSentences();
    this.#release = this.#newRelease();
    this.#clauseOffered = false;
    this.#ahead = undefined;
  }

  /** Time that checking took so far, in milliseconds. */
  get ms(): number {
    return this.#ms;
  }

  async *#take(draft: DraftEvent): AsyncGenerator<TurnEvent> {
    // All else may change what the sentence is held against.
    if (!["text", "phrase", "end"].includes(draft.type)) this.#ahead = undefined;
    switch (draft.type) {
      case "about":
        this.#question = draft.question;
        break;
      case "text":
        this.#written.chars += draft.text.length;
        yield* this.#placeAll(this.#sentences.push(draft.text));
        yield* this.#offerClause();
        break;
      case "claim": {
        this.#written.chars += draft.text.length;
        this.#written.sentences += 1;
        const quote = { source: draft.source, words: draft.quote };
        yield* this.#place({ text: draft.text.trim(), quote });
        break;
      }
      case "statement": {
        this.#written.sentences += 1;
        const { type: _, ...sentence } = draft;
        yield* this.#place(sentence);
        break;
      }
      case "phrase":
        yield* this.#placeAll(this.#sentences.flush());
        yield* this.#release.phrase(draft.text, draft.takenAtMs);
        break;
      case "cut":
        this.#sentences = new DraftSentences();
        this.#release.breakOff();
        break;
      case "end":
        yield* this.#placeAll(this.#sentences.flush());
        yield* this.#conclude(draft);
        break;
      default:
        if (draft.type !== "queries" && draft.type !== "step" && draft.type !== "proposed") {
          this.#judging.add(draft);
          this.job.secondReader?.add(draft);
        }
        if (!isSearchEvent(draft)) break;
        this.#found.push(draft);
        yield draft;
    }
  }

  /** The first clause of the first sentence, once it is there, where it holds by itself and nothing makes it wait. */
  async *#offerClause(): AsyncGenerator<TurnEvent> {
    if (!this.#wantsClause) return;
    const text = this.#sentences.pending.trimStart();
    const end = clauseEnd(text) ?? clauseSoFar(text);
    if (end === undefined) return;
    this.#clauseOffered = true;
    const clause = text.slice(0, end);
    const judged = await this.#judged({ text: clause.replace(CLAUSE_MARK, "") });
    if (judged === undefined) return;
    const { instead, role, verdict, waits } = judged.judgement;
    const holds = role === "claim" && verdict === "supported" && instead === undefined;
    if (holds && waits !== true) yield { type: "clause", text: clause };
  }

  async *#placeAll(sentences: readonly DraftSentence[]): AsyncGenerator<TurnEvent> {
    for (const { isWhole, text } of sentences) {
      this.#written.sentences += 1;
      if (this.#written.sentences > CHECKED_SENTENCES_MAX) return;
      const words = text.trim();
      if (isWhole) yield* this.#place({ text: words });
      else yield* this.#settle(words, this.#judging.tooLong(words));
    }
  }

  async *#place(sentence: DraftedSentence): AsyncGenerator<TurnEvent> {
    const { text } = sentence;
    const ahead = sentence.quote === undefined ? this.#ahead : undefined;
    const judged = await this.#judged(sentence, ahead);
    this.#ahead = undefined;
    if (judged === undefined) return;
    const { original } = judged.judgement;
    if (original !== undefined) yield* this.#placeOriginal(original);
    else if (sentence.quote === undefined && this.#isRefusal(text)) this.#release.refused = true;
    else yield* this.#settle(text, judged);
  }

  /** Hands a judged sentence on, to be told once the second reader has seen it, where there is one that wants to. */
  #settle(text: string, judged: AttributedJudgement): Generator<TurnEvent> {
    const sentence: CheckedSentence = { text, ...judged, said: false };
    return this.#release.place(sentence, this.job.secondReader?.read(sentence, this.#context));
  }

  /** In place of a claim sentences of its source, held to everything that a sentence of the answer is held to. */
  async *#placeOriginal(original: Original): AsyncGenerator<TurnEvent> {
    this.#release.replacing.push(original);
    for (const sentence of original.sentences) {
      const text = sentence.trim();
      if (this.#release.judged.some((one) => one.text === text)) continue;
      const judged = await this.#judged({ text, foreign: original.language });
      if (judged !== undefined) yield* this.#settle(text, judged);
    }
  }

  /** `ahead`: what was judged before, which may be this very sentence. */
  async #judged(sentence: DraftedSentence, ahead?: JudgedAhead): Promise<AttributedJudgement | undefined> {
    return ahead?.text === sentence.text ? ahead.judged : this.#judging.judge(sentence, this.#context);
  }

  get #context(): SentenceContext {
    return { question: this.#question, said: this.#release.said };
  }

  async *#conclude(end: DraftEnd): AsyncGenerator<TurnEvent> {
    const release = this.#release;
    const question = this.#question;
    yield* release.settle();
    const conclude = () => this.#judging.conclude({ ...release.draft, question });
    let conclusions = await conclude();
    if (release.isReadAgain) {
      // The voice of what comes first, if nothing of it is denied.
      const [first] = [...conclusions.values()].flatMap(({ parts }) => parts);
      if (first !== undefined) yield { type: "clause", text: first.text };
      if (await release.isDenied()) conclusions = await conclude();
    }
    yield* release.finish([...conclusions.values()]);
    const { caution, language, notFound, phrases, route } = this.job;
    const parts = { question, phrases, route, notFound, caution, end, found: this.#found, conclusions };
    const { answer, closing } = answerOf(parts, release, this.#nowMs());
    const last = (end.last ?? []).map(({ text }) => text);
    for (const phrase of [...closing, ...last]) yield* release.tell(phrase);
    yield { type: "answer", answer: await withText(answer, release.told, language) };
  }
}
