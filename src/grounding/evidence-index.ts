/**
 * Where the evidence has an amount or a code: looked up instead of read through for each sentence. Put together
 * on the first demand; most sentences ask for none of it.
 */

import { compareAmounts, type Quantity } from "../words/quantity/quantity.js";
import type { PreparedEvidence } from "./evidence.js";

interface Index {
  /** Each amount once, with the sentences that have it. */
  readonly amounts: readonly { readonly known: Quantity; readonly sentences: number[] }[];
  /** What the codes end with: "4" and "104" of `P-104`. */
  readonly codeEndings: ReadonlySet<string>;
}

/** Indices of the sentences that have the same amount, each once, in no order that matters. */
export function sentencesWithAmount(said: Quantity, evidence: PreparedEvidence): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { known, sentences } of indexOf(evidence).amounts)
    if (compareAmounts(said, known) === "same") for (const index of sentences) found.add(index);
  return found;
}

/** Whether a code of the evidence ends with this number: it may be said without its letters. */
export function endsCode(number: number, evidence: PreparedEvidence): boolean {
  return indexOf(evidence).codeEndings.has(String(number));
}

const indices = new WeakMap<PreparedEvidence, Index>();

function indexOf(evidence: PreparedEvidence): Index {
  const known = indices.get(evidence);
  if (known !== undefined) return known;
  const index = build(evidence);
  indices.set(evidence, index);
  return index;
}

function build({ codes, sentences }: PreparedEvidence): Index {
  const amounts = new Map<string, { known: Quantity; sentences: number[] }>();
  for (const sentence of sentences) {
    for (const known of sentence.quantities) {
      const key = amountKey(known);
      const amount = amounts.get(key);
      if (amount === undefined) amounts.set(key, { known, sentences: [sentence.index] });
      else if (amount.sentences.at(-1) !== sentence.index) amount.sentences.push(sentence.index);
    }
  }
  return { amounts: [...amounts.values()], codeEndings: endingsOf(codes) };
}

/** All that `compareAmounts` looks at of a known amount. */
function amountKey(one: Quantity): string {
  const { dimension, low, high, middle, bound, place, printed, unit, use, known } = one;
  return `${dimension} ${low} ${high} ${middle} ${bound} ${place} ${printed} ${unit.name} ${use} ${known}`;
}

function endingsOf(codes: ReadonlySet<string>): Set<string> {
  const endings = new Set<string>();
  for (const key of codes) {
    let at = key.length;
    while (at > 0 && /\d/.test(key[at - 1]!)) {
      at -= 1;
      endings.add(key.slice(at));
    }
  }
  return endings;
}
