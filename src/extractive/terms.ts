/**
 * The terms by which questions and sentences are compared: those of the search, but one term for all forms of an
 * irregular word, and for words that mean the same in any handbook. Both sides go through here, or neither.
 */
import { analyze } from "../lib/english-analyzer.js";
import { IRREGULAR } from "../words/irregular-words.js";
import { SPELLINGS } from "../words/spellings.js";

/** In order, repeats included. */
export function termsOf(text: string): string[] {
  return analyze(text).map(common);
}

/** The term that stands for all that mean the same as one of the search's terms. */
export function common(term: string): string {
  return commonTerm.get(term) ?? term;
}

/**
 * Words of one meaning, one group a row: the first stands for all of them. Much shorter than what the grounding takes
 * for the same: there a synonym lets a sentence pass that is in a document anyway, here it makes it the answer.
 */
const SAME: readonly string[] = [
  "call dial",
  "phone telephone",
  "start begin commence",
  "stop halt",
  "end finish",
  "tell inform notify",
  "forbid prohibit ban",
  "fix repair mend",
  "check inspect examine inspection examination",
  "buy purchase",
  "big large",
  "small little",
  "fast quick",
  "doctor physician",
  "truck lorry",
  "rubbish garbage trash waste",
  "maximum max",
  "minimum min",
  "cost price",
  "toilet restroom bathroom",
  "holiday vacation",
  "child kid",
  "hurt injure",
  "rinse flush",
  "tap faucet",
  "salary wage",
  "customer client shopper",
  "staff employee worker personnel",
  "approve authorise authorize",
  "car automobile",
  "torch flashlight",
  "spanner wrench",
  "discard dispose",
  "throw toss",
  "shut close",
  "bandage dressing",
  "elevator lift",
  "boss manager",
  "refund reimburse reimbursement",
  "photo photograph picture",
  "sick ill",
  "immediately instantly",
  "annual yearly",
];

const commonTerm: ReadonlyMap<string, string> = buildCommonTerms();

function buildCommonTerms(): Map<string, string> {
  const found = new Map<string, string>();
  for (const row of IRREGULAR) {
    const [form, base] = row.split(" ");
    // A base of several words is for the grounding, which reads them as one.
    if (!row.includes("-")) found.set(analyze(form!)[0]!, analyze(base!)[0]!);
  }
  for (const row of [...SAME, ...SPELLINGS]) {
    const [head, ...others] = row.split(" ").map((word) => analyze(word)[0]!);
    const first = found.get(head!) ?? head!;
    for (const other of others) if (!found.has(other) && other !== first) found.set(other, first);
  }
  return found;
}
