/**
 * The gate between a draft and the user: each sentence is checked against the evidence before any of it is said. What
 * holds passes at once; where steps or warnings are involved everything waits until all of it has passed; what does not
 * hold is not said. At the end the gate tells what the answer came to. Checking shares the event loop with all else,
 * and is bounded; a writer that goes on beyond the bounds is stopped, and the user is told.
 */

import { oldRevisionIn } from "../answer/old-revision.js";
import type { Phrases } from "../answer/phrases.js";
import { sourceAloud } from "../answer/source.js";
import type { Persona } from "../capability/capability.js";
import type { DraftEnd, DraftEvent } from "../capability/draft.js";
import type { Answer, RouteDecision } from "../domain/answer.js";
import type { Passage } from "../domain/passage.js";
import type { TurnEvent } from "../domain/turn.js";
import type { SentenceCheck } from "../grounding/check/check.js";
import { checkInSteps, outOfTime, tooLong } from "../grounding/check/check-sentence.js";
import { originalOf, type QuotedClaim, quotedInSteps } from "../grounding/check/quoted.js";
import { conflictsInSteps } from "../grounding/conflict.js";
import {
  type EvidenceText,
  type PreparedEvidence,
  prepareEvidence,
  prepareInSteps,
} from "../grounding/evidence.js";
import { withoutDictation, withoutInjections } from "../grounding/injection.js";
import { languageOfQuestion } from "../grounding/language.js";
import { ANSWER_CHARS_MAX, CHECK_MS_MAX, CHECKED_SENTENCES_MAX } from "../grounding/limits.js";
import { passageEvidence } from "../grounding/passage-evidence.js";
import { pause } from "../lib/pause.js";
import { splitSentences } from "../lib/sentence-end.js";
import { gently, type Steps, WorkBudget } from "../lib/steps.js";
import { clauseEnd } from "../speech/clause.js";
import { speakable } from "../speech/speakable.js";
import { type AnswerParts, answerOf } from "./answer.js";
import type { CheckedSentence } from "./checked-sentence.js";
import { disagreement } from "./conflict.js";
import { type DraftSentence, DraftSentences } from "./draft-sentences.js";
import { isUntouched, nothingYet } from "./gate-progress.js";
import { holdsProcedure, isInstruction, judgeProcedure, mustWait } from "./procedure.js";
import { spokenWords } from "./spoken.js";
import { whileWaiting } from "./while-waiting.js";

export interface GateJob {
  readonly question: string;
  readonly persona: Persona;
  readonly phrases: Phrases;
  readonly route: RouteDecision;
  /** What is said where the documents do not answer; absent: that they do not. */
  readonly notFound?: string | undefined;
  /** What a sentence is spoken in that does not tell its own language: a BCP 47 tag. */
  readonly language?: string;
  /** Whether a first clause is of use before its sentence is written: for a voice that may be made ready. */
  readonly earlyClause?: boolean;
}

/** What sets a clause off from the next one: as the end of a sentence it would look broken off. */
const CLAUSE_MARK = /(?<![\s,;:—–，；：、-])[\s,;:—–，；：、-]+$/u;

/** What a sentence ends with, as far as one can tell before the next one begins. */
const SEEMS_OVER = /[.!?…。！？।]["'”’»)\]*_`]*$/u;

export class Gate {
  readonly #queries: string[] = [];
  readonly #passages = new Map<string, Passage>();
  readonly #texts: EvidenceText[] = [];
  /** What to say before that which rests on a source, by source. */
  readonly #introductions = new Map<string, string>();
  /** What the writer was told to say where the documents do not answer, folded. */
  readonly #refusals: ReadonlySet<string>;
  #prepared: PreparedEvidence | undefined;
  #question: string;
  #sentences = new DraftSentences();
  readonly #budget = new WorkBudget(CHECK_MS_MAX);
  /** UTF-16 units, and sentences, that the writer has written. */
  #written = { chars: 0, sentences: 0 };
  #progress = nothingYet();
  /** The sentence that was checked before it was known to be over. */
  #ahead: { readonly text: string; readonly check: SentenceCheck | undefined } | undefined;
  #ms = 0;

  constructor(
    private readonly job: GateJob,
    private readonly now: () => number,
    /** Told when the first word has to wait for the last sentence. */
    private readonly onHeld: () => void = () => {},
  ) {
    this.#question = job.question;
    this.#refusals = refusalsOf(job.phrases);
  }

  /** The draft, with only what holds; its last event is the answer. Throws what the draft throws. */
  async *run(drafts: AsyncIterable<DraftEvent>): AsyncGenerator<TurnEvent, void, undefined> {
    for await (const draft of whileWaiting(drafts, () => this.#prepare())) {
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
    return chars > ANSWER_CHARS_MAX || sentences > CHECKED_SENTENCES_MAX || this.#budget.isSpent;
  }

  /** The writer has written more than is checked: as if it had broken off here. */
  async *#stop(): AsyncGenerator<TurnEvent> {
    yield* this.#take({ type: "cut" });
    yield* this.#take({ type: "phrase", text: this.job.phrases.restIsLost });
    yield* this.#take({ type: "end", searched: "found", degraded: true, outcome: "partial" });
  }

  /** Takes the evidence apart: time that nobody waits for, while the writer thinks of its first word. */
  async #prepare(): Promise<void> {
    if (this.#texts.length > 0) await this.#evidence();
    for (const passage of this.#passages.values()) {
      await pause();
      holdsProcedure(passage);
    }
    await this.#checkAhead();
  }

  /** Checks a sentence that seems to be over, before the word comes that shows that it is. */
  async #checkAhead(): Promise<void> {
    const sentences = this.#sentences;
    const text = sentences.pending.trim();
    if (this.#texts.length === 0 || !SEEMS_OVER.test(text) || this.#ahead?.text === text) return;
    const check = await this.#checked(text);
    // Meanwhile the writer may have started over.
    if (this.#sentences === sentences) this.#ahead = { text, check };
  }

  /** The writer starts over: nothing that it wrote counts. What it found does. */
  rewind(): void {
    this.#sentences = new DraftSentences();
    this.#progress = nothingYet();
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
      case "queries":
        this.#queries.push(...draft.queries);
        yield draft;
        break;
      case "passages":
        for (const passage of draft.passages) await this.#addPassage(passage);
        yield draft;
        break;
      case "evidence":
        for (const one of draft.texts) {
          await pause();
          this.#addEvidence({ ...one, text: withoutInjections(one.text) });
        }
        if (draft.introducedBy !== undefined)
          for (const { source } of draft.texts) this.#introductions.set(source, draft.introducedBy);
        break;
      case "about":
        this.#question = draft.question;
        break;
      case "text":
        this.#written.chars += draft.text.length;
        yield* this.#judgeAll(this.#sentences.push(draft.text));
        yield* this.#offerClause();
        break;
      case "claim":
        this.#written.chars += draft.text.length;
        this.#written.sentences += 1;
        yield* this.#judgeQuoted(draft);
        break;
      case "phrase":
        yield* this.#finishSentence();
        // What comes behind sentences that wait, waits for them.
        if (this.#progress.held.length > 0) this.#progress.after.push(draft.text);
        else yield* this.#tell(draft.text);
        break;
      case "cut":
        this.#sentences = new DraftSentences();
        this.#progress.brokenOff = true;
        this.#forgetSteps();
        break;
      case "end":
        yield* this.#finishSentence();
        yield* this.#conclude(draft);
        break;
    }
  }

  /** A procedure that broke off: what is missing of it is not known, so none of it is said. */
  #forgetSteps(): void {
    const { held } = this.#progress;
    held.splice(0, held.length, ...held.filter(({ check }) => !isInstruction(check)));
  }

  /** The first clause of the first sentence, once it is there, where it holds by itself and nothing makes it wait. */
  async *#offerClause(): AsyncGenerator<TurnEvent> {
    const progress = this.#progress;
    if (this.job.earlyClause !== true || progress.clauseOffered || !isUntouched(progress)) return;
    const text = this.#sentences.pending.trimStart();
    const end = clauseEnd(text);
    if (end === undefined) return;
    progress.clauseOffered = true;
    const clause = text.slice(0, end);
    const check = await this.#checked(clause.replace(CLAUSE_MARK, ""));
    const holds = check?.role === "claim" && check.verdict === "supported";
    if (holds && !mustWait(check, this.#passages)) yield { type: "clause", text: clause };
  }

  async #addPassage(passage: Passage): Promise<void> {
    await pause();
    if (!this.#passages.has(passage.chunkId)) this.#addEvidence(passageEvidence(passage));
    this.#passages.set(passage.chunkId, passage);
  }

  #addEvidence(text: EvidenceText): void {
    this.#texts.push(text);
    this.#prepared = undefined;
  }

  #gently<T>(steps: Steps<T>): Promise<T | undefined> {
    return gently(steps, this.#budget);
  }

  /** Undefined when there is no time left to take it apart. */
  async #evidence(): Promise<PreparedEvidence | undefined> {
    this.#prepared ??= await this.#gently(prepareInSteps(this.#texts));
    return this.#prepared;
  }

  async *#finishSentence(): AsyncGenerator<TurnEvent> {
    yield* this.#judgeAll(this.#sentences.flush());
  }

  async *#judgeAll(sentences: readonly DraftSentence[]): AsyncGenerator<TurnEvent> {
    for (const sentence of sentences) {
      this.#written.sentences += 1;
      if (this.#written.sentences > CHECKED_SENTENCES_MAX) return;
      yield* this.#judge(sentence);
    }
  }

  async *#judge(sentence: DraftSentence): AsyncGenerator<TurnEvent> {
    const text = sentence.text.trim();
    if (!sentence.isWhole) {
      yield* this.#place({ text, check: tooLong(text), said: false });
      return;
    }
    const check = this.#ahead?.text === text ? this.#ahead.check : await this.#checked(text);
    this.#ahead = undefined;
    if (check === undefined) return;
    if (this.#refusals.has(folded(text))) {
      this.#progress.refused = true;
      return;
    }
    yield* this.#place({ text, check, said: false });
  }

  /** The check of a sentence; undefined when it has no words. */
  async #checked(text: string): Promise<SentenceCheck | undefined> {
    const words = speakable(text);
    if (words === "") return undefined;
    return this.#check(words, (evidence) => checkInSteps(words, evidence, this.#context()));
  }

  async #check(
    words: string,
    work: (evidence: PreparedEvidence) => Steps<SentenceCheck>,
  ): Promise<SentenceCheck> {
    const evidence = await this.#evidence();
    const check = evidence && (await this.#gently(work(evidence)));
    return check ?? outOfTime(words);
  }

  async *#judgeQuoted(claim: { readonly text: string; readonly source: string; readonly quote: string }) {
    const text = claim.text.trim();
    const words = speakable(text);
    if (words === "") return;
    const quoted = { ...claim, text: words };
    const check = await this.#check(words, (evidence) => quotedInSteps(quoted, evidence, this.#context()));
    if (await this.#isForeign(quoted, check)) yield* this.#placeOriginal(quoted);
    else yield* this.#place({ text, check, said: false });
  }

  /** Whether a claim cannot be compared with what it quotes, since that is in another language. */
  async #isForeign(claim: QuotedClaim, { verdict }: SentenceCheck): Promise<boolean> {
    const evidence = await this.#evidence();
    return (
      verdict !== "supported" && evidence !== undefined && this.#originalOf(claim, evidence) !== undefined
    );
  }

  #originalOf(claim: QuotedClaim, evidence: PreparedEvidence) {
    return originalOf(claim, evidence, languageOfQuestion(this.#question) ?? this.job.language);
  }

  /** In place of a claim the sentences that it quotes, held to everything that a sentence of the answer is held to. */
  async *#placeOriginal(claim: QuotedClaim): AsyncGenerator<TurnEvent> {
    const evidence = await this.#evidence();
    const original = evidence && this.#originalOf(claim, evidence);
    if (original === undefined) return;
    const { language: foreign } = original;
    this.#progress.foreign ??= { source: claim.source, language: foreign };
    for (const sentence of original.sentences) {
      const text = sentence.trim();
      if (this.#progress.checked.some((one) => one.text === text)) continue;
      const check = await this.#checked(text);
      if (check !== undefined) yield* this.#place({ text, check, said: false, foreign });
    }
  }

  #context() {
    const { told, held } = this.#progress;
    return { question: withoutDictation(this.#question), said: [...told, ...held.map(({ text }) => text)] };
  }

  /** Decides what becomes of a checked sentence. */
  async *#place(sentence: CheckedSentence): AsyncGenerator<TurnEvent> {
    const { checked, fillers, held, questions } = this.#progress;
    const { role, verdict } = sentence.check;
    if (role === "filler") {
      fillers.push(sentence.text);
      return;
    }
    if (role === "refusal") {
      this.#progress.refused = true;
      return;
    }
    if (role === "question") {
      if (verdict === "supported") questions.push(sentence);
      return;
    }
    checked.push(sentence);
    const waits = held.length > 0 || mustWait(sentence.check, this.#passages);
    if (waits) {
      if (held.length === 0 && this.#progress.told.length === 0) this.onHeld();
      held.push(sentence);
    } else if (verdict === "supported") {
      yield* this.#release(sentence);
    }
  }

  async *#release(sentence: CheckedSentence): AsyncGenerator<TurnEvent> {
    const { check, text } = sentence;
    const evidence = await this.#evidence();
    const conflicts = evidence && (await this.#gently(conflictsInSteps(text, check, evidence)));
    if (conflicts === undefined) {
      // Whether another document says otherwise is not known.
      sentence.check = outOfTime(text);
      return;
    }
    if (conflicts[0] !== undefined) {
      if (!this.#progress.conflicting)
        yield* this.#tell(disagreement(conflicts[0], this.#passages, this.job.phrases));
      this.#progress.conflicting = true;
      return;
    }
    for (const filler of this.#progress.fillers.splice(0)) yield* this.#tell(filler);
    yield* this.#correctRevision(sentence);
    yield* this.#introduce(sentence);
    sentence.said = true;
    yield* this.#tell(sentence.text);
  }

  /** Says, once, that a sentence is from another revision than was asked about; a kiosk names no documents. */
  *#correctRevision({ check }: CheckedSentence): Generator<TurnEvent> {
    const passage = this.#passages.get(check.evidence[0]?.source ?? "");
    if (passage === undefined || this.#progress.superseding !== undefined) return;
    if (this.job.persona === "kiosk") return;
    const asked = oldRevisionIn(this.#question, [passage], this.job.phrases.locale);
    if (asked === undefined) return;
    this.#progress.superseding = passage;
    yield* this.#tell(this.job.phrases.superseded(asked.old, asked.current));
  }

  /** Says that a sentence does not come from a document, where that is so. */
  *#introduce({ check, foreign }: CheckedSentence): Generator<TurnEvent> {
    const { introduced } = this.#progress;
    const [best] = check.evidence;
    if (best !== undefined && foreign !== undefined) {
      const words = this.job.phrases.saysInLanguage(this.#nameOf(best.source), foreign);
      if (!introduced.has(words)) yield* this.#tell(words);
      introduced.add(words);
      return;
    }
    if (best === undefined || check.evidence.some(({ type }) => type === "passage")) return;
    const introduction = this.#introductions.get(best.source);
    if (introduction === undefined || introduced.has(introduction)) return;
    introduced.add(introduction);
    yield* this.#tell(introduction);
  }

  /** A document as it is named aloud. */
  #nameOf(source: string): string {
    const passage = this.#passages.get(source);
    return passage === undefined ? "" : sourceAloud(passage, this.job.phrases.locale);
  }

  /** Where nothing of a document in another language could be said: that it is there. */
  *#pointTo(): Generator<TurnEvent> {
    const { checked, conflicting, foreign, withheld } = this.#progress;
    const isSaid = checked.some(({ said }) => said);
    if (foreign === undefined || isSaid || withheld || conflicting) return;
    this.#progress.withheld = true;
    yield* this.#tell(this.job.phrases.hasInLanguage(this.#nameOf(foreign.source), foreign.language));
  }

  *#tell(text: string): Generator<TurnEvent> {
    this.#progress.told.push(text);
    yield { type: "text", text: `${text} ` };
  }

  async *#conclude(end: DraftEnd): AsyncGenerator<TurnEvent> {
    const { held, refused } = this.#progress;
    const evidence = (await this.#evidence()) ?? prepareEvidence([]);
    const procedure = judgeProcedure({ held, refused }, evidence, this.#passages, this.job.phrases);
    this.#progress.withheld = procedure.type === "withheld";
    const foreign = procedure.parts.find((part) => typeof part !== "string" && part.foreign !== undefined);
    // A warning that the writer left out comes first, and is in the document's language as well.
    if (foreign !== undefined && typeof foreign !== "string") yield* this.#introduce(foreign);
    for (const part of procedure.parts) {
      if (typeof part === "string") yield* this.#tell(part);
      else yield* this.#release(part);
    }
    yield* this.#pointTo();
    for (const phrase of this.#progress.after) yield* this.#tell(phrase);
    const parts: AnswerParts = {
      ...this.#progress,
      ...this.job,
      question: this.#question,
      end,
      queries: this.#queries,
      passages: [...this.#passages.values()],
    };
    const { answer, closing } = answerOf(parts);
    for (const phrase of closing) yield* this.#tell(phrase);
    yield { type: "answer", answer: await withText(answer, this.#progress.told, this.job.language) };
  }
}

/** The writer may say these in any language, and in an operator's own words. */
function refusalsOf({ notInDocuments, searchUnavailable, talk }: Phrases): ReadonlySet<string> {
  const phrases = [notInDocuments, searchUnavailable, talk.notInAttached];
  return new Set(phrases.flatMap(splitSentences).map(folded));
}

function folded(sentence: string): string {
  return sentence
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

async function withText(
  answer: Omit<Answer, "text" | "spoken">,
  told: readonly string[],
  language: string | undefined,
): Promise<Answer> {
  const spoken: string[] = [];
  for (const sentence of told) {
    await pause();
    spoken.push(spokenWords(sentence, language));
  }
  return { ...answer, text: told.join(" "), spoken: spoken.filter((words) => words !== "").join(" ") };
}
