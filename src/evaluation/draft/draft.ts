/**
 * Drafts questions with what a right answer says from documents, for a person to correct: by templates, without a model,
 * and the same each time. A draft is marked as such and cannot be asked before somebody has looked at it.
 */
import { splitSentences } from "../../lib/sentence-end.js";
import type { KnowledgeDocument } from "../../retrieval/writer.js";
import { type Attribute, type DraftedSection, sectionsOf } from "./sections.js";

/** A row as a data set's file has it. */
export interface DraftRow {
  readonly id: string;
  readonly kind: string;
  readonly turns: readonly [string];
  readonly answerable: boolean;
  readonly expect: readonly (readonly string[])[];
  readonly partial_ok?: true;
  readonly items?: readonly [number];
  readonly forbid?: readonly string[];
  readonly hurts: false;
  readonly source: { readonly document: string; readonly heading: string; readonly quote: string };
  readonly username?: string;
  readonly groups?: readonly string[];
  readonly draft: true;
}

/** What is drafted of a section, before it is a row. */
export interface DraftQuestion {
  readonly kind: string;
  readonly question: string;
  /** Empty: the documents do not answer it. */
  readonly expect: readonly (readonly string[])[];
  readonly quote: string;
  /** Of a list or procedure, how many there are. */
  readonly items?: number;
  readonly forbid?: readonly string[];
}

/** Of a procedure or list; of longer ones a part is right that tells how many there are. */
const ITEMS_WHOLE_MAX = 5;
const ITEMS_MIN = 2;
const STEP_WORDS = 5;
/** A quote is for a person, who finds the place by it. */
const QUOTE_CHARS_MAX = 2_000;

/** By templates: amounts, cells and keys, procedures, lists; and what another section has and this document lacks. */
export function draftedQuestions(
  documents: readonly KnowledgeDocument[],
): readonly (readonly [DraftedSection, DraftQuestion])[] {
  const sections = sectionsOf(documents);
  return sections.flatMap((section, i) => {
    const questions = [
      ...attributeQuestions(section),
      ...procedureQuestion(section),
      ...listQuestion(section),
    ];
    const isLast = sections[i + 1]?.document !== section.document;
    const own = questions.map((question) => [section, question] as const);
    return isLast ? [...own, ...unanswerable(section.document, sections)] : own;
  });
}

function attributeQuestions({ attributes }: DraftedSection): DraftQuestion[] {
  return attributes.map(({ ask, kind, quote, subject, value }) => ({
    kind,
    question: ask(subject),
    expect: [[value]],
    quote,
  }));
}

function procedureQuestion({ steps, subject }: DraftedSection): DraftQuestion[] {
  return steps.length < ITEMS_MIN
    ? []
    : [wholeQuestion("procedure", `${subject}: what are the steps?`, steps)];
}

function listQuestion({ bullets, subject }: DraftedSection): DraftQuestion[] {
  return bullets.length < ITEMS_MIN
    ? []
    : [wholeQuestion("list", `${subject}: what is on the list?`, bullets)];
}

function wholeQuestion(kind: string, question: string, items: readonly string[]): DraftQuestion {
  return {
    kind,
    question,
    expect: items.map((item) => [beginningOf(item)]),
    quote: items.join("\n"),
    ...(items.length > ITEMS_WHOLE_MAX && { items: items.length }),
  };
}

/** The first words of an item: enough to tell whether it was said. */
function beginningOf(item: string): string {
  const sentence = splitSentences(item)[0] ?? item;
  return sentence.trim().split(/\s+/).slice(0, STEP_WORDS).join(" ");
}

/** One question for a document: what a section of another one has, asked of a section that has nothing of the kind. */
function unanswerable(
  document: KnowledgeDocument,
  sections: readonly DraftedSection[],
): readonly (readonly [DraftedSection, DraftQuestion])[] {
  const own = sections.filter((section) => section.document === document);
  const names = new Set(own.flatMap(({ attributes }) => attributes.map(({ name }) => name)));
  const last = sections.lastIndexOf(own.at(-1)!);
  const others = [...sections.slice(last + 1), ...sections].filter(
    (section) => section.document !== document,
  );
  const isMissing = (attribute: Attribute) =>
    !names.has(attribute.name) && own.every(({ text }) => !text.toLowerCase().includes(attribute.name));
  const borrowed = others.flatMap(({ attributes }) => attributes).find(isMissing);
  const [section] = own;
  if (borrowed === undefined || section === undefined) return [];
  const subject = section.attributes[0]?.subject ?? section.subject;
  return [
    [
      section,
      {
        kind: "near_unanswerable",
        question: borrowed.ask(subject),
        expect: [],
        quote: section.text,
        forbid: [borrowed.value],
      },
    ],
  ];
}

/** Rows with ids of their own, none asked twice; documents that nobody may read are left out. */
export function draftRows(questions: readonly (readonly [DraftedSection, DraftQuestion])[]): DraftRow[] {
  const asked = new Set<string>();
  const counts = new Map<string, number>();
  return questions.flatMap(([{ document, heading }, drafted]): DraftRow[] => {
    const reader = readerOf(document);
    if (reader === undefined || asked.has(drafted.question)) return [];
    asked.add(drafted.question);
    const stem = slugOf(document.sourceFile);
    const count = (counts.get(stem) ?? 0) + 1;
    counts.set(stem, count);
    const { expect, forbid, items, kind, question, quote } = drafted;
    return [
      {
        id: `${stem}-${count}`,
        kind,
        turns: [question],
        answerable: expect.length > 0,
        expect,
        ...(items !== undefined && { partial_ok: true, items: [items] }),
        ...(forbid && { forbid }),
        hurts: false,
        source: { document: document.sourceFile, heading, quote: quote.slice(0, QUOTE_CHARS_MAX) },
        ...reader,
        draft: true,
      },
    ];
  });
}

/** Somebody who may read the document; undefined where nobody may. */
function readerOf({ access }: KnowledgeDocument): Pick<DraftRow, "username" | "groups"> | undefined {
  const { allowedGroups, allowedUsers, visibility } = access;
  if (visibility === "network") return {};
  const [group] = allowedGroups;
  if (group !== undefined) return { groups: [group] };
  const [username] = allowedUsers;
  return username === undefined ? undefined : { username };
}

function slugOf(file: string): string {
  return file
    .replace(/\.[^./]*$/, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "-");
}
