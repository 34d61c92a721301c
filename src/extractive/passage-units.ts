/**
 * The structure of a passage's text, and what of it can be spoken on its own: headings, sentences, warnings, the steps
 * and items of lists with what leads in to them, and rows of tables with the names of their cells.
 */
import type { Passage } from "../domain/passage.js";
import { once } from "../lib/once.js";
import { splitSentences } from "../lib/sentence-end.js";
import { shippedRows } from "../lib/shipped-files.js";
import { cellsOf } from "./table-row.js";
import { termsOf } from "./terms.js";

/** A piece of a passage, in its place. */
interface Placed {
  /** Word for word, without the marks of the layout. */
  readonly text: string;
  /** UTF-16 offsets in the passage's text, behind the mark of an item; of a unit of several sentences, those of all of them. */
  readonly start: number;
  readonly end: number;
  /** The paragraph, the item or the step that it stands in, counted in the text. */
  readonly paragraph: number;
  /** The list, procedure or table that it is part of. */
  readonly list?: List;
  /** Of what stands below a step: that step. */
  readonly under?: StepUnit;
}

export interface StepUnit extends Placed {
  readonly role: "step";
  /** As the document counts; the place of a letter in the alphabet. */
  readonly number: number;
}

export type PassageUnit = StepUnit | (Placed & { readonly role: Exclude<Role, "step"> });

type Role = "heading" | "sentence" | "item" | "row" | "warning" | "notice" | "step";

/** Steps, items or rows that stand together. */
export interface List {
  /** The sentence before it that ends in a colon, without that. */
  readonly lead: string | undefined;
  readonly isOrdered: boolean;
  /** All of it in order, what stands below its steps included. */
  readonly units: readonly PassageUnit[];
}

/**
 * The passage's units in order. A step holds all sentences up to the next step or bullet or the end of its paragraph,
 * and so do a row and a notice, which is a warning that calls itself one ("Danger: …"); a warning is one sentence that forbids.
 * What the writer has left open, "TBD", is no unit.
 */
export const passageUnits = once(({ text }: Passage): readonly PassageUnit[] => unitsIn(text));

/** The same of a text. */
export function unitsIn(text: string): readonly PassageUnit[] {
  return new StructureReader().read(text);
}

/** In order, repeats included. */
export const unitTerms = once(({ text }: PassageUnit): readonly string[] => termsOf(text));

/** "1. ", "2) ", "1.) ", "Step 3: ", behind any marks of emphasis. */
const STEP = /^[\s>*_]*(?:step\s+)?(\d{1,3})(?:[.):]|\.\))[*_]*\s+/i;
/** "a. ", "b) ": a step where the one before it has the letter before. */
const LETTER = /^[\s>*_(]*([a-z])[.)][*_]*\s+/i;

const BULLET = /^[\s>]*[-*+•–] /;

const NOTICE = /^(?:warning|danger|caution|attention|important)\b/i;
const WARNING = /^(?:never|do not|don't|must not)\b/i;

/** What is not settled yet is no fact. */
const UNSETTLED = new RegExp(`\\b(?:${shippedRows("locales/words/unsettled.txt").join("|")})\\b`);
const MAY_CHANGE = /\b(?:might|may|needs?|should) (?:to be )?(?:updat|review|verif)(?:e|ed|ing)\b/;

/** Whether a sentence tells that it is not settled what holds. */
export function isUnsettled(text: string): boolean {
  return UNSETTLED.test(text) || MAY_CHANGE.test(text);
}

/** Whether a sentence, as a document writes it or as it is said, warns of something. */
export function isWarningText(text: string): boolean {
  return NOTICE.test(text) || WARNING.test(text);
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };
type OpenUnit = Writable<Placed> & { role: Role; number?: number };
type OpenList = Omit<List, "units"> & { readonly units: OpenUnit[] };

/** One pass over the sentences of a text. */
class StructureReader {
  readonly #units: OpenUnit[] = [];
  #list: OpenList | undefined;
  /** Goes on with the sentences that follow in its paragraph. */
  #open: OpenUnit | undefined;
  /** The last sentence, where it leads in to something. */
  #lead: string | undefined;
  /** Whether an empty line stands before what is read. */
  #isFresh = true;
  #paragraph = 0;

  read(text: string): readonly PassageUnit[] {
    let at = 0;
    for (const raw of lettersApart(text).flatMap(splitSentences)) {
      const start = at + raw.length - raw.trimStart().length;
      at += raw.length;
      this.#sentence(raw.trim(), start, start + raw.trim().length);
      this.#isFresh = endsParagraph(raw);
      if (this.#isFresh) this.#open = undefined;
    }
    return this.#units as readonly OpenUnit[] as readonly PassageUnit[];
  }

  #sentence(line: string, start: number, end: number): void {
    const step = this.#stepIn(line);
    const isItem = step === undefined && BULLET.test(line);
    const text = bare(step === undefined ? line : line.slice(step.markChars));
    if (isItem || step !== undefined) this.#open = undefined;
    if (isItem || step !== undefined || this.#isFresh) this.#paragraph += 1;
    if (!/[\p{L}\p{N}]/u.test(text) || isUnsettled(text)) return;
    const markChars = step?.markChars ?? BULLET.exec(line)?.[0].length ?? 0;
    const place = { start: start + markChars, end, paragraph: this.#paragraph };
    const unit: OpenUnit = { role: roleOf(line, text, isItem), text, ...place };
    if (step !== undefined) this.#step({ ...unit, role: "step", number: step.number });
    else if (isItem) this.#item(unit);
    else this.#prose(unit);
    this.#lead = /[:：]$/.test(text) ? text.slice(0, -1) : undefined;
  }

  #stepIn(line: string): { readonly number: number; readonly markChars: number } | undefined {
    const digits = STEP.exec(line);
    if (digits !== null) return { number: Number(digits[1]), markChars: digits[0].length };
    const letter = LETTER.exec(line);
    const number = (letter?.[1]?.toLowerCase().codePointAt(0) ?? 0) - "a".codePointAt(0)! + 1;
    const isNext = number === 1 || (this.#list?.isOrdered === true && number === this.#lastNumber + 1);
    return letter !== null && isNext ? { number, markChars: letter[0].length } : undefined;
  }

  get #lastNumber(): number {
    return this.#list?.units.findLast(({ role }) => role === "step")?.number ?? 0;
  }

  #step(step: OpenUnit): void {
    const goesOn = this.#list?.isOrdered === true && step.number! > this.#lastNumber;
    if (!goesOn) this.#begin(true);
    this.#open = step;
    this.#add(step);
  }

  #item(item: OpenUnit): void {
    const under = this.#list?.isOrdered && !this.#isFresh ? this.#list.units.at(-1) : undefined;
    if (under !== undefined) item.under = (under.under ?? under) as unknown as StepUnit;
    else if (this.#list === undefined || this.#list.isOrdered || (this.#isFresh && this.#lead !== undefined))
      this.#begin(false);
    if (item.role === "row") this.#open = item;
    this.#add(item);
  }

  #begin(isOrdered: boolean): void {
    this.#list = { lead: this.#lead, isOrdered, units: [] };
  }

  #add(unit: OpenUnit): void {
    unit.list = this.#list as unknown as List;
    this.#list!.units.push(unit);
    this.#units.push(unit);
  }

  #prose(unit: OpenUnit): void {
    const { role, text, end } = unit;
    if (this.#open !== undefined && role !== "notice") {
      this.#open.text += ` ${text}`;
      this.#open.end = end;
      return;
    }
    if (role === "notice") this.#open = unit;
    const last = this.#list?.units.at(-1);
    // A sentence more of an item; a warning between steps does not end them.
    if (last !== undefined && !this.#isFresh && role !== "heading") {
      if (last.under !== undefined) unit.under = last.under;
      this.#add(unit);
      return;
    }
    if (role !== "notice") this.#list = this.#list?.isOrdered && role === "warning" ? this.#list : undefined;
    this.#units.push(unit);
  }
}

/** A text before each letter of lettered steps: a letter behind a full stop is no beginning of a sentence otherwise. */
function lettersApart(text: string): readonly string[] {
  return /(?:^|\n)a[.)] /.test(text) ? text.split(/(?<=[.!?;:,]\s)(?=[b-z][.)] )/) : [text];
}

/** Whether an empty line stands at the end. */
function endsParagraph(raw: string): boolean {
  const blanks = raw.slice(raw.trimEnd().length);
  return blanks.indexOf("\n") < blanks.lastIndexOf("\n");
}

function roleOf(line: string, text: string, isItem: boolean): Role {
  if (/^\s*#{1,6} /.test(line)) return "heading";
  if (NOTICE.test(text)) return "notice";
  if (WARNING.test(text)) return "warning";
  if (!isItem) return "sentence";
  return cellsOf(text).length > 1 ? "row" : "item";
}

/** Without quotation marks, heading marks, bullets and emphasis of Markdown, on one line. */
function bare(line: string): string {
  return line
    .replace(/^(?:>\s*|#{1,6}\s+|[-*+•–]\s+(?:\[[ x]\]\s+)?)+/, "")
    .replace(/\*\*|__|`/g, "")
    .replace(/(?<!\s)\s*\n\s*(?:>\s*)?/g, " ")
    .trim();
}
