/**
 * Judges sentences by passages of documents, and by other texts such as what the caller attached. Where documents
 * disagree, both are said instead of the sentence; a sentence from another revision than was asked about, from another
 * language or from no document is introduced as such; what rests on a procedure waits for all of it.
 */
import type { Passage } from "../../domain/passage.js";
import type { Steps } from "../../lib/steps.js";
import type { Locale } from "../../locale/locale.js";
import { answerability } from "../answerability/answerability.js";
import type { SentenceCheck, SentenceContext, Support } from "../check/check.js";
import { checkInSteps } from "../check/check-sentence.js";
import { originalOf, quotedInSteps } from "../check/quotes.js";
import {
  type Checker,
  type Conclusion,
  type Doubt,
  type DraftedSentence,
  type DraftSoFar,
  type EvidenceEvent,
  isInstruction,
  type Judgement,
  type Original,
  type Remark,
} from "../checker.js";
import { type Conflict, conflictInSteps } from "../conflict.js";
import { judgeRule } from "../document-rules.js";
import { type EvidenceText, type PreparedEvidence, prepareInSteps } from "../evidence.js";
import { withoutDictation, withoutInjections } from "../injection.js";
import { judgementOf } from "../judge.js";
import { languageOfQuestion } from "../language.js";
import { passageEvidence } from "../passage-evidence.js";
import { oldRevisionIn } from "./old-revision.js";
import { holdsProcedure, judgeProcedure } from "./procedure.js";
import { sourceAloud } from "./source.js";

interface SourceText {
  readonly source: string;
  readonly text: string;
}

/** The fixed sentences around what a document says. */
export interface PassageWords {
  readonly locale: Locale;
  documentsDisagree(first: SourceText, second: SourceText): string;
  superseded(old: string, current: string): string;
  saysInLanguage(source: string, language: string): string;
  hasInLanguage(source: string, language: string): string;
  procedureRefused(source: string): string;
  readonly verify: { source(source: string): string; readonly person: string };
}

export interface PassagesCheckerJob {
  readonly phrases: PassageWords;
  /** The BCP 47 tag of the answer's language, where the question does not tell it. */
  readonly language?: string | undefined;
  /** Whether the user may be told which document, and which revision of it, something is from. */
  readonly namesDocuments: boolean;
}

/** What a judgement was made of. */
interface JudgementBasis {
  readonly check: SentenceCheck;
  readonly foreign: string | undefined;
}

export class PassagesChecker implements Checker {
  readonly #passages = new Map<string, Passage>();
  readonly #texts: EvidenceText[] = [];
  /** What to say before that which rests on a source, by source. */
  readonly #introductions = new Map<string, string>();
  #prepared: PreparedEvidence | undefined;
  readonly #basis = new WeakMap<Judgement, JudgementBasis>();

  constructor(private readonly job: PassagesCheckerJob) {}

  *add(event: EvidenceEvent): Steps<void> {
    if (event.type === "readings" || event.type === "operations") return;
    if (event.type === "passages") yield* this.#addPassages(event.passages);
    else {
      for (const one of event.texts) {
        yield;
        this.#addText({ ...one, text: withoutInjections(one.text) });
        if (event.introducedBy !== undefined) this.#introductions.set(one.source, event.introducedBy);
      }
    }
    // While the writer thinks of its first word nobody waits for this.
    if (this.#texts.length > 0) yield* this.#evidence();
    for (const passage of this.#passages.values()) {
      yield;
      holdsProcedure(passage);
    }
  }

  *#addPassages(passages: readonly Passage[]): Steps<void> {
    for (const passage of passages) {
      yield;
      if (!this.#passages.has(passage.chunkId)) this.#addText(passageEvidence(passage));
      this.#passages.set(passage.chunkId, passage);
    }
  }

  #addText(text: EvidenceText): void {
    this.#texts.push(text);
    this.#prepared = undefined;
  }

  *#evidence(): Steps<PreparedEvidence> {
    this.#prepared ??= yield* prepareInSteps(this.#texts);
    return this.#prepared;
  }

  *check(sentence: DraftedSentence, { question, said }: SentenceContext): Steps<Judgement | undefined> {
    const { did, rule, says } = sentence;
    if (says !== undefined || did !== undefined) return undefined;
    if (rule !== undefined) return judgeRule(rule, this.#passages.get(rule.chunk));
    const evidence = yield* this.#evidence();
    const context = { question: withoutDictation(question), said };
    const { quote, text } = sentence;
    if (quote === undefined) {
      const check = yield* checkInSteps(text, evidence, context);
      return yield* this.#judgement(sentence, check, question);
    }
    const claim = { text, source: quote.source, quote: quote.words };
    const check = yield* quotedInSteps(claim, evidence, context);
    const language = languageOfQuestion(question) ?? this.job.language;
    const original = check.verdict === "supported" ? undefined : originalOf(claim, evidence, language);
    return yield* this.#judgement(sentence, check, question, original);
  }

  *#judgement(
    { foreign, text }: DraftedSentence,
    check: SentenceCheck,
    question: string,
    original?: Original,
  ): Steps<Judgement> {
    const conflict = yield* conflictInSteps(text, check, yield* this.#evidence());
    const judgement: Judgement = {
      ...judgementOf(check),
      waits:
        isInstruction(check) ||
        check.evidence.flatMap(({ source }) => this.#passages.get(source) ?? []).some(holdsProcedure),
      before: check.verdict === "supported" ? this.#introduced(check, foreign, question) : [],
      doubt: this.#doubtOf(check),
      ...(conflict && { instead: this.#disagreement(conflict) }),
      ...(original && { original }),
    };
    this.#basis.set(judgement, { check, foreign });
    return judgement;
  }

  /** Said of a sentence that holds, before it. */
  #introduced({ evidence }: SentenceCheck, foreign: string | undefined, question: string): readonly Remark[] {
    const [best] = evidence;
    if (best === undefined) return [];
    const passage = this.#passages.get(best.source);
    const remarks = passage === undefined ? [] : this.#aboutRevision(passage, question);
    if (foreign !== undefined) return [...remarks, this.#inLanguage(best, foreign)];
    if (evidence.some(({ type }) => type === "passage")) return remarks;
    const introduction = this.#introductions.get(best.source);
    return introduction === undefined ? remarks : [...remarks, { text: introduction, once: introduction }];
  }

  #inLanguage({ source }: Support, language: string): Remark {
    const text = this.job.phrases.saysInLanguage(this.#nameOf(source), language);
    return { text, once: text };
  }

  /** That a sentence is from another revision than was asked about. */
  #aboutRevision(passage: Passage, question: string): readonly Remark[] {
    const { namesDocuments, phrases } = this.job;
    const asked = namesDocuments ? oldRevisionIn(question, [passage], phrases.locale) : undefined;
    if (asked === undefined) return [];
    const suggestion = phrases.verify.source(sourceAloud(passage, phrases.locale));
    const text = phrases.superseded(asked.old, asked.current);
    return [{ text, once: "superseded_revision", doubt: { reason: "superseded_revision", suggestion } }];
  }

  #disagreement([first, second]: Conflict): Remark {
    const { documentsDisagree, verify } = this.job.phrases;
    const said = ({ source, value }: Support) => ({ source: this.#nameOf(source) || source, text: value });
    return {
      text: documentsDisagree(said(first), said(second)),
      once: "conflicting_documents",
      doubt: { reason: "conflicting_documents", suggestion: verify.person },
    };
  }

  #doubtOf({ evidence, reasons }: SentenceCheck): Doubt {
    const { verify } = this.job.phrases;
    const name = this.#nameOf(evidence[0]?.source ?? "");
    const isNumber = reasons.some(({ code }) => /^(?:number|unit)_/.test(code));
    return {
      reason: isNumber ? "unverified_number" : "inference",
      suggestion: name === "" ? verify.person : verify.source(name),
    };
  }

  /** A document as it is named aloud; empty where there is none. */
  #nameOf(source: string): string {
    const passage = this.#passages.get(source);
    return passage === undefined ? "" : sourceAloud(passage, this.job.phrases.locale);
  }

  *conclude({ held, judged, question, refused, replacing }: DraftSoFar): Steps<Conclusion> {
    const evidence = yield* this.#evidence();
    const instructions = held.filter(({ judgement }) => isInstruction(judgement));
    const isBroken = instructions.some(({ judgement }) => judgement.verdict !== "supported");
    const own = held.flatMap((sentence) => {
      const basis = this.#basis.get(sentence.judgement);
      return basis === undefined ? [] : [{ ...basis, sentence }];
    });
    yield;
    const nameOf = (source: string) => this.#nameOf(source);
    const procedure = judgeProcedure({ held: own, isBroken, refused }, evidence, nameOf, this.job.phrases);
    yield;
    const relevance = answerability(question, [...this.#passages.values()]);
    const told = judged.filter(({ judgement, said }) => said || judgement.instead !== undefined);
    const isSilent = told.length + procedure.parts.length === 0;
    // Where nothing of a document in another language can be said: that it is there.
    const pointer = (isSilent ? replacing.slice(0, 1) : []).map(({ language, source }) => ({
      text: this.job.phrases.hasInLanguage(this.#nameOf(source), language),
    }));
    // A warning that the writer left out comes first, and is in the document's language as well.
    const said = own.filter(({ sentence }) => procedure.parts.includes(sentence));
    const [language] = said.flatMap(({ check, foreign }) =>
      foreign === undefined ? [] : [this.#inLanguage(check.evidence[0]!, foreign)],
    );
    const parts = [...(language ? [language] : []), ...procedure.parts, ...pointer];
    return { parts, withheld: procedure.withheld || pointer.length > 0, relevance };
  }
}
