/**
 * The frame of an answer: what it takes over from the question, or says of itself. The question's verbs of handling ("Your
 * fingers must stay away …") set nothing apart, and weigh nothing where value and subject are those of one unit; "To shut
 * down the saw, follow these steps:" states nothing, and "Passage 1 states that …" nothing of its own.
 */
import { HANDLING_WORDS } from "../../words/empty-words.js";
import { compareAmounts } from "../../words/quantity/quantity.js";
import type { PreparedEvidence } from "../evidence.js";
import type { EvidenceUnit } from "../evidence-units.js";
import type { Sentence } from "../sentence/sentence.js";
import { type Addition, isPlaceWord } from "./additions.js";

/** What a claim adds to its unit besides the frame. */
export function besidesFrame(
  added: readonly Addition[],
  claim: Sentence,
  unit: EvidenceUnit,
  question: Sentence,
): readonly Addition[] {
  const value = valueIn(unit.says, claim, question);
  if (added.length === 0 || value === undefined || !isWholeUpTo(value, unit.says, claim, question))
    return added;
  const frame = frameOf(claim, question);
  const isBound = [...claim.terms].some(
    (term) => !frame.has(term) && (unit.says.terms.has(term) || unit.context.has(term)),
  );
  return isBound ? added.filter(({ term }) => !frame.has(term)) : added;
}

/** The question's verbs of handling in "To …," and in what stands before "is", not denied and under no condition. */
function frameOf({ clauses, tokens, words }: Sentence, { infos }: Sentence): ReadonlySet<string> {
  const ends =
    tokens[0]?.lower === "to"
      ? tokens.findIndex(({ text }) => text === ",")
      : tokens.findLastIndex(({ lower }) => lower === "is" || lower === "are");
  const found = words.filter(
    ({ clause, info, negated, token }) =>
      token < ends &&
      !negated &&
      HANDLING_WORDS.has(tokens[token]!.lower) &&
      ["main", "other"].includes(clauses[clause]!.kind) &&
      infos.some(({ stem }) => stem === info.stem),
  );
  return new Set(found.map(({ term }) => term));
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

/** Up to its value, the unit says nothing that is said by neither: no other verb is in the place of the frame's. */
function isWholeUpTo(value: number, { words }: Sentence, claim: Sentence, question: Sentence): boolean {
  const order = words.findLast(({ info, token }) => info.action && token < value)?.token ?? 0;
  const own = words.filter(({ token }) => token >= order && token < value);
  return (own.length === 0 ? words : own).every(
    ({ info, term }) => info.weight !== "content" || claim.terms.has(term) || question.terms.has(term),
  );
}

/** What announces steps: "…, follow these steps:", "… is as follows:", "Here is how to …:". */
const ANNOUNCES = /^(?:follow|follows|following|steps?|how)$/;

/**
 * Whether a sentence only leads in to steps, in words that are empty or the question's. It sets no condition, and what it
 * names besides what is done is something that one passage speaks of.
 */
export function isLeadIn(claim: Sentence, question: Sentence, { parts }: PreparedEvidence): boolean {
  const { clauses, codes, denials, infos, quantities, text, tokens } = claim;
  const announces = text.trim().endsWith(":") && tokens.some(({ lower }) => ANNOUNCES.test(lower));
  if (!announces || denials.length + quantities.length + codes.length > 0) return false;
  const isPlain =
    clauses.every(({ kind }) => kind === "main" || kind === "other") &&
    infos.every(({ modality }) => modality === undefined) &&
    tokens.every(({ lower }) => !isPlaceWord(lower));
  const things = [...claim.terms].filter((term) => !infos.some((info) => info.term === term && info.action));
  return (
    isPlain &&
    [...claim.terms].every((term) => question.terms.has(term)) &&
    parts.some(({ around, sentences }) =>
      things.every((term) => around.has(term) || sentences.some(({ terms }) => terms.has(term))),
    )
  );
}

const TEXT =
  "(?:the |this )?(?:passage|document|documentation|handbook|manual|source|text|sheet|guide|procedure|policy)(?: \\d+)?";
const SAYS = `${TEXT} (?:states|says|mentions|explains|specifies|indicates|notes) that`;
const BY = `(?:according to|as (?:stated|described|mentioned) in) ${TEXT},`;
const REPORTS = new RegExp(`^\\s*(?:${SAYS}|${BY})\\s+`, "i");

/** The sentence behind "Passage 1 states that …" and "According to the document, …"; any other as it is. */
export function behindReport(sentence: string): string {
  return sentence.replace(REPORTS, "");
}
