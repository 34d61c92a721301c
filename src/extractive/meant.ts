/** What speaks of something else than a question does, although it has its words. */
import type { Passage } from "../domain/passage.js";
import { once } from "../lib/once.js";
import { forbids } from "./expected-kind.js";
import { isOfOthers } from "./named-numbers.js";
import { type List, type PassageUnit, unitTerms } from "./passage-units.js";
import type { Question } from "./question.js";
import { contextTerms, type QuestionScale } from "./question-scale.js";
import { isLimitIn, takenIn } from "./stated.js";
import { rowName } from "./table-row.js";
import { termsOf } from "./terms.js";

/** Whether a unit may be said of what the question is about. */
export function mayMean(scale: QuestionScale, passage: Passage, unit: PassageUnit): boolean {
  const { question } = scale;
  if (scale.isContrary(passage, [unit])) return false;
  if (question.expects === forbids && !scale.isOfKind(unit)) return false;
  return (
    tellsOf(question, unit) &&
    isLimitOf(question, unit) &&
    isOfMeasured(question, passage, unit) &&
    !isOfOthers(unit, question.named) &&
    !isOtherRow(question, unit)
  );
}

/**
 * Whether the name of a row has a range that takes in no number of the question, or another row of the table has more of
 * the question in its name that this one lacks than this one's has that it lacks.
 */
function isOtherRow({ numbers, topics }: Question, unit: PassageUnit): boolean {
  const name = unit.role === "row" ? rowName(unit.text) : undefined;
  if (name === undefined) return false;
  if (takenIn(name, numbers)?.length === 0) return true;
  const held = (terms: readonly string[]) => [...new Set(terms)].filter((term) => topics.has(term));
  const own = held(termsOf(name));
  const row = new Set(unitTerms(unit));
  return rowNames(unit.list!).some((terms) => {
    const other = held(terms);
    const lacking = other.filter((term) => !row.has(term));
    return lacking.length > own.filter((term) => !other.includes(term)).length;
  });
}

const rowNames = once(({ units }: List) => units.map(({ text }) => termsOf(rowName(text) ?? "")));

/** "Roll bar up" says nothing of what rolled over: an order, or a part, has the bare word where what happened has a form of it. */
function tellsOf({ happened }: Question, { text }: PassageUnit): boolean {
  const words = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  return happened.every((told) => {
    const [term] = termsOf(told);
    const same = words.filter((word) => termsOf(word)[0] === term);
    return same.length === 0 || same.some((word) => word === told || !told.startsWith(word));
  });
}

/** A value that the question gives is held against the limit of a thing that it names. */
function isLimitOf({ given, topics }: Question, { list, role, text }: PassageUnit): boolean {
  if (given.length === 0 || role === "row") return true;
  const limits = text.split(CLAUSE_END).filter((clause) => isLimitIn(clause, given));
  // "Bay 1: two-post lift, 3.2 t"
  const name = role === "item" ? text.split(/[:;]/)[0] : "";
  const isNamed = (clause: string) =>
    termsOf(`${list?.lead ?? ""} . ${name} . ${clause}`).some((term) => topics.has(term));
  return limits.length === 0 || limits.some((clause) => isNamed(clause.replace(AMOUNT, "")));
}

/** "The lauter tun is at 2 bar" is not held against the limit of a mash tun. */
function isOfMeasured({ measured }: Question, passage: Passage, unit: PassageUnit): boolean {
  const said = new Set([...unitTerms(unit), ...contextTerms(passage)]);
  return measured.every((term) => said.has(term));
}

/** Not before "not bigger than 6 mm", which goes on with the clause. */
const CLAUSE_END = /[;:]|,(?! (?:not|no|at|up)\b)|\b(?:otherwise|but|unless)\b/;
/** With the word behind it, which is its unit. */
const AMOUNT = /\p{N}[\p{N}.,]*\s?[\p{L}%°/]*/gu;
