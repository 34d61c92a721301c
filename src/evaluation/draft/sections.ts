/** What can be asked about in a section of a document: amounts in sentences, cells of tables, keys with a value, steps. */
import { splitSentences } from "../../lib/sentence-end.js";
import { compareRevisions, titleKey } from "../../retrieval/revision.js";
import type { KnowledgeDocument } from "../../retrieval/writer.js";
import { numeralAt } from "../../words/quantity/numerals.js";
import { quantitiesIn } from "../../words/quantity/quantities.js";
import { NO_UNIT } from "../../words/quantity/units.js";
import { tokenize } from "../../words/tokens.js";

/** Something that a subject has, and another one may have too. */
export interface Attribute {
  readonly kind: "fact" | "table";
  /** What it is the attribute of, for a question. */
  readonly subject: string;
  /** The same for all subjects that have it: the column, the key, the unit. */
  readonly name: string;
  /** The question for it, of this subject or of another one. */
  readonly ask: (subject: string) => string;
  readonly value: string;
  readonly quote: string;
}

export interface DraftedSection {
  readonly document: KnowledgeDocument;
  /** The title and the section's own heading. */
  readonly subject: string;
  readonly heading: string;
  readonly text: string;
  readonly attributes: readonly Attribute[];
  /** Of a procedure, without their numbers. */
  readonly steps: readonly string[];
  /** Bullets that are no rows and no keys with a value. */
  readonly bullets: readonly string[];
}

/** A sentence longer than this makes no question that somebody would say. */
const SENTENCE_CHARS_MAX = 160;
const KEY_CHARS_MAX = 60;
/** Of one section: a set with every cell of every table is read by nobody. */
const ROWS_ASKED_MAX = 3;

/**
 * The sections of documents, in order; pieces of one section that did not fit together are sections of their own. Of a
 * document with several revisions the newest counts, as in answers.
 */
export function sectionsOf(documents: readonly KnowledgeDocument[]): DraftedSection[] {
  const newest = new Map<string, KnowledgeDocument>();
  for (const document of documents) {
    const key = titleKey(document.title);
    const known = newest.get(key);
    if (known === undefined || compareRevisions(known.revision ?? "", document.revision ?? "") < 0)
      newest.set(key, document);
  }
  return [...newest.values()].flatMap((document) =>
    document.chunks.map(({ headings, text }) => {
      const heading = headings.at(-1) ?? document.title;
      const subject = heading === document.title ? heading : `${document.title}, ${heading}`;
      const lines = text.split("\n").map((line) => line.trim());
      const bullets = lines
        .filter((line) => line.startsWith(BULLET))
        .map((line) => line.slice(BULLET.length));
      const rows = bullets.flatMap((line) => rowOf(line) ?? []);
      const pairs = bullets.flatMap((line) => pairOf(line) ?? []);
      const attributes = [
        ...rows.slice(0, ROWS_ASKED_MAX).flatMap((row, i) => cellOf(row, i)),
        ...(rows.length > 0 ? [] : pairs.slice(0, ROWS_ASKED_MAX).map((pair) => keyOf(pair, subject))),
        ...amountsOf(lines, subject).slice(0, 1),
      ];
      return {
        document,
        subject,
        heading,
        text,
        attributes,
        steps: lines.flatMap((line) => stepOf(line) ?? []),
        bullets: rows.length + pairs.length > 0 ? [] : bullets,
      };
    }),
  );
}

const BULLET = "- ";

interface Pair {
  readonly name: string;
  readonly value: string;
  readonly quote: string;
}

/** `Late shift, from 14:00 to 22:00: 8 percent`. */
function pairOf(line: string): Pair | undefined {
  const at = line.indexOf(": ");
  if (at < 1 || at > KEY_CHARS_MAX || line.length > SENTENCE_CHARS_MAX) return undefined;
  return { name: line.slice(0, at), value: line.slice(at + 2).trim(), quote: line };
}

interface Row {
  readonly cells: readonly Pair[];
  readonly quote: string;
}

/** `Band: 3; From: 2,830 euros`: a row as readers of tables give it. */
function rowOf(line: string): Row | undefined {
  const cells = line.split("; ").map((cell) => pairOf(cell));
  const named = cells.flatMap((cell) => cell ?? []);
  return named.length < 2 || named.length < cells.length ? undefined : { cells: named, quote: line };
}

/** One cell of a row, another column for each row. The first cell is what the row is called. */
function cellOf({ cells, quote }: Row, index: number): Attribute[] {
  const [first, ...rest] = cells;
  const cell = rest[index % rest.length]!;
  const subject = `${first!.name} ${first!.value}`;
  return [{ ...keyOf(cell, subject), kind: "table", quote }];
}

function keyOf({ name, value, quote }: Pair, subject: string): Attribute {
  const ask = (of: string) => `What is the ${name} of ${of}?`;
  return { kind: "fact", subject, name: name.toLowerCase(), ask, value, quote };
}

/** Sentences with one amount: "The check takes 6 minutes." asks "the check takes how many minutes?" */
function amountsOf(lines: readonly string[], subject: string): Attribute[] {
  const prose = lines.filter((line) => line !== "" && !line.startsWith(BULLET) && stepOf(line) === undefined);
  const sentences = prose.flatMap((line) => splitSentences(line)).map((sentence) => sentence.trim());
  return sentences
    .filter((sentence) => sentence.length <= SENTENCE_CHARS_MAX)
    .flatMap((quote): Attribute[] => {
      const amounts = quantitiesIn(quote).filter(({ unit }) => unit !== NO_UNIT);
      const [amount] = amounts;
      if (amount === undefined || amounts.length > 1) return [];
      const tokens = tokenize(amount.text);
      const numeral = numeralAt(tokens, 0);
      if (numeral === undefined || tokens.slice(numeral.next).some(({ kind }) => kind === "number"))
        return [];
      const unit = amount.text.slice(tokens[numeral.next - 1]!.end).trim();
      if (unit === "") return [];
      const asked = `${quote.slice(0, amount.start)}how many ${unit}${quote.slice(amount.end)}`;
      const ask = (of: string) => `${of}: ${asked.replace(/[.!?]$/, "")}?`;
      return [{ kind: "fact", subject, name: `how many ${unit}`, ask, value: amount.text, quote }];
    });
}

/** `3. Lift the lid.` without its number. */
function stepOf(line: string): string | undefined {
  const mark = /^\d{1,3}[.)] /.exec(line);
  return mark === null ? undefined : line.slice(mark[0].length).trim();
}
