/**
 * The units that a claim may rest on: a sentence, an item with its lead-in, a row, or, where a sentence gives several
 * values of one kind, each of its parts with its own value. A unit knows the words that it takes from around it.
 */
import { cellText, cellsOf as rowCells } from "../extractive/table-row.js";
import { once } from "../lib/once.js";
import { compareAmounts } from "../words/quantity/quantity.js";
import type { EvidencePart, EvidenceSentence, PreparedEvidence } from "./evidence.js";
import { type Conjunct, conjunctsOf, textBetween } from "./sentence/conjuncts.js";
import { parseSentence, type Sentence, type SentenceWord } from "./sentence/sentence.js";
import { verbIn } from "./sentence/verbs.js";

export interface EvidenceUnit {
  /** What it says itself. Its place is that of its whole sentence. */
  readonly says: EvidenceSentence;
  /** Terms of its title and headings, its lead-in, what its pronouns mean and what its part leaves out. */
  readonly context: ReadonlySet<string>;
  /** Those of the context that only a pronoun stands for: what is done must be its own. */
  readonly antecedents: ReadonlySet<string>;
  readonly index: number;
  /** No more than a part of its sentence. */
  readonly isPart: boolean;
  /** A row of a table: what it says has no verb, and its cells restrict nothing by their form. */
  readonly isRow: boolean;
}

interface UnitIndex {
  readonly all: readonly EvidenceUnit[];
  /** Indices of the units that say a term, or take it from around them. */
  readonly byTerm: ReadonlyMap<string, readonly number[]>;
}

/** All units of the evidence. Put together once. */
export const unitsOf = once(({ parts }: PreparedEvidence): UnitIndex => {
  const all: EvidenceUnit[] = [];
  const byTerm = new Map<string, number[]>();
  for (const part of parts)
    for (const [at, sentence] of part.sentences.entries()) {
      const antecedents = antecedentsOf(part, at);
      const context = contextOf(part, at, antecedents);
      const own = partsOf(sentence, context);
      for (const unit of own) {
        const index = all.length;
        all.push({ ...unit, antecedents, index, isPart: own.length > 1 });
        for (const term of unit.says.terms) {
          const list = byTerm.get(term);
          if (list === undefined) byTerm.set(term, [index]);
          else list.push(index);
        }
      }
    }
  return { all, byTerm };
});

/** Words that stand for something named before. */
const POINTS = /^(?:it|its|they|them|their|he|she|his|her|him|this|these|those|latter|former)$/;
/** Sentences before a pronoun in which what it means may be named. */
const ANTECEDENTS = 2;

/** What a sentence says it of, before a colon. */
const LABEL = /^([^:]{1,200}):\s/;

function antecedentsOf({ around, sentences }: EvidencePart, at: number): ReadonlySet<string> {
  const sentence = sentences[at]!;
  const found = new Set<string>();
  const pointer = sentence.tokens.findIndex(({ lower }) => POINTS.test(lower));
  // Behind two words of its own, a pronoun stands for one of them.
  const named = sentence.words.filter(({ token, info }) => token < pointer && info.weight === "content");
  if (pointer < 0 || (named.length > 1 && sentence.item !== undefined)) return found;
  for (const { terms, text } of sentences.slice(Math.max(0, at - ANTECEDENTS), at)) {
    // "Fever, rash: stop the blood." "A mild rash alone: slow it down." What stands before a colon is not what is done to.
    const cases = LABEL.test(sentence.text) ? parseSentence(LABEL.exec(text)?.[1] ?? "").terms : new Set();
    for (const term of terms) if (!around.has(term) && !cases.has(term)) found.add(term);
  }
  return found;
}

function contextOf({ around, sentences }: EvidencePart, at: number, antecedents: ReadonlySet<string>) {
  const isItem = sentences[at]!.item !== undefined;
  const before = sentences.slice(0, at).findLast(({ item }) => !isItem || item === undefined);
  const leadIn = before !== undefined && (isItem ? GOES_ON : /:$/).test(before.text) ? before.terms : [];
  return new Set([...around, ...antecedents, ...leadIn]);
}

/** Ends as what goes on in the items of a list. */
const GOES_ON = /[^.!?;]$/;

function partsOf(sentence: EvidenceSentence, context: ReadonlySet<string>) {
  const whole = { says: sentence, context, isRow: false };
  if (sentence.excess !== undefined) return [whole];
  const cells = cellsOf(sentence);
  if (cells.length > 2) return viewsOfRow(sentence, cells).map((says) => ({ says, context, isRow: true }));
  const conjuncts = conjunctsOf(sentence);
  if (conjuncts.length < 2) return [whole];
  const views = conjuncts.map((part, i) => viewOf(sentence, part, conjuncts[i - 1]));
  const isStopped = conjuncts.some(
    ({ from, hasVerb, lacks }) => hasVerb && lacks.size === 0 && sentence.tokens[from - 1]?.text === ";",
  );
  const isApart = views.some((one, i) => views.slice(i + 1).some((other) => setsApart(one, other)));
  if (!isStopped && !isApart && !BEYOND_THAT.test(sentence.text)) return [whole];
  const label = parseSentence(/^([^:]*):\s/.exec(sentence.text)?.[1] ?? "").terms;
  return views.map((says, i) => {
    const pointed = says.tokens.some(({ lower }) => POINTS.test(lower) || /^wh(?:ich|o)$/.test(lower))
      ? views.slice(0, i).flatMap(({ terms }) => [...terms])
      : [];
    const taken = takenOver(conjuncts, views, i);
    return { says, context: new Set([...context, ...label, ...pointed, ...taken]), isRow: false };
  });
}

/** "Room: Freezer; Set point: -20 °C; Alarm above: -15 °C": each cell with its header; none where it is no row. */
export function cellsOf({ text }: Sentence): readonly string[] {
  return rowCells(text).map((cell) => (/^no(?:ne)?$/i.test(cell.value) ? `no ${cell.name}` : cellText(cell)));
}

/** The first cell names the row: it stands with each of those that give values of one kind, and with all others. */
function viewsOfRow(sentence: EvidenceSentence, cells: readonly string[]): EvidenceSentence[] {
  const [name, ...others] = cells.map((cell) => parseSentence(cell));
  const isApart = others.map((one) => others.some((other) => other !== one && hasOtherAmount(one, other)));
  const viewOfCells = (isIn: (cell: number) => boolean) =>
    parseSentence([name!, ...others.filter((_, at) => isIn(at))].map(({ text }) => text).join("; "));
  if (!isApart.includes(true)) return [{ ...sentence, ...viewOfCells(() => true) }];
  return isApart.flatMap((apart, at) =>
    apart ? [{ ...sentence, ...viewOfCells((cell) => cell === at || !isApart[cell]) }] : [],
  );
}

/** A part as it says itself; "above that" is above the amount of the part before. */
function viewOf(sentence: EvidenceSentence, part: Conjunct, before: Conjunct | undefined): EvidenceSentence {
  const amount = sentence.quantities.findLast(
    ({ firstToken }) => before !== undefined && firstToken >= before.from && firstToken < before.to,
  );
  const text = textBetween(sentence, part);
  const said = amount === undefined ? text : text.replace(BEYOND_THAT, `$1 ${amount.text}`);
  return { ...sentence, ...parseSentence(said) };
}

const BEYOND_THAT = /\b(above|below|over|under|beyond|(?:more|less) than) (?:that|this)\b/i;

/** Both give a value of one kind, and not the same. */
export function setsApart(a: Sentence, b: Sentence): boolean {
  return (
    hasOtherAmount(a, b) ||
    (verbIn(b, 0, b.tokens.length) !== undefined && isOfOtherKind(a, b)) ||
    (isAlike(a, b) && a.words.some((one) => b.words.some((other) => isOther(one, other))))
  );
}

function hasOtherAmount(a: Sentence, b: Sentence): boolean {
  const given = a.quantities.filter(({ use }) => use === "measure" || use === "label");
  return given.some((one) =>
    b.quantities.some((other) => one.use === other.use && compareAmounts(one, other) === "different"),
  );
}

/** A list of things is no contrast: each part says the like of its own. */
function isAlike(a: Sentence, b: Sentence): boolean {
  return verbIn(b, 0, b.tokens.length) !== undefined || [...b.terms].some((term) => a.terms.has(term));
}

/** "the training pool …, the diving pool": one thing of two kinds. */
function isOfOtherKind(a: Sentence, b: Sentence): boolean {
  return kindsOf(a).some(([kind, thing]) =>
    kindsOf(b).some(([other, same]) => same === thing && !a.terms.has(other) && !b.terms.has(kind)),
  );
}

/** Neighbouring content words. */
function kindsOf({ words, tokens }: Sentence): [string, string][] {
  return words.flatMap(({ term, token, info }, i): [string, string][] => {
    const before = words[i - 1];
    if (before?.token !== token - 1 || before.info.weight !== "content") return [];
    return info.weight === "content" && !ENDS_VERB.test(tokens[token - 1]!.lower)
      ? [[before.term, term]]
      : [];
  });
}

const ENDS_VERB = /(?:ed|s)$/;

function isOther(one: SentenceWord, other: SentenceWord): boolean {
  if (one.info.weight !== "content" || other.info.weight !== "content") return false;
  return (
    (one.info.exclusive >= 0 && one.info.exclusive === other.info.exclusive && one.term !== other.term) ||
    one.info.poles.some(({ axis, sign }) =>
      other.info.poles.some((pole) => pole.axis === axis && pole.sign !== sign),
    )
  );
}

/** What a part takes from the first: its subject; without a verb all that has no counterpart in it. */
function takenOver(
  conjuncts: readonly Conjunct[],
  views: readonly EvidenceSentence[],
  at: number,
): Iterable<string> {
  const [first, own] = [views[0]!, views[at]!];
  const { hasVerb, lacks } = conjuncts[at]!;
  if (at === 0) return [];
  if (hasVerb) return lacks;
  const telling = (one: Sentence) => one.words.filter(({ info }) => info.weight !== "function");
  const [words, theirs] = [telling(first), telling(own)];
  const joins = joinsOf(own);
  return words.flatMap(({ term, info, token }, i) => {
    const isRival = theirs.some(
      (other) =>
        (info.exclusive >= 0 && other.info.exclusive === info.exclusive) ||
        info.poles.some(({ axis }) => other.info.poles.some((pole) => pole.axis === axis)),
    );
    // "the acid canister …, the hypochlorite canister", "to return shoes …, to return coats", "in the hall …, in the yard"
    const isBeside = [words[i - 1], words[i + 1]].some((one) => one !== undefined && own.terms.has(one.term));
    const isReplaced = !own.terms.has(term) && (isBeside || joins.has(joinBefore(first, token)));
    return isRival || isReplaced ? [] : [term];
  });
}

const JOINING = /^(?:in|on|at|of|for|to|with|by|from|under|over|into|after|before)$/;

/** The preposition of the phrase that a token ends, and a number for that of none. */
function joinBefore({ tokens, infos }: Sentence, token: number): string {
  for (let at = token - 1; at >= 0 && infos[at]!.weight === "function"; at--)
    if (JOINING.test(tokens[at]!.lower)) return tokens[at]!.lower;
  return "";
}

function joinsOf(sentence: Sentence): ReadonlySet<string> {
  const found = new Set(sentence.words.map(({ token }) => joinBefore(sentence, token)));
  found.delete("");
  return found;
}
