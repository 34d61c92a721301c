/**
 * The frame of an answer: the verbs of handling that it takes over from the question, "To enter the width, …", "Your
 * fingers must stay away …". They set nothing apart, and weigh nothing where value and subject are those of one unit.
 */
import { HANDLING_WORDS } from "../../words/empty-words.js";
import { compareAmounts } from "../../words/quantity/quantity.js";
import type { EvidenceUnit } from "../evidence-units.js";
import type { Sentence } from "../sentence/sentence.js";
import type { Addition } from "./additions.js";

/** What a claim adds to its unit besides the frame. */
export function besidesFrame(
  added: readonly Addition[],
  claim: Sentence,
  { context, says }: EvidenceUnit,
  question: Sentence,
): readonly Addition[] {
  const value = valueIn(says, claim, question);
  if (added.length === 0 || value === undefined || !isDoneAlike(says, value, claim)) return added;
  const isBound = claim.words.some(
    ({ info, term, token }) =>
      info.weight === "content" && !isFrame(claim, token) && (says.terms.has(term) || context.has(term)),
  );
  const asked = new Set(question.infos.map(({ stem }) => stem));
  return isBound
    ? added.filter(({ token }) => !(isFrame(claim, token) && asked.has(claim.infos[token]!.stem)))
    : added;
}

/** A verb of handling that is not denied and stands under no condition. */
function isFrame({ clauses, tokens, words }: Sentence, at: number): boolean {
  const word = words.find(({ token }) => token === at);
  if (word === undefined || word.negated || !HANDLING_WORDS.has(tokens[at]!.lower)) return false;
  const { kind } = clauses[word.clause]!;
  return kind === "main" || kind === "other";
}

/** Where the unit has a value of the claim that the question does not give. */
function valueIn(says: Sentence, claim: Sentence, question: Sentence): number | undefined {
  const isIn = ({ quantities }: Sentence, said: Sentence["quantities"][number]) =>
    quantities.find((known) => known.use !== "idiom" && compareAmounts(said, known) === "same");
  const amounts = claim.quantities.filter((said) => isIn(question, said) === undefined);
  const codes = claim.codes.filter(({ key }) => !question.codes.some((code) => code.key === key));
  return (
    amounts.map((said) => isIn(says, said)).find((known) => known !== undefined)?.firstToken ??
    says.codes.find(({ key }) => codes.some((code) => code.key === key))?.token
  );
}

/** What the unit orders with the value is ordered by the claim too: another verb is not in its place. */
function isDoneAlike({ words }: Sentence, value: number, { terms }: Sentence): boolean {
  const orders = words.filter(({ info }) => info.action);
  const order = orders.findLast(({ token }) => token < value) ?? orders[0];
  return order?.info.weight !== "content" || terms.has(order.term);
}
