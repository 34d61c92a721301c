/** Finds the section that tells how something is done, and puts its steps together, warnings first. */
import type { Passage } from "../domain/passage.js";
import { pause } from "../lib/pause.js";
import { passageUnits } from "./passage-units.js";
import { contextTerms, passageTerms, type QuestionScale } from "./question-scale.js";
import { isWarning, spoken } from "./spoken-units.js";

export type FoundSection =
  /** A passage of each section with steps that fits equally well; all are of one document. */
  | { readonly type: "steps"; readonly passages: readonly Passage[] }
  /** The section has no steps, but its heading is the question. */
  | { readonly type: "text"; readonly passage: Passage }
  /** The steps of several documents fit equally well, so nobody can tell which are meant. */
  | { readonly type: "several documents"; readonly passages: readonly [Passage, Passage] };

/**
 * The section about what the question asks, if there is one; `coverageMin` is the share of the question that it and
 * the introduction of its document have to hold. What one wants to do has to be more than mentioned in a step: to
 * press "start" somewhere in a procedure is not how the line is started.
 */
export async function sectionFor(
  scale: QuestionScale,
  passages: readonly Passage[],
  coverageMin: number,
): Promise<FoundSection | undefined> {
  const sections: SectionFit[] = [];
  for (const passage of passages) {
    await pause();
    if (!scale.mayBeAbout(passage)) continue;
    const fit = fitOf(scale, passage, introductionOf(passage, passages));
    if (fit.coverage >= coverageMin && fit.titled >= TITLED_MIN) sections.push(fit);
  }
  sections.sort((a, b) => b.score - a.score);
  const best = sections[0];
  if (best === undefined) return undefined;
  const equal = sections.filter(({ hasSteps, score }) => hasSteps === best.hasSteps && score === best.score);
  const rival = equal.find(({ passage }) => passage.documentId !== best.passage.documentId);
  if (rival !== undefined) {
    return { type: "several documents", passages: [best.passage, rival.passage] };
  }
  if (best.hasSteps) return { type: "steps", passages: equal.map(({ passage }) => passage) };
  const passage = equal.length === 1 ? best.passage : introductionOf(best.passage, passages);
  return passage !== undefined && best.headed >= HEADED_MIN ? { type: "text", passage } : undefined;
}

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
  const context = contextTerms(passage);
  const introduced: ReadonlySet<string> = introduction === undefined ? new Set() : passageTerms(introduction);
  const { action } = scale.question;
  const isAbout = action === undefined || context.has(action) || introduced.has(action);
  const coverage = isAbout ? scale.share(introduced, passageTerms(passage)) : 0;
  const titled = scale.share(context);
  const headed = scale.headed(passage);
  const hasSteps = passageUnits(passage).filter(({ role }) => role === "step").length >= STEPS_MIN;
  const score = titled + headed + (hasSteps ? STEPS_BONUS : 0);
  return { passage, hasSteps, coverage, titled, headed, score };
}

/** What was found of the beginning of a passage's document: it tells what all of the document is about. */
export function introductionOf({ documentId }: Passage, passages: readonly Passage[]): Passage | undefined {
  return passages.find((passage) => passage.documentId === documentId && passage.headings.length === 0);
}

export interface Procedure {
  /** In the order in which they are said. */
  readonly texts: readonly string[];
  readonly used: readonly Passage[];
  /** Whether no step is missing, as far as that can be told. */
  readonly isWhole: boolean;
}

/**
 * The steps of these sections of one document, from whatever passages have them. First come the warnings of that
 * document: its notices, wherever they stand, and what its introduction forbids.
 */
export function procedureOf(sections: readonly Passage[], passages: readonly Passage[]): Procedure {
  const { documentId } = sections[0]!;
  const document = passages.filter((passage) => passage.documentId === documentId);
  const keys = [...new Set(sections.map(sectionKey))];
  const parts = keys.map((key) => partOf(document.filter((passage) => sectionKey(passage) === key)));
  const notices = new Set(
    document.flatMap((passage) =>
      passageUnits(passage)
        .filter((unit) => unit.role === "notice" || (passage.headings.length === 0 && isWarning(unit)))
        .map(spoken),
    ),
  );
  const texts = parts.flatMap(({ heading, warnings, steps }) => [
    ...(parts.length > 1 ? [`${heading}.`] : []),
    ...warnings.filter((warning) => !notices.has(warning)),
    ...steps,
  ]);
  // With several sections there may be more of them, unless the engine had come to other documents.
  const isAll = parts.length === 1 || passages.at(-1)!.documentId !== documentId;
  return {
    texts: [...notices, ...texts],
    used: document.filter((passage) => keys.includes(sectionKey(passage))),
    isWhole: isAll && parts.every((part) => part.isWhole),
  };
}

function sectionKey({ headings }: Passage): string {
  return headings.join("\n");
}

/** What one section says, put together from its passages: each warning and each step once. */
function partOf(passages: readonly Passage[]) {
  const units = passages.flatMap((passage) => passageUnits(passage));
  const steps = new Map<number, string>();
  for (const unit of units) {
    if (unit.role === "step" && !steps.has(unit.number)) steps.set(unit.number, spoken(unit));
  }
  const inOrder = [...steps].sort(([a], [b]) => a - b);
  return {
    heading: passages[0]!.headings.at(-1) ?? passages[0]!.title,
    warnings: [...new Set(units.filter(isWarning).map(spoken))],
    steps: inOrder.map(([, text]) => text),
    isWhole: inOrder.every(([number], i) => number === i + 1),
  };
}
