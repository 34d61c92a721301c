/** Whether the documents disagree about what a sentence says. */
import type { ReasonCode } from "../domain/answer.js";
import type { Steps } from "../lib/steps.js";
import type { SentenceCheck, SentenceContext, Support } from "./check/check.js";
import { checkInSteps } from "./check/check-sentence.js";
import { type EvidencePart, onlyPart, type PreparedEvidence } from "./evidence.js";
import {
  hasAmount,
  parsedText,
  parseSentence,
  type Sentence,
  saysAmount,
  shareIn,
} from "./sentence/sentence.js";

/** What the sentence rests on, and what speaks against it; where the document of the one replaces the other's, it is first. */
export type Conflict = readonly [first: Support, second: Support];

/** The first conflict that the evidence has about what `sentence` claims; `check` is that of the sentence. */
export function* conflictInSteps(
  sentence: string,
  check: SentenceCheck,
  evidence: PreparedEvidence,
): Steps<Conflict | undefined> {
  const [ours] = check.evidence;
  if (check.verdict !== "supported" || ours === undefined) return undefined;
  const at = evidence.parts.findIndex(({ source }) => source.source === ours.source);
  const own = evidence.parts[at];
  if (own === undefined) return undefined;
  const words = parsedText(ours.value);
  for (const [index, part] of evidence.parts.entries()) {
    yield;
    // The cheap question first: this stands between a sentence and its voice.
    if (index === at || isOtherSection(own, part) || !hasItsLike(words, part)) continue;
    const theirs = yield* against(ours.value, sentence, onlyPart(part));
    if (theirs === undefined || (yield* isCarried(theirs.value, onlyPart(own)))) continue;
    if (isSameSubject(own, part) || namesItsSubject(ours, theirs))
      return replaces(part, own) && !replaces(own, part) ? [theirs, ours] : [ours, theirs];
  }
  return undefined;
}

/** What can be incompatible; other reasons only say that the other document does not speak of it. */
const INCOMPATIBLE: ReadonlySet<ReasonCode> = new Set([
  "number_differs",
  "unit_differs",
  "negation_differs",
  "comparator_differs",
  "opposite_state",
  "modality_differs",
]);

/** Share of the words of either side that the other must have; less of theirs where both have as many figures. */
const ALIKE_MIN = 0.6;
const ALIKE_WITH_FIGURES_MIN = 0.4;

/** Whether any sentence of the other text has words enough in common to be what `against` finds. */
function hasItsLike(ours: Sentence, { sentences }: EvidencePart): boolean {
  return sentences.some(
    (theirs) => shareIn(ours, theirs) >= ALIKE_MIN && shareIn(theirs, ours) >= ALIKE_WITH_FIGURES_MIN,
  );
}

/** The words of the other document that our words contradict, where both speak of the same thing. */
function* against(ours: string, claim: string, other: PreparedEvidence): Steps<Support | undefined> {
  const { verdict, reasons, evidence } = yield* checkInSteps(ours, other, NOTHING_ASKED);
  const [theirs] = evidence;
  if (verdict !== "contradicted" || theirs === undefined) return undefined;
  // That some words are missing there is weighed below.
  if (!reasons.every(({ code }) => INCOMPATIBLE.has(code) || code === "words_not_found" || code === "added"))
    return undefined;
  const [a, b] = [parseSentence(ours), parseSentence(theirs.value)];
  const theirsMin = b.quantities.length === a.quantities.length ? ALIKE_WITH_FIGURES_MIN : ALIKE_MIN;
  if (shareIn(a, b) < ALIKE_MIN || shareIn(b, a) < theirsMin) return undefined;
  return differsInClaim(parsedText(claim), a, b) ? theirs : undefined;
}

/** What our text carries as well does not speak against it: "press start" of "press start, then press stop". */
function* isCarried(theirs: string, own: PreparedEvidence): Steps<boolean> {
  const { verdict } = yield* checkInSteps(theirs, own, NOTHING_ASKED);
  return verdict !== "contradicted";
}

const NOTHING_ASKED: SentenceContext = { question: "", said: [] };

/** Where only amounts differ, one of them must be what the sentence says. */
function differsInClaim(claim: Sentence, ours: Sentence, theirs: Sentence): boolean {
  const differing = ours.quantities.filter((one) => !hasAmount(theirs, one));
  return differing.length === 0 || differing.some((one) => saysAmount(claim, one));
}

/** Sections of one document complete each other. */
function isOtherSection(a: EvidencePart, b: EvidencePart): boolean {
  return a.source.title === b.source.title && a.source.title !== undefined && sectionOf(a) !== sectionOf(b);
}

/** A statement with nearly the same words names what it speaks of; a step leaves that to its title. */
function namesItsSubject(ours: Support, theirs: Support): boolean {
  if (ours.step !== undefined || theirs.step !== undefined) return false;
  const [a, b] = [parseSentence(ours.value), parseSentence(theirs.value)];
  return (
    Math.min(a.terms.size, b.terms.size) >= SUBJECT_TERMS_MIN &&
    Math.min(shareIn(a, b), shareIn(b, a)) >= SAME_WORDS_MIN
  );
}

const SUBJECT_TERMS_MIN = 3;
const SAME_WORDS_MIN = 0.8;

/**
 * Two revisions of a section, or two documents whose titles have most words in common: what one says of trucks does
 * not contradict what another says of ladders.
 */
function isSameSubject(a: EvidencePart, b: EvidencePart): boolean {
  const [ours, theirs] = [a.source.title ?? "", b.source.title ?? ""];
  if (ours === "" || theirs === "") return true;
  const [x, y] = [parseSentence(ours), parseSentence(theirs)];
  return Math.max(shareIn(x, y), shareIn(y, x)) >= TITLES_ALIKE_MIN || sectionOf(a) === sectionOf(b);
}

const TITLES_ALIKE_MIN = 0.5;

function sectionOf({ source: { headings, source } }: EvidencePart): string {
  return headings?.at(-1) ?? source;
}

const REPLACES =
  /\b(?:replaces?|supersedes?|replaced by|superseded by|instead of the (?:one|revision|version) of)\b/i;

/** A document replaces older ones of its own title only. */
function replaces({ source }: EvidencePart, other: EvidencePart): boolean {
  if (source.title !== other.source.title) return false;
  return (
    (source.supersedes?.length ?? 0) > (other.source.supersedes?.length ?? 0) ||
    (REPLACES.test(source.text) && !REPLACES.test(other.source.text))
  );
}
