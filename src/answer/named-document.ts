/** Which document somebody means who names one as people do: "the cold room alarm", "refunds", "lockout 2026". Pure. */

import { termsOf } from "../extractive/terms.js";
import { isWithin } from "../lib/edit-distance.js";
import { pause } from "../lib/pause.js";
import type { DocumentOutline } from "../retrieval/port.js";

export type NamedDocument =
  | { readonly type: "found"; readonly document: DocumentOutline }
  /** Several bear the name equally well; their titles. */
  | { readonly type: "several"; readonly titles: readonly string[] }
  | { readonly type: "none" };

/** Titles that are told when several documents bear a name. */
const TITLES_MAX = 4;

/** The share of the name's words that a title has to have. */
const NAME_SHARE_MIN = 0.75;

/** Titles whose shares differ by less are equally well meant. */
const SHARE_EQUAL = 0.05;

/** `documents`: all that may be named, those stored last first. */
export async function namedDocument(
  name: string,
  documents: readonly DocumentOutline[],
): Promise<NamedDocument> {
  const wanted = folded(name);
  if (wanted === "") return { type: "none" };
  const words = wordsOf(name);
  const ranked: ReturnType<typeof fitOf>[] = [];
  for (const document of documents) {
    await pause();
    const { documentId, title } = document;
    if (documentId === name.trim() || folded(title) === wanted) return { type: "found", document };
    const fit = fitOf(words, document);
    if (fit.ofName >= NAME_SHARE_MIN) ranked.push(fit);
  }
  ranked.sort((a, b) => b.ofName - a.ofName || b.ofTitle - a.ofTitle);
  const best = ranked[0];
  if (best === undefined) return { type: "none" };
  const alike = ranked.filter(
    ({ ofName, ofTitle }) => best.ofName - ofName < SHARE_EQUAL && best.ofTitle - ofTitle < SHARE_EQUAL,
  );
  const titles = [...new Set(alike.map(({ document }) => document.title))];
  return titles.length === 1
    ? { type: "found", document: best.document }
    : { type: "several", titles: titles.slice(0, TITLES_MAX) };
}

/** A document with the shares of the name in its title (its revision included), and of the title in the name. */
function fitOf(words: readonly Word[], document: DocumentOutline) {
  const own = wordsOf(document.title);
  const known = [...own, ...wordsOf(document.revision ?? "")];
  if (words.length === 0 || own.length === 0) return { document, ofName: 0, ofTitle: 0 };
  const inTitle = words.filter((word) => known.some((other) => isAlike(word, other)));
  const inName = own.filter((word) => words.some((other) => isAlike(word, other)));
  return { document, ofName: inTitle.length / words.length, ofTitle: inName.length / own.length };
}

interface Word {
  readonly written: string;
  /** The term that stands for all of its forms. */
  readonly term: string;
}

/** The words of a text that tell something, each once. */
function wordsOf(text: string): readonly Word[] {
  const words = folded(text)
    .split(" ")
    .flatMap((written): Word[] => termsOf(written).map((term) => ({ written, term })))
    .filter(({ term }) => !SAYS_WHAT_IT_IS.has(term));
  return [...new Map(words.map((word) => [word.term, word])).values()].slice(0, WORDS_MAX);
}

/** Words of a name or a title that are compared, each with each, and characters of it that are looked at. */
const WORDS_MAX = 32;
const NAME_CHARS_MAX = 500;

/** How people call any document. */
const SAYS_WHAT_IT_IS: ReadonlySet<string> = new Set(
  termsOf("document documents file manual handbook guide instructions page chapter about please our my"),
);

function folded(text: string): string {
  return text
    .slice(0, NAME_CHARS_MAX)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, " ")
    .trim();
}

/** From this length on, a word may differ in one letter: somebody has heard it, or typed it. */
const FUZZY_LENGTH_MIN = 5;

function isAlike({ term, written: one }: Word, { term: otherTerm, written: other }: Word): boolean {
  if (term === otherTerm) return true;
  if (Math.min(one.length, other.length) < FUZZY_LENGTH_MIN) return false;
  return one.startsWith(other) || other.startsWith(one) || isWithin(1, one, other);
}
