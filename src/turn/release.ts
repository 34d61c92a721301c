/** What the gate lets out of one answer, what it holds back until the draft is over, and what it was told of both. */
import type { Phrases } from "../answer/phrases.js";
import type { TurnEvent } from "../domain/turn.js";
import { type Aging, ageToSay } from "../grounding/age.js";
import {
  type CheckedSentence,
  type Conclusion,
  type Doubt,
  type DraftSoFar,
  isInstruction,
  isSentence,
  type Original,
  type Remark,
} from "../grounding/checker.js";

/** Something that is told in its turn. */
interface InLine {
  /** What a voice may be made of meanwhile; empty: nothing. */
  readonly text: string;
  readonly tell: () => Iterable<TurnEvent>;
  /** Until when it waits by itself; absent: it waits for what is before it alone. */
  readonly until?: Promise<void> | undefined;
}

export class Release {
  /** Everything that was told, in order, fixed phrases included. */
  readonly told: string[] = [];
  /** Everything that claims something, told or not. */
  readonly judged: CheckedSentence[] = [];
  /** Borne out or not: not told before all of the draft has been judged. */
  held: CheckedSentence[] = [];
  /** Words without content: told along with the next sentence that is. */
  readonly fillers: string[] = [];
  readonly questions: CheckedSentence[] = [];
  /** What was judged in place of claims that it cannot be compared with. */
  readonly replacing: Original[] = [];
  /** What qualifies the answer as a whole. */
  readonly doubts: Doubt[] = [];
  /** The writer said itself that it does not know. */
  refused = false;
  /** Something that belongs to the answer was kept back, and the user was told so. */
  withheld = false;
  /** The writer did not come to its end. */
  brokenOff = false;
  /** What the second reader has been asked about, and has not answered for when it came, with all behind it. */
  readonly #line: (InLine & { isReady: boolean })[] = [];
  /** Of sentences that are held: when the second reader has answered for them. */
  readonly #readAgain: Promise<void>[] = [];
  /** Fixed phrases that come behind what is held. */
  readonly #after: string[] = [];
  readonly #remarks = new Set<string>();
  #dated: string | undefined;

  constructor(
    private readonly phrases: Phrases,
    private readonly nowMs: () => number,
    private readonly onHeld: () => void,
  ) {}

  /** Whether the writer has not finished a sentence yet. */
  get isUntouched(): boolean {
    const all = [this.#after, this.judged, this.fillers, this.questions, this.told];
    return !this.refused && all.every(({ length }) => length === 0);
  }

  /** What the checkers conclude from. */
  get draft(): Omit<DraftSoFar, "question"> {
    const { held, judged, refused, replacing } = this;
    return { held, judged, refused, replacing };
  }

  /** What the user has heard when the next sentence comes. */
  get said(): readonly string[] {
    const coming = [...this.#line, ...this.held].map(({ text }) => text);
    return [...this.told, ...coming.filter((text) => text !== "")];
  }

  /** When there may be more to tell; undefined: nothing waits for the second reader alone. */
  get awaited(): Promise<void> | undefined {
    return this.#line[0]?.until;
  }

  /** Tells what is answered for by now. */
  *settled(): Generator<TurnEvent> {
    while (this.#line[0]?.isReady === true) yield* this.#line.shift()!.tell();
  }

  /** Tells all that is in line, as soon as it is answered for. */
  async *settle(): AsyncGenerator<TurnEvent> {
    while (this.#line.length > 0) {
      await this.awaited;
      yield* this.settled();
    }
  }

  /** Whether the second reader was asked about anything that is held. */
  get isReadAgain(): boolean {
    return this.#readAgain.length > 0;
  }

  /** Whether it denies any of that, once it has answered for all of it. */
  async isDenied(): Promise<boolean> {
    await Promise.all(this.#readAgain);
    return this.held.some(({ verified }) => verified === "no");
  }

  /** Decides what becomes of a sentence that was judged. `until`: when the second reader has answered for it. */
  *place(sentence: CheckedSentence, until?: Promise<void>): Generator<TurnEvent> {
    const { role, verdict, waits } = sentence.judgement;
    if (role === "filler") yield* this.#queue({ text: "", tell: () => this.#keep(sentence.text) });
    else if (role === "refusal") this.refused = true;
    else if (role === "question") {
      if (verdict === "supported") this.questions.push(sentence);
    } else {
      this.judged.push(sentence);
      if (this.held.length === 0 && waits !== true) {
        const text = verdict === "supported" ? sentence.text : "";
        yield* this.#queue({ text, until, tell: () => this.#release(sentence) });
      } else {
        if (this.held.length + this.told.length === 0) this.onHeld();
        this.held.push(sentence);
        if (until !== undefined) this.#readAgain.push(until);
      }
    }
  }

  /** What comes behind sentences that wait, waits for them. */
  *phrase(text: string, takenAtMs?: number): Generator<TurnEvent> {
    const age = takenAtMs === undefined ? undefined : this.#dateOf([{ type: "user_input", takenAtMs }]);
    const words = age === undefined ? [text] : [age, text];
    if (this.held.length > 0) this.#after.push(...words);
    else for (const one of words) yield* this.#queue({ text: one, tell: () => this.tell(one) });
  }

  /** Tells it at once, or behind what waits: of that a voice may be made ready. */
  *#queue(next: InLine): Generator<TurnEvent> {
    if (this.#line.length === 0 && next.until === undefined) {
      yield* next.tell();
      return;
    }
    const waiting = { ...next, isReady: next.until === undefined };
    void next.until?.then(() => {
      waiting.isReady = true;
    });
    this.#line.push(waiting);
    if (next.text !== "") yield { type: "clause", text: next.text };
  }

  #keep(filler: string): readonly TurnEvent[] {
    this.fillers.push(filler);
    return [];
  }

  /** Instructions that broke off: what is missing of them is not known, so none of them is said. */
  breakOff(): void {
    this.brokenOff = true;
    this.held = this.held.filter(({ judgement }) => !isInstruction(judgement));
  }

  /** What waited, as far as it may be said. */
  *finish(conclusions: readonly Conclusion[]): Generator<TurnEvent> {
    this.withheld = conclusions.some(({ withheld }) => withheld);
    for (const part of conclusions.flatMap(({ parts }) => parts))
      yield* isSentence(part) ? this.#release(part) : this.#remark(part);
    for (const text of this.#after.splice(0)) yield* this.tell(text);
  }

  *tell(text: string): Generator<TurnEvent> {
    this.told.push(text);
    yield { type: "text", text: `${text} ` };
  }

  *#release(sentence: CheckedSentence): Generator<TurnEvent> {
    const { before = [], evidence, instead, isLive, verdict } = sentence.judgement;
    if (verdict !== "supported") return;
    if (instead !== undefined) {
      yield* this.#remark(instead);
      return;
    }
    for (const filler of this.fillers.splice(0)) yield* this.tell(filler);
    for (const remark of before) yield* this.#remark(remark);
    const dated = this.#dateOf(evidence);
    if (dated !== undefined) {
      sentence.dated = dated;
      // Of sentences in a row that are as old, it is said once.
      if (dated !== this.#dated) yield* this.tell(dated);
    }
    this.#dated = dated;
    sentence.said = true;
    sentence.saidAtMs = this.nowMs();
    yield* this.tell(sentence.text);
    if (isLive === true && dated === undefined) {
      sentence.dated = this.phrases.checkedNow;
      yield* this.#remark({ text: sentence.dated, once: sentence.dated });
    }
  }

  *#remark({ doubt, once, text }: Remark): Generator<TurnEvent> {
    if (once !== undefined && this.#remarks.has(once)) return;
    if (once !== undefined) this.#remarks.add(once);
    if (doubt !== undefined) this.doubts.push(doubt);
    yield* this.tell(text);
  }

  /** The words before what is not so now, as far as we know. */
  #dateOf(evidence: readonly Aging[]): string | undefined {
    const ageMs = ageToSay(evidence, this.nowMs());
    return ageMs === undefined ? undefined : this.phrases.asOf(ageMs);
  }
}
