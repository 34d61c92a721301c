/** Weighs texts against one question, knowing which of its terms are rare among the passages that were found. */
import type { Passage } from "../domain/passage.js";
import { once } from "../lib/once.js";
import { forbids } from "./expected-kind.js";
import { numbersInPassage } from "./named-numbers.js";
import { type PassageUnit, passageUnits, unitTerms } from "./passage-units.js";
import { CODE, type Question } from "./question.js";
import { takenIn } from "./stated.js";
import { cellsOf, shownInRow } from "./table-row.js";
import { denied, deniedBy, termsOf } from "./terms.js";

export class QuestionScale {
  readonly #weights: ReadonlyMap<string, number>;
  readonly #total: number;

  constructor(
    readonly question: Question,
    passages: readonly Passage[],
  ) {
    const texts = passages.map((passage) => passageTerms(passage));
    const weights = new Map<string, number>();
    for (const [term, weight] of question.telling) {
      const having = texts.filter((terms) => terms.has(term)).length;
      weights.set(term, weight * (1 + RARITY_WEIGHT * rarity(having, texts.length)));
    }
    this.#weights = weights;
    this.#total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  }

  /** The share of the question's weight that these terms carry together, 0 to 1. */
  share(...terms: readonly ReadonlySet<string>[]): number {
    let carried = 0;
    for (const [term, weight] of this.#weights) if (terms.some((set) => set.has(term))) carried += weight;
    return this.#total === 0 ? 0 : carried / this.#total;
  }

  /** The telling terms of its numbers that the name of a row, or of its columns, takes in. */
  takenIn({ role, text }: PassageUnit): readonly string[] {
    const { numbers } = this.question;
    const [first, ...others] = role === "row" && numbers.length > 0 ? cellsOf(text) : [];
    const names = [first?.value ?? "", ...others.map(({ name }) => name)];
    return names.flatMap((name) => takenIn(name, numbers) ?? []).flatMap((one) => termsOf(one.text));
  }

  /** The question's telling terms among these. */
  tellingIn(terms: ReadonlySet<string>): ReadonlySet<string> {
    return new Set([...this.#weights.keys()].filter((term) => terms.has(term)));
  }

  /** The share of the question's neighbouring telling terms that are near each other in the text, in this order. */
  pairs(terms: readonly string[]): number {
    const asked = this.question.words.filter((term) => this.#weights.has(term));
    const near = neighbours(terms, NEAR_TERMS);
    const found = asked.filter((term, i) => i > 0 && near.has(`${asked[i - 1]} ${term}`));
    return asked.length < 2 ? 0 : found.length / (asked.length - 1);
  }

  /**
   * The share of a passage's innermost heading that is in the question: 1 when the heading asks no more than that.
   */
  headed({ headings }: Passage): number {
    const heading = termsOf(headings.at(-1) ?? "");
    if (this.tellingIn(new Set(heading)).size === 0) return 0;
    // A code names all that its heading does.
    if (this.question.identifiers.some((code) => CODE.test(code) && heading.includes(code))) return 1;
    const asked = new Set(this.question.words);
    return heading.filter((term) => asked.has(term)).length / heading.length;
  }

  /** Whether a unit shows the figure, the time, the place or the permission that was asked for, or that there is none. */
  isOfKind(unit: PassageUnit): boolean {
    const { expects, implied, topics } = this.question;
    // What stands below "not allowed:" is forbidden by that.
    const text = expects === forbids ? `${unit.list?.lead ?? ""} ${unit.text}` : shownIn(unit);
    if (expects === undefined || expects.test(text)) return true;
    const own = new Set(unitTerms(unit));
    const about = [...topics].filter((term) => !implied.has(term));
    return about.every((term) => own.has(term)) && about.some((term) => own.has(denied(term)));
  }

  /** Whether units of a passage affirm what the question denies, or deny what it supposes. */
  isContrary(passage: Passage, units: readonly PassageUnit[]): boolean {
    const terms = [...units.flatMap(unitTerms), ...contextTerms(passage)];
    const has = (term: string) => terms.filter((one) => one === term).length;
    return [...this.#weights.keys()].some((term) => {
      const not = deniedBy(term);
      if (not !== undefined) return has(not) > 0 && has(term) === 0;
      return this.question.supposes && has(denied(term)) > 0 && has(term) <= has(denied(term));
    });
  }

  /** Whether all that the question denies is denied there. */
  deniesAll(...terms: readonly ReadonlySet<string>[]): boolean {
    return [...this.#weights.keys()].every(
      (term) => deniedBy(term) === undefined || terms.some((set) => set.has(term)),
    );
  }

  /** Whether a passage has all part numbers of the question, and that of "room 3" behind its word. */
  hasNumbers(passage: Passage): boolean {
    const { identifiers, named } = this.question;
    const [terms, numbers] = [passageTerms(passage), numbersInPassage(passage)];
    const isThere = ([kind, asked]: readonly [string, ReadonlySet<string>]) =>
      [...asked].every((number) => numbers.has(`${kind} ${number}`));
    const isSaid = (one: string) =>
      terms.has(one) || passageUnits(passage).some((unit) => this.takenIn(unit).includes(one));
    return identifiers.every(isSaid) && [...named].every(isThere);
  }

  /**
   * Whether the question may be about this passage: it has all numbers, and where one term alone tells what the question
   * is about, it is in the title or the headings, not just mentioned.
   */
  mayBeAbout(passage: Passage): boolean {
    const { states, topics } = this.question;
    if (!this.hasNumbers(passage) || !this.deniesAll(passageTerms(passage))) return false;
    if (this.isContrary(passage, passageUnits(passage))) return false;
    const context = contextTerms(passage);
    return states || topics.size > 1 || [...topics].some((term) => context.has(term));
  }
}

const shownIn = once(({ role, text }: PassageUnit) => (role === "row" ? shownInRow(text) : text));

/** How many terms further on a neighbour may stand. */
const NEAR_TERMS = 2;

/** Pairs of terms that stand at most `distance` from each other, in order, with a blank between them. */
export function neighbours(terms: readonly string[], distance: number): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (const [i, term] of terms.entries())
    for (const next of terms.slice(i + 1, i + 1 + distance)) pairs.add(`${term} ${next}`);
  return pairs;
}

/** The terms of the title and the headings; those of "Shutting down" make "shutdown" as well. */
export const contextTerms = once(({ title, headings }: Passage): ReadonlySet<string> => {
  const labels = [title, ...headings].map(termsOf);
  const joined = labels.flatMap((terms) => terms.slice(1).map((term, i) => `${terms[i]}${term}`));
  return new Set([...labels.flat(), ...joined]);
});

export const passageTerms = once(
  (passage: Passage): ReadonlySet<string> =>
    new Set([
      ...contextTerms(passage),
      ...termsOf(passage.text),
      ...passageUnits(passage).flatMap(unitTerms),
    ]),
);

/**
 * How much more a term counts that no passage holds than one that all do. All terms keep some weight: the word that
 * most passages hold is what the question is about, and a sentence without it is about something else.
 */
const RARITY_WEIGHT = 2;

/** With few passages at hand a term's rarity cannot be told; they are weighed as if there were this many. */
const PASSAGES_ASSUMED = 5;

/** 0 for a term that all of the passages hold, 1 for one that none holds. */
function rarity(having: number, passageCount: number): number {
  const count = Math.max(passageCount, PASSAGES_ASSUMED);
  const idf = (held: number) => Math.log(1 + (count + 1) / (held + 0.5));
  return (idf(having) - idf(count)) / (idf(0) - idf(count));
}
