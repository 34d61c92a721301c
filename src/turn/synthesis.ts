/**
 * The script turned into packets: the sentence that is playing and a few after it are synthesized at the same time,
 * and packets come out in the order of the text. The first clause may be made ready before its sentence is in the
 * script; no packet of it comes out before that.
 */
import type { Condition } from "../lib/condition.js";
import { SentenceSplitter } from "../speech/sentences.js";
import { restAfter } from "./early-clause.js";
import type { SpokenUnit } from "./heard.js";
import type { Script } from "./script.js";
import { SpeechUnit, type SynthesisDeps, type SynthesisJob } from "./speech-unit.js";
import { spokenWords } from "./spoken-words.js";

/** Sentences being synthesized beyond the one that is playing. */
export const UNITS_AHEAD_MAX = 2;

export class Synthesis {
  /** The playing sentence first. */
  #units: SpeechUnit[] = [];
  /** Made ready before they are in the script, in the order in which they are likely to come. */
  #early: SpeechUnit[] = [];
  readonly #spoken: { readonly unit: SpeechUnit; readonly firstPid: number }[] = [];

  constructor(
    private readonly script: Script,
    private readonly changed: Condition,
    private readonly deps: SynthesisDeps,
    private readonly job: SynthesisJob,
  ) {}

  /**
   * The next packet, which will leave as `pid`; `pending`: it is not there yet. Throws what synthesis or the script's
   * writer failed with.
   */
  next(pid: number): Uint8Array | "pending" | "end" {
    for (;;) {
      this.#topUp();
      const unit = this.#units[0];
      if (unit === undefined) return this.script.exhausted ? "end" : "pending";
      const taken = unit.take();
      if (taken === "done") {
        this.#units.shift();
        continue;
      }
      if (taken !== "pending" && this.#spoken.at(-1)?.unit !== unit) this.#begin(unit, pid);
      return taken;
    }
  }

  /** Makes the voice of what is likely to come next ready, as far as that is not on its way already. */
  prepare(text: string): void {
    const last = this.#early.at(-1);
    const rest = last === undefined ? undefined : restAfter(last.text, text, this.job.language);
    for (const piece of piecesOf(rest ?? text))
      if (this.#units.length + this.#early.length <= UNITS_AHEAD_MAX) this.#early.push(...this.#unit(piece));
  }

  /** What has been spoken so far, for counting the words heard. */
  spoken(packetMs: number): SpokenUnit[] {
    return this.#spoken.map(({ unit, firstPid }) => ({
      text: unit.text,
      firstPid,
      packets: unit.packets,
      packetMs,
      complete: unit.complete,
    }));
  }

  /** Stops every synthesis under way and forgets it. */
  abort(): void {
    this.#discardEarly();
    for (const unit of this.#units) unit.abort();
    this.#units = [];
  }

  #begin(unit: SpeechUnit, firstPid: number): void {
    this.#spoken.push({ unit, firstPid });
    this.deps.telemetry.emit({
      type: "sentence_spoken",
      user: this.job.request.user,
      pid: firstPid,
      text: unit.text,
    });
  }

  #topUp(): void {
    while (this.#units.length < 1 + UNITS_AHEAD_MAX) {
      const sentence = this.script.take();
      if (sentence === undefined) return;
      this.#units.push(...this.#unit(this.#afterEarly(sentence)).map((unit) => unit.adopt()));
    }
  }

  /** What is left of `sentence` after what was made ready of it. */
  #afterEarly(sentence: string): string {
    let rest = sentence;
    for (;;) {
      const [index, after] = this.#readyFor(rest);
      if (after === undefined) break;
      // What was to come before it does not come any more.
      this.#discardEarly(index);
      this.#units.push(this.#early.shift()!.adopt());
      this.#tellEarly("saved");
      rest = after;
    }
    if (rest === sentence && !this.#isBegun) this.#discardEarly();
    return rest;
  }

  /** Which piece that was made ready `sentence` begins with, and what is left of it then. */
  #readyFor(sentence: string): readonly [index: number, after?: string] {
    for (const [index, { failed, text }] of this.#early.entries()) {
      const after = failed ? undefined : restAfter(text, sentence, this.job.language);
      if (after !== undefined) return [index, after];
    }
    return [-1];
  }

  get #isBegun(): boolean {
    return this.#units.length + this.#spoken.length > 0;
  }

  #discardEarly(count = this.#early.length): void {
    if (count === 0) return;
    for (const unit of this.#early.splice(0, count)) {
      unit.abort();
      this.#tellEarly("wasted");
    }
    // They may have settled the shape, but are no part of the message.
    if (!this.#isBegun && this.#early.length === 0) this.deps.shape.reset();
  }

  #tellEarly(result: "saved" | "wasted"): void {
    this.deps.telemetry.emit({ type: "early_clause_ended", user: this.job.request.user, result });
  }

  /** The voice of `text` in the making; none where there is nothing to be said. */
  #unit(text: string): readonly SpeechUnit[] {
    const words = spokenWords(text, this.job.language);
    return words === "" ? [] : [new SpeechUnit(text, words, this.deps, this.changed, this.job)];
  }
}

/** The text in the pieces in which the script hands it out. */
function piecesOf(text: string): readonly string[] {
  const splitter = new SentenceSplitter();
  return [...splitter.push(text), ...splitter.flush()];
}
