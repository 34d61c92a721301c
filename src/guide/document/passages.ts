/** A document as a guide is bound to it: which passage stands at a place such as "Locking out, step 3". Pure. */
import { type List, type PassageUnit, unitsIn } from "../../extractive/passage-units.js";
import { type EvidenceText, type PreparedEvidence, prepareEvidence } from "../../grounding/evidence.js";
import { withoutInjections } from "../../grounding/injection.js";
import { once } from "../../lib/once.js";
import { compareRevisions, titleKey } from "../../retrieval/revision.js";
import type { KnowledgeDocument } from "../../retrieval/writer.js";
import type { Guide, StepSource } from "../schema/guide.js";

/** What guides need to know of a document that was ingested. */
export type GuideDocument = Pick<
  KnowledgeDocument,
  "documentId" | "sourceFile" | "title" | "revision" | "access"
> & {
  readonly chunks: readonly Pick<KnowledgeDocument["chunks"][number], "chunkId" | "headings" | "text">[];
};

/** What stands together under one heading, or behind one lead-in. */
export interface DocumentSection {
  /** As places name it: the heading, the lead-in of its steps, or the document's title. */
  readonly name: string;
  readonly chunkId: string;
  /** All that it is under, from the document's title on. */
  readonly headings: readonly string[];
  readonly text: string;
  readonly units: readonly PassageUnit[];
}

/** The sections in order. Several procedures under one heading are sections of their own, each named by its lead-in. */
export const sectionsIn = once((document: GuideDocument): readonly DocumentSection[] =>
  document.chunks.flatMap((chunk) => sectionsOf(document, chunk)),
);

function sectionsOf(
  { title }: GuideDocument,
  chunk: GuideDocument["chunks"][number],
): readonly DocumentSection[] {
  const { chunkId } = chunk;
  const text = withoutInjections(chunk.text);
  const units = unitsIn(text);
  const headings = [title, ...chunk.headings];
  const whole = { name: headings.at(-1)!, chunkId, headings, text, units };
  const leads = new Map(orderedLists(units).map((list) => [list, list.lead]));
  if (leads.size < 2 || [...leads.values()].includes(undefined)) return [whole];
  const own = units.filter(({ list }) => list === undefined || !leads.has(list));
  const rest = own.filter(({ text: said }) => ![...leads.values()].includes(said.replace(/[:：]$/, "")));
  return [
    ...(rest.length > 0 ? [{ ...whole, units: rest }] : []),
    ...[...leads].map(([list, lead]) => ({ ...whole, name: lead!, units: list.units })),
  ];
}

function orderedLists(units: readonly PassageUnit[]): readonly List[] {
  return [...new Set(units.flatMap(({ list }) => (list?.isOrdered ? [list] : [])))];
}

/** How a step or a section of a document is named in a guide. */
export function placeOf({ name }: DocumentSection, step?: number): string {
  return step === undefined ? name : `${name}, step ${step}`;
}

const STEP_PLACE = /^(.+), step (\d{1,3})$/;

/** The texts at a place: of a step its own, with what stands below it; of a section all of it. */
export function passagesAt(document: GuideDocument, place: string): readonly EvidenceText[] {
  const whole = sectionsIn(document).filter(({ name }) => name === place);
  if (whole.length > 0) return whole.map((section) => evidenceOf(document, section));
  const [, heading, number] = STEP_PLACE.exec(place) ?? [];
  const sections = sectionsIn(document).filter(
    ({ headings, name }) => name === heading || headings.at(-1) === heading,
  );
  return sections.flatMap((section) => {
    const step = section.units.find((unit) => unit.role === "step" && unit.number === Number(number));
    if (step === undefined) return [];
    const below = section.units.filter(({ under }) => under === step);
    const { end } = below.at(-1) ?? step;
    const text = `${number}. ${section.text.slice(step.start, end)}`;
    return [evidenceOf(document, { ...section, text })];
  });
}

/** All of a document, as what a step says may be held against. */
export function evidenceIn(document: GuideDocument): PreparedEvidence {
  const sections = new Map(sectionsIn(document).map((section) => [section.chunkId, section]));
  return prepareEvidence([...sections.values()].map((section) => evidenceOf(document, section)));
}

function evidenceOf(
  { documentId, title }: GuideDocument,
  { chunkId, headings, name, text }: DocumentSection,
): EvidenceText {
  const around = headings.includes(name) ? headings.slice(1) : [...headings.slice(1), name];
  return { type: "passage", source: chunkId, document: documentId, title, headings: around, text };
}

/** The document that a step names, by its path below its folder or its id. */
export function documentOf(
  { document }: StepSource,
  documents: readonly GuideDocument[],
): GuideDocument | undefined {
  return documents.find(({ documentId, sourceFile }) => sourceFile === document || documentId === document);
}

/**
 * The documents of a guide that have a newer revision than it was written by, each once: under the same name, or under
 * another one with the same title. A guide with any is out of date, and its runs say so at the start.
 */
export function outdatedSources({ steps }: Guide, documents: readonly GuideDocument[]) {
  const found = steps.flatMap(({ source }) => {
    const own = source && documentOf(source, documents);
    if (source?.revision === undefined || own === undefined) return [];
    const { document, revision: had } = source;
    const has = documents
      .filter(({ title }) => titleKey(title) === titleKey(own.title))
      .flatMap(({ revision }) => revision ?? [])
      .reduce((newest, one) => (compareRevisions(newest, one) < 0 ? one : newest), had);
    return has === had ? [] : [{ document, had, has }];
  });
  return [...new Map(found.map((one) => [`${one.document}\n${one.had}`, one])).values()];
}
