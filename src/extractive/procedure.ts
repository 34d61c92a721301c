/** Finds the section that tells how something is done, and puts its steps together, warnings first. */
import type { Passage } from "../domain/passage.js";
import { once } from "../lib/once.js";
import { pause } from "../lib/pause.js";
import { LAST_STEP } from "../words/step-asked.js";
import { passageUnits, unitTerms } from "./passage-units.js";
import { contextTerms, passageTerms, type QuestionScale } from "./question-scale.js";
import { ended, fitting, isWarning, spoken } from "./spoken-units.js";
import { termsOf } from "./terms.js";

/** A passage of each section with steps that fits equally well; all are of one document. */
export interface StepsFound {
  readonly type: "steps";
  readonly passages: readonly Passage[];
  /** What is known of that document, in its order. */
  readonly document: readonly Passage[];
  /** Whether that is all of it, as far as can be told. */
  readonly isAll: boolean;
}

export type FoundSection =
  | StepsFound
  /** The passages of a section that has no steps, but its heading is the question. */
  | { readonly type: "text"; readonly passages: readonly Passage[] }
  /** The steps of several documents fit equally well, so nobody can tell which are meant. */
  | { readonly type: "several documents"; readonly passages: readonly [Passage, Passage] };

/** All passages of a document that the asker may read, in order; `isAll`: not just the first of them. */
export type ReadDocument = (
  documentId: string,
) => Promise<{ readonly passages: readonly Passage[]; readonly isAll: boolean }>;

/**
 * The section about what the question asks, if there is one; `coverageMin` is the share of the question that it and
 * the introduction of its document have to hold. What one wants to do has to be more than mentioned in a step: to
 * press "start" somewhere in a procedure is not how the line is started. What was found may lack the section that is
 * meant, so the document is read as a whole where `readDocument` can.
 */
export async function sectionFor(
  scale: QuestionScale,
  passages: readonly Passage[],
  coverageMin: number,
  readDocument?: ReadDocument,
): Promise<FoundSection | undefined> {
  const found = await sectionsIn(scale, passages, coverageMin);
  const first = found[0];
  if (first === undefined) return undefined;
  const { documentId } = first.passage;
  const { document, whole } = await documentOf(first.passage, passages, readDocument);
  const others = found.filter(({ passage }) => passage.documentId !== documentId);
  const own = await sectionsIn(scale, document, coverageMin);
  const sections = [...own, ...others].sort((a, b) => b.score - a.score);
  const best = sections[0] ?? first;
  const equal = sections.filter(({ hasSteps, score }) => hasSteps === best.hasSteps && score === best.score);
  const rival = equal.find(({ passage }) => passage.documentId !== best.passage.documentId);
  if (rival !== undefined) return { type: "several documents", passages: [best.passage, rival.passage] };
  if (best.hasSteps) {
    const chosen = withoutReversals(
      sections.filter((section) => section.hasSteps && isAsWell(section, best)),
    );
    // With several sections there may be more of them, unless the engine had come to other documents.
    const isAll = whole?.isAll ?? (chosen.length === 1 || passages.at(-1)!.documentId !== documentId);
    return { type: "steps", passages: chosen, document, isAll };
  }
  const passage = equal.length === 1 ? best.passage : introductionOf(best.passage, document);
  if (passage === undefined || best.headed < HEADED_MIN) return undefined;
  return { type: "text", passages: sectionOf(passage, document) };
}

/** The steps of a passage's section; of an introduction those in its document that fit best; undefined without any. */
export async function stepsNear(
  passage: Passage,
  scale: QuestionScale,
  readDocument?: ReadDocument,
): Promise<StepsFound | undefined> {
  const found = await stepsAt(passage, [passage], readDocument);
  const fits = found.document.map((one) => fitOf(scale, one, undefined)).filter((fit) => fit.hasSteps);
  const own = fits.find((one) => sectionKey(one.passage) === sectionKey(passage));
  // The introduction stands for all of its document.
  const best = own ?? (passage.headings.length === 0 ? fits.sort((a, b) => b.score - a.score)[0] : undefined);
  return best && { ...found, passages: [best.passage] };
}

/** The steps of a section that was chosen; what `passages` has of its document is known without reading it. */
export async function stepsAt(
  section: Passage,
  passages: readonly Passage[],
  readDocument?: ReadDocument,
): Promise<StepsFound> {
  const { document, whole } = await documentOf(section, passages, readDocument);
  return { type: "steps", passages: [section], document, isAll: whole?.isAll ?? false };
}

/** What the steps of a section are called: with all that stand above, and by its own heading. */
export function stepsLabel(passage: Passage): readonly [whole: string, own: string] {
  const { headings, title } = passage;
  const leads = passageUnits(passage).map(({ list }) => (list?.isOrdered ? (list.lead ?? "") : ""));
  const of = (...above: readonly string[]) => [...new Set([...above, ...leads])].join(" . ");
  return [of(title, ...headings), of(headings.at(-1) ?? title)];
}

/** What is known of a passage's document, in its order and each once, with what was read of it. */
async function documentOf(
  { documentId }: Passage,
  passages: readonly Passage[],
  readDocument?: ReadDocument,
) {
  const whole = await readDocument?.(documentId);
  const known = passages.filter((passage) => passage.documentId === documentId);
  return { document: inOrder([...known, ...(whole?.passages ?? [])]).flatMap(partsOf), whole };
}

/** Passages of one document in its order, each once. */
function inOrder(passages: readonly Passage[]): readonly Passage[] {
  const byId = new Map(passages.map((passage) => [`${passage.chunkId} ${sectionKey(passage)}`, passage]));
  return [...byId.values()].sort((a, b) => a.position - b.position);
}

/**
 * A passage as it is, or in parts where several procedures stand in it, each behind its lead-in: "Closing the pool:"
 * above steps is a heading.
 */
export const partsOf = once((passage: Passage): readonly Passage[] => {
  const units = passageUnits(passage);
  const lists = [...new Set(units.flatMap(({ list }) => (list?.isOrdered ? [list] : [])))];
  if (lists.length < 2 || lists.some(({ lead }) => lead === undefined)) return [passage];
  const lead = units.findLast(({ end }) => end < lists[0]!.units[0]!.start)!;
  return lists.map(({ lead: own, units: steps }) => ({
    ...passage,
    headings: [...passage.headings, own!],
    // What stands before all of them is of each.
    text: [
      passage.text.slice(0, lead.start),
      passage.text.slice(passage.text.lastIndexOf("\n", steps[0]!.start - 1) + 1, steps.at(-1)!.end),
    ].join("\n\n"),
  }));
});

/** What fits the question, best first. */
async function sectionsIn(
  scale: QuestionScale,
  passages: readonly Passage[],
  coverageMin: number,
): Promise<readonly SectionFit[]> {
  const sections: SectionFit[] = [];
  for (const passage of passages.flatMap(partsOf)) {
    await pause();
    if (!scale.mayBeAbout(passage)) continue;
    const fit = fitOf(scale, passage, introductionOf(passage, passages));
    if (fit.coverage >= coverageMin && fit.titled >= TITLED_MIN) sections.push(fit);
  }
  return sections.sort((a, b) => b.score - a.score);
}

/**
 * Whether a section is meant as well as the best: it fits alike, or the best is ahead only by words that the title says
 * of both ("Removing the lockout"), and handles the same things.
 */
function isAsWell(section: SectionFit, best: SectionFit): boolean {
  if (section.passage.documentId !== best.passage.documentId) return false;
  if (section.score === best.score) return true;
  return section.titled === best.titled && best.headed < 1 && handlesTheSame(section.passage, best.passage);
}

/**
 * In the order of the document, without the sections whose steps handle the same things as those of one before: that is
 * another way, or the way back. The stages of one procedure handle different things.
 */
function withoutReversals(sections: readonly SectionFit[]): readonly Passage[] {
  const kept: Passage[] = [];
  for (const passage of inOrder(sections.map((section) => section.passage)))
    if (!kept.some((one) => sectionKey(one) !== sectionKey(passage) && handlesTheSame(one, passage)))
      kept.push(passage);
  return kept;
}

function handlesTheSame(one: Passage, other: Passage): boolean {
  const [things, others] = [thingsIn(one), thingsIn(other)];
  const both = [...things].filter((term) => others.has(term)).length;
  return both >= SAME_THINGS_SHARE * Math.min(things.size, others.size);
}

/** Terms of the steps of two sections that are the same, as a share of the terms of the shorter, where both handle the same. */
const SAME_THINGS_SHARE = 0.3;

/** The longer words of the steps, without those that all of the document is about. */
const thingsIn = once((passage: Passage): ReadonlySet<string> => {
  const title = new Set(termsOf(passage.title));
  const terms = passageUnits(passage).flatMap((unit) => (unit.role === "step" ? unitTerms(unit) : []));
  return new Set(terms.filter((term) => term.length >= THING_CHARS_MIN && !title.has(term)));
});

/** Shorter words are articles and prepositions, in whatever language. */
const THING_CHARS_MIN = 4;

/** The share of the question in title and headings: a procedure says there what it is for. */
const TITLED_MIN = 0.4;
/** The share of a heading in the question that makes the text below it the answer. */
const HEADED_MIN = 0.5;
/** Fewer steps are no procedure. */
const STEPS_MIN = 2;
/** What steps are worth where the headings fit alike. */
const STEPS_BONUS = 0.3;

interface SectionFit {
  readonly passage: Passage;
  readonly hasSteps: boolean;
  /** Shares of the question: in the passage and the document's introduction, and in title and headings. */
  readonly coverage: number;
  readonly titled: number;
  /** The share of the innermost heading that is in the question. */
  readonly headed: number;
  readonly score: number;
}

function fitOf(scale: QuestionScale, passage: Passage, introduction: Passage | undefined): SectionFit {
  const context = titleTerms(passage);
  const introduced: ReadonlySet<string> = introduction === undefined ? new Set() : passageTerms(introduction);
  const { action } = scale.question;
  const isAbout = action === undefined || context.has(action) || introduced.has(action);
  const coverage = isAbout ? scale.share(introduced, passageTerms(passage)) : 0;
  const titled = scale.share(context);
  const headed = scale.headed(passage);
  const score = titled + headed + (hasSteps(passage) ? STEPS_BONUS : 0);
  return { passage, hasSteps: hasSteps(passage), coverage, titled, headed, score };
}

export function hasSteps(passage: Passage): boolean {
  return passageUnits(passage).filter(({ role }) => role === "step").length >= STEPS_MIN;
}

/** The terms of title and headings, and of what leads in to steps. */
export const titleTerms = once(
  (passage: Passage): ReadonlySet<string> =>
    new Set([...contextTerms(passage), ...termsOf(stepsLabel(passage)[0])]),
);

/** What was found of the beginning of a passage's document: it tells what all of the document is about. */
export function introductionOf({ documentId }: Passage, passages: readonly Passage[]): Passage | undefined {
  return passages.find((passage) => passage.documentId === documentId && passage.headings.length === 0);
}

/**
 * The steps of these sections of one document, from whatever passages have them, or the one that was asked for. First
 * come the warnings of that document: its notices, wherever they stand, and what its introduction forbids. `texts` are
 * in the order in which they are said; `isWhole`: no step is missing, as far as that can be told.
 */
export function procedureOf({ document, isAll, passages: sections }: StepsFound, asked?: number) {
  const keys = [...new Set(sections.map(sectionKey))];
  const parts = keys.map((key) => partOf(document.filter((passage) => sectionKey(passage) === key)));
  const notices = new Set(document.flatMap(noticesIn));
  const texts = parts.flatMap(({ before, heading, warnings, steps }) => {
    const one = steps.get(asked === LAST_STEP ? Math.max(...steps.keys()) : (asked ?? 0));
    const said = asked === undefined ? [...before, ...steps.values()] : one === undefined ? [] : [one];
    const first = [
      ...(parts.length > 1 ? [`${heading}.`] : []),
      ...warnings.filter((one) => !notices.has(one)),
    ];
    return said.length === 0 ? [] : [...first, ...said];
  });
  return {
    texts: texts.length === 0 ? [] : [...notices, ...texts],
    used: document.filter((passage) => keys.includes(sectionKey(passage)) || noticesIn(passage).length > 0),
    isWhole: isAll && parts.every((part) => part.isWhole),
  };
}

/** What a passage warns of for all of its document. */
function noticesIn(passage: Passage): readonly string[] {
  return passageUnits(passage)
    .filter((unit) => unit.role === "notice" || (passage.headings.length === 0 && isWarning(unit)))
    .map(spoken);
}

/** The passages of `document` that stand under the same headings as `passage`. */
export function sectionOf(passage: Passage, document: readonly Passage[]): readonly Passage[] {
  const section = document.filter((one) => sectionKey(one) === sectionKey(passage));
  return section.length === 0 ? [passage] : section;
}

export function sectionKey({ headings }: Passage): string {
  return headings.join("\n");
}

/** Of what stands before the first step so much is said, the nearest to it: the rest tells what it is all about. */
const BEFORE_CHARS_MAX = 600;

/**
 * What one section says, put together from its passages: each warning and each step once, with what stands below it, and
 * what stands before the first step: who does it, and what has to be so.
 */
function partOf(passages: readonly Passage[]) {
  const units = passages.flatMap((passage) => passageUnits(passage));
  const steps = new Map<number, string>();
  for (const unit of units) {
    if (unit.role !== "step" || steps.has(unit.number)) continue;
    const below = units.filter((one) => one.under === unit && !isWarning(one));
    steps.set(unit.number, [spoken(unit), ...below.map(({ text }) => text)].map(ended).join(" "));
  }
  const inOrder = new Map([...steps].sort(([a], [b]) => a - b));
  const first = units.findIndex(({ role }) => role === "step");
  const before = units
    .slice(0, Math.max(0, first))
    .filter((unit) => unit.role !== "heading" && !isWarning(unit))
    // What leads in to the first step would run into it.
    .map(({ text }, i, all) => ended(i === all.length - 1 ? text.replace(/[:：]$/, "") : text));
  return {
    heading: passages[0]!.headings.at(-1) ?? passages[0]!.title,
    warnings: [...new Set(units.filter(isWarning).map(spoken))],
    before: fitting(before.toReversed(), BEFORE_CHARS_MAX).toReversed(),
    steps: inOrder,
    isWhole: [...inOrder.keys()].every((number, i) => number === i + 1),
  };
}
