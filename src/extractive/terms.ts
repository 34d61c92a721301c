/**
 * The terms by which questions and sentences are compared: those of the search, but one term for all forms of an
 * irregular word, and for words that mean the same in any handbook. Both sides go through here, or neither.
 */
import { analyze } from "../lib/english-analyzer.js";
import { deniedIn, NEGATIVE } from "../words/denied.js";
import { ANSWER_SYNONYMS, IRREGULAR } from "../words/rows.js";
import { cellsOf } from "./table-row.js";

/** In order, repeats included; behind them those that the text denies, once more and marked as `denied`. */
export function termsOf(text: string): string[] {
  const cells = cellsOf(text).flatMap(({ name, value }) => (NEGATIVE.test(value) ? [name] : []));
  return [
    ...analyze(text).map(common),
    ...[...cells, ...deniedIn(text)].flatMap(analyze).map(common).map(denied),
  ];
}

/** The term for not being or doing what another one says. */
export function denied(term: string): string {
  return `${DENIED}${term}`;
}

/** What is denied by a term; undefined where it denies nothing. */
export function deniedBy(term: string): string | undefined {
  return term.startsWith(DENIED) ? term.slice(1) : undefined;
}

/** Of no term of the analyzer. */
const DENIED = "!";

/** The term that stands for all that mean the same as one of the search's terms. */
export function common(term: string): string {
  return commonTerm.get(term) ?? term;
}

const commonTerm: ReadonlyMap<string, string> = buildCommonTerms();

function buildCommonTerms(): Map<string, string> {
  const found = new Map<string, string>();
  for (const row of IRREGULAR) {
    const [form, base] = row.split(" ");
    // A base of several words is for the grounding, which reads them as one.
    if (!row.includes("-")) found.set(analyze(form!)[0]!, analyze(base!)[0]!);
  }
  for (const row of ANSWER_SYNONYMS) {
    const [head, ...others] = row.split(" ").map((word) => analyze(word)[0]!);
    const first = found.get(head!) ?? head!;
    for (const other of others) if (!found.has(other) && other !== first) found.set(other, first);
  }
  return found;
}
