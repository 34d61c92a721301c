/**
 * What somebody in danger is told: what the documents say to do, in their own words, or else a fixed phrase. No model is
 * asked, nothing is asked back, and where the documents are not found in time the phrase comes without them.
 */

import type { AskRequest, Draft } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import type { Passage } from "../domain/passage.js";
import { type User, userOf } from "../domain/user.js";
import { type FoundSentences, unitsAloud } from "../extractive/answer-text.js";
import { extractAnswer } from "../extractive/extractive.js";
import { type PassageUnit, passageUnits } from "../extractive/passage-units.js";
import { hasSteps, sectionOf } from "../extractive/procedure.js";
import { termsOf } from "../extractive/terms.js";
import { closestUnit } from "../grounding/answerability/closest.js";
import { roleOf } from "../grounding/check/role.js";
import { parseSentence } from "../grounding/sentence/sentence.js";
import { waitForNoGuard } from "../guard/scope.js";
import { DeadlineExceeded, orElse, withDeadline } from "../lib/deadline.js";
import { supposedIn, tellsToCall } from "../locale/emergency.js";
import type { Locale } from "../locale/locale.js";
import { FUNCTION_WORDS } from "../words/function-words.js";
import { likeness, meaningOf } from "../words/meaning/meaning.js";
import { labelOf, paragraphsOf, told } from "./named-answer.js";
import {
  allPassages,
  allTrusted,
  documentReader,
  type SearchDeps,
  searchAll,
  withPassages,
} from "./search.js";

export interface EmergencyDeps extends SearchDeps {
  /** What is said in `network` where the documents do not tell what to do. */
  phraseOf(network: string, locale: Locale): string;
  /** Voids whatever waits for a consent of this user: whoever is in danger wants nothing to move. */
  voidFor(user: User): void;
}

/** Time to find what the documents say; then the phrase comes. */
export const EMERGENCY_SEARCH_MS_MAX = 1_500;

/** Time to read the rest of a section that was found; then what was found of it is read. */
export const SECTION_READ_MS_MAX = 300;

/** A longer sentence with a number is about one case, and not about emergencies. */
const NUMBER_SENTENCE_CHARS_MAX = 120;

/** What the documents say of an emergency. */
interface Help {
  readonly queries: readonly string[];
  /** What the answer rests on; where there is none, all that was found. */
  readonly passages: readonly Passage[];
  readonly procedure: FoundSentences | undefined;
  /** Where there are no steps: what stands behind a label or an "if" that means what happened. */
  readonly named: string | undefined;
  /** Where there is neither: of the section that is closest to what happened; absent where none is about it. */
  readonly section: Passage | undefined;
  /** A sentence that says which number to call. */
  readonly number: string | undefined;
}

/** The draft for a request that tells of an emergency. */
export function createEmergency(deps: EmergencyDeps): Draft {
  return async function* (request, signal) {
    waitForNoGuard();
    const { access, locale } = request;
    deps.voidFor(userOf(access));
    const help = await helpWithin(request, deps, signal);
    const phrase = deps.phraseOf(access.network, locale);
    const nobody: DraftEvent = { type: "phrase", text: locale.say("emergency_nobody_called") };
    const end = { type: "end", searched: "found", degraded: false, emergency: phrase } as const;
    if (help === undefined) {
      yield { type: "phrase", text: phrase };
      yield nobody;
      return yield { ...end, searched: "unavailable", degraded: true, outcome: "search_unavailable" };
    }
    const { named, number, passages, procedure, queries } = help;
    const section = help.section === undefined ? [] : await wholeSection(help.section, request, deps, signal);
    yield { type: "queries", queries };
    yield { type: "passages", passages: withPassages(passages, section) };
    const signs = request.emergency?.signs ?? "";
    const read = procedure?.sentences.join(" ") ?? named ?? sectionAloud(section, signs);
    const isTold = tellsToCall(read);
    if (read !== "") yield { type: "text", text: `${read} ` };
    if (number !== undefined && !read.includes(number)) yield { type: "text", text: `${number} ` };
    else if (!isTold) yield { type: "phrase", text: phrase };
    if (procedure === undefined || !isTold || tellsToCall(request.question)) yield nobody;
    if (procedure !== undefined) return yield end;
    yield { ...end, outcome: number === undefined && read === "" ? "not_in_documents" : "partial" };
  };
}

/** `undefined` where the documents could not be asked in time. Rejects with the signal's reason only. */
function helpWithin(
  request: AskRequest,
  deps: EmergencyDeps,
  signal: AbortSignal,
): Promise<Help | undefined> {
  const find = (within: AbortSignal) => helpFor(request, deps, within);
  const help = withDeadline(deps.clock, "the search for help", EMERGENCY_SEARCH_MS_MAX, signal, find);
  const failed = (error: Error) => {
    if (!(error instanceof DeadlineExceeded))
      request.telemetry.emit({ type: "service_fault", where: "an emergency", error: String(error) });
    return undefined;
  };
  return orElse(help, signal, failed, Error);
}

async function helpFor(
  request: AskRequest,
  deps: EmergencyDeps,
  signal: AbortSignal,
): Promise<Help | undefined> {
  const { emergency, locale, question } = request;
  const signs = emergency?.signs ?? "";
  // What is said of "help" is about anything but an emergency.
  const asked = signs === "" ? [] : [locale.say("suggested.what_to_do", { topic: signs }), question];
  const queries = [locale.say("emergency_number_question"), ...asked];
  const found = await searchAll(queries, request, deps, signal);
  if (found.every(({ type }) => type === "unavailable")) return undefined;
  const [ofNumbers, ...ofWhatHappened] = found;
  const trusted = await allTrusted(allPassages(ofWhatHappened));
  const numbers = await extracted(queries[0]!, await allTrusted(allPassages([ofNumbers!])));
  const answers = await Promise.all(asked.map((query) => extracted(query, trusted)));
  const answer = answers.find((one) => one && isAbout(one, signs, trusted));
  // Of a section that is about what happened a sentence is not enough.
  const whole = answer?.passages.find((one) => !hasSteps(one) && isNamed(one.headings.at(-1), signs, 0));
  const procedure = whole === undefined ? answer : undefined;
  const isOpen = answer === undefined && signs !== "";
  const named = isOpen ? namedHelp(told(question), signs, trusted) : undefined;
  const section =
    whole ?? (isOpen && named === undefined ? await helpfulSection(question, signs, trusted) : undefined);
  const passages = allPassages(found);
  const number = numbers?.sentences.find(
    (sentence) => sentence.length <= NUMBER_SENTENCE_CHARS_MAX && tellsToCall(sentence),
  );
  return { queries, passages, procedure, named, section, number };
}

/** The passages of the section in order, or the one that was found where the others cannot be had in time. */
async function wholeSection(
  passage: Passage,
  { access }: AskRequest,
  deps: EmergencyDeps,
  signal: AbortSignal,
): Promise<readonly Passage[]> {
  const read = (within: AbortSignal) => documentReader(access, deps, within)(passage.documentId);
  const whole = withDeadline(deps.clock, "the section", SECTION_READ_MS_MAX, signal, read);
  const { passages } = await orElse(whole, signal, () => ({ passages: [], isAll: false }));
  return sectionOf(passage, passages);
}

/** A whole answer that tells somebody to do something: neither kinds of fire, say, nor what should not have been done. */
async function extracted(query: string, passages: readonly Passage[]): Promise<FoundSentences | undefined> {
  const answer = await extractAnswer(query, undefined, passages, {});
  if (answer.type !== "answer" || !answer.complete) return undefined;
  const directs = (one: string) => tellsToCall(one) || roleOf(parseSentence(one)) === "step";
  return answer.sentences.some(directs) ? answer : undefined;
}

/**
 * Whether these are steps for what happened: they, their headings or their document name it, and no "if" beside them more
 * of it. Of a list it has all: a step is said with its number where the others are.
 */
function isAbout({ passages, sentences }: FoundSentences, signs: string, all: readonly Passage[]): boolean {
  const ofDocument = (id: string) => all.filter(({ documentId }) => documentId === id);
  const beside = passages.flatMap((one) => sectionOf(one, ofDocument(one.documentId)).flatMap(passageUnits));
  if (beside.some(({ role, text }) => role === "step" && sentences.includes(text))) return false;
  const supposed = mostSupposed(beside, signs);
  const own = Math.max(0, ...sentences.map((text) => supposedBy(text, signs, SUPPOSING_CHARS_MAX)));
  if (own > 0 && own >= supposed) return true;
  return passages.some(({ headings, title }) => isNamed([title, ...headings].join(" "), signs, supposed));
}

/** What stands behind the label or the "if" that is most like what was told, up to the end of its paragraph or the next label. */
function namedHelp(happened: string, signs: string, trusted: readonly Passage[]): string | undefined {
  const [whole, shortest] = [meaningOf(happened), meaningOf(signs)];
  const alikeTo = (name: string) => {
    const [toWhole, toSigns] = [whole, shortest].map((one) => likeness(one, meaningOf(name)));
    return Math.max(toWhole!, (toWhole! + toSigns!) / 2);
  };
  // "After each patient" is no case, whoever the patient is.
  const tellsCase = (supposed: string) =>
    termsInCommon(supposed, supposed) > 1 || termsInCommon(signs, supposed) > 0;
  const cases = trusted.flatMap((passage) =>
    paragraphsOf(passageUnits(passage)).flatMap((units) => {
      const [{ role, text }] = units as readonly [PassageUnit];
      if (role === "step" || /[:：]$/.test(text)) return [];
      const named = [labelOf(units[0]!) ?? "", ...supposedIn(text).filter(tellsCase)];
      return [{ alike: Math.max(0, ...named.map(alikeTo)), text: unitsAloud(units) }];
    }),
  );
  const [best] = cases.filter(({ alike }) => alike >= ALIKE_MIN).sort((a, b) => b.alike - a.alike);
  return best?.text;
}

/** Where what a label names is meant: words of the same place alone come to less. */
const ALIKE_MIN = 0.58;

/**
 * A passage of the section that is closest to what happened, in whatever words, if its heading names that; or else of the
 * closest section with an "if" of it, in its heading or its text, that has more of it. Only having its words is not
 * enough: "the fire-proof bag".
 */
async function helpfulSection(
  question: string,
  signs: string,
  trusted: readonly Passage[],
): Promise<Passage | undefined> {
  const closest = await closestUnit(question, undefined, trusted);
  const supposedOf = (passage: Passage) =>
    Math.max(mostSupposed(passageUnits(passage), signs), supposedBy(passage.headings.at(-1) ?? "", signs));
  const most = Math.max(0, ...trusted.map(supposedOf));
  if (closest !== undefined && isNamed(closest.passage.headings.at(-1), signs, most)) return closest.passage;
  const supposing = trusted.filter((one) => most > 0 && supposedOf(one) === most);
  return (await closestUnit(question, undefined, supposing))?.passage;
}

/** From where it speaks of what happened; of a list all. */
function sectionAloud(section: readonly Passage[], signs: string): string {
  const units = section.flatMap(passageUnits);
  const most = mostSupposed(units, signs);
  if (most === 0 || section.some(({ headings }) => isNamed(headings.at(-1), signs, most)))
    return unitsAloud(units);
  const at = units.findIndex((unit) => supposedByUnit(unit, signs) === most);
  const [first] = units[at]?.list?.units ?? [];
  return unitsAloud(units.slice(first === undefined ? at : units.indexOf(first)));
}

/** Whether a heading names all that happened, or more of it than an "if" that has `supposed` words of it. */
function isNamed(heading: string | undefined, signs: string, supposed: number): boolean {
  const named = termsInCommon(signs, heading ?? "");
  return named > supposed || (named > 0 && named === termsInCommon(signs, signs));
}

function mostSupposed(units: readonly PassageUnit[], signs: string): number {
  return Math.max(0, ...units.map((unit) => supposedByUnit(unit, signs)));
}

/** UTF-16 units of "In the event of " and the like. */
const SUPPOSING_CHARS_MAX = 20;

/** A step that ends in an "if" is one of something else: "Switch it off first if they are caught." */
function supposedByUnit({ role, text }: PassageUnit, signs: string): number {
  return role === "step" ? supposedBy(text, signs, SUPPOSING_CHARS_MAX) : supposedBy(text, signs);
}

/** How much of what happened an "if" supposes that begins within so many UTF-16 units, in words. */
function supposedBy(text: string, signs: string, within = text.length): number {
  const found = supposedIn(text).filter((supposed) => text.indexOf(supposed) <= within);
  const related = found.filter((supposed) => {
    const alike = likeness(meaningOf(signs), meaningOf(supposed));
    return alike === 0 || alike >= RELATED_MIN;
  });
  return Math.max(0, ...related.map((supposed) => termsInCommon(signs, supposed)));
}

/** Less has one of its words in another meaning: "ran over" and "the belt runs". 0: the meaning is not known. */
const RELATED_MIN = 0.3;

function termsInCommon(one: string, other: string): number {
  const terms = new Set(termsOf(one).filter((term) => !FUNCTION_WORDS.has(term)));
  return new Set(termsOf(other).filter((term) => terms.has(term))).size;
}
