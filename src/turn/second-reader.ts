/**
 * The second reader of one answer: a model that is asked about each step and warning, and about each sentence that is not
 * the source's own word for word, while its voice is being made. Its "no" withholds what the rules let through; its "yes", and
 * its silence, change nothing. What the rules refuse it is not asked about.
 */
import type { Verified } from "../domain/answer.js";
import type { User } from "../domain/user.js";
import type { SentenceContext } from "../grounding/check/check.js";
import { type CheckedSentence, type EvidenceEvent, isInstruction } from "../grounding/checker.js";
import type { EvidenceText } from "../grounding/evidence.js";
import { denied } from "../grounding/judge.js";
import { passageEvidence } from "../grounding/passage-evidence.js";
import type { Clock } from "../lib/clock.js";
import type { Verifier } from "../llm/verifier.js";
import type { Telemetry } from "../telemetry/events.js";

/** UTF-16 units of a passage that it is shown; of a longer one it sees the sentences that the rules found. */
export const VERIFIED_PASSAGE_CHARS_MAX = 6_000;

/** Sentences said before that it is shown: what "it" and "there" may stand for. */
const BEFORE_MAX = 2;

/** Who is asked. */
export interface Verifying {
  readonly verifier: Verifier;
  /** About so many sentences of one answer at the most. */
  readonly sentencesMax: number;
}

export interface SecondReaderDeps extends Verifying {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

export class SecondReader {
  readonly #texts = new Map<string, () => EvidenceText>();
  #asked = 0;

  constructor(
    private readonly deps: SecondReaderDeps,
    private readonly user: User,
    /** Ends the answer. */
    private readonly signal: AbortSignal,
  ) {}

  /** Takes in what sentences may rest on. */
  add(event: EvidenceEvent): void {
    if (event.type === "passages") {
      for (const passage of event.passages) this.#texts.set(passage.chunkId, () => passageEvidence(passage));
    } else if (event.type === "evidence")
      for (const text of event.texts) this.#texts.set(text.source, () => text);
  }

  /**
   * Asks about `sentence`, and notes the word in it. Resolves when that is done, or the time for it is over; undefined
   * where there is nothing to ask.
   */
  read(sentence: CheckedSentence, context: SentenceContext): Promise<void> | undefined {
    const [best] = sentence.judgement.evidence;
    const text = best && this.#texts.get(best.source)?.();
    if (text === undefined || !isDoubtful(sentence)) return undefined;
    if (this.#asked >= this.deps.sentencesMax) {
      this.#tell("not_asked", 0);
      return undefined;
    }
    this.#asked += 1;
    return this.#ask(sentence, text, context);
  }

  async #ask(
    sentence: CheckedSentence,
    { headings = [], text, title = "" }: EvidenceText,
    { question, said }: SentenceContext,
  ): Promise<void> {
    const { clock, verifier } = this.deps;
    const startMs = clock.monotonic();
    const found = sentence.judgement.evidence.map(({ value }) => value).join("\n");
    const claim = {
      document: title,
      section: headings.join(" > "),
      passage: text.length > VERIFIED_PASSAGE_CHARS_MAX ? found : text,
      question,
      before: said.slice(-BEFORE_MAX).join(" "),
      sentence: sentence.text,
    };
    const word = await verifier.ask(claim, this.signal);
    sentence.verified = word.type;
    if (word.type === "no") sentence.judgement = denied(sentence.judgement);
    this.#tell(word.type, clock.monotonic() - startMs);
    if (word.type === "not_in_time") return;
    const { telemetry } = this.deps;
    telemetry.emit({
      type: "tokens_used",
      user: this.user,
      stage: "verify",
      slot: "verifier",
      ...word.usage,
    });
  }

  #tell(result: Verified | "not_asked", ms: number): void {
    this.deps.telemetry.emit({ type: "sentence_verified", user: this.user, result, ms });
  }
}

/**
 * Whether it is to be read again: of what the rules let through, what tells somebody what to do, and what is put in other
 * words than the source's. How sure the rules are does not tell: most of what they err about has the source's own words.
 */
function isDoubtful({ judgement, text }: CheckedSentence): boolean {
  const { evidence, instead, role, verdict } = judgement;
  if (verdict !== "supported" || instead !== undefined) return false;
  if (isInstruction(judgement)) return true;
  const words = plain(text);
  return role === "claim" && !evidence.some(({ value }) => plain(value) === words);
}

/** On one line, without marks of the layout and the full stop. */
function plain(text: string): string {
  return text
    .replace(/[*_`"“”]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .replace(/\.$/, "");
}
