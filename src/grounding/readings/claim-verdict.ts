/** What readings say of one clause: all its parts have to hold, and every figure and name in it has to be known. */
import type { Evidence } from "../../domain/answer.js";
import { analyze } from "../../lib/english-analyzer.js";
import { splitSentences } from "../../lib/sentence-end.js";
import type { Steps } from "../../lib/steps.js";
import type { ClaimStatement } from "./claims.js";
import { type ClaimClause, isWithin } from "./clause.js";
import type { Fact, MemberList } from "./facts.js";
import { checkFigures } from "./figures.js";
import { type PartResult, unknown } from "./finding.js";
import { isUsual } from "./names.js";
import { checkNetwork } from "./network.js";
import { checkStates } from "./states.js";
import { type ClaimWord, looksLikeIdentifier } from "./text.js";
import { checkValue } from "./values.js";
import type { Relation } from "./vocabulary.js";

/** What comes of a clause. `user`: what the user said in this turn, which the clause may be about. */
export function* outcomeOf(clause: ClaimClause, user: string): Steps<PartResult> {
  const { attribution, text } = clause.statement;
  if (attribution === "none") return yield* byReadings(clause);
  const sentence = userSentenceFor(clause.statement, user);
  if (sentence === undefined)
    return unknown("words_not_found", `the user did not ${attribution === "asked" ? "ask" : "say"} this`);
  const evidence: Evidence = { type: "user_input", source: "user", value: sentence, ageMs: 0 };
  // What is taken for a fact is held against the readings as well.
  const isTaken = /^(?:as|like|since|because|according|based|from|going)\b/i.test(text);
  const read = isTaken ? yield* byReadings(clause) : undefined;
  if (read?.relation === "opposed") return { ...read, evidence: [...read.evidence, evidence] };
  return { relation: "same", evidence: [evidence], reasons: [] };
}

function* byReadings(clause: ClaimClause): Steps<PartResult> {
  const { mentions, statement, tokens } = clause;
  const network = yield* checkNetwork(clause);
  const figures = (yield* checkFigures(clause)).filter((figure) => !isWithin(figure, network));
  const spans = [...figures, ...network];
  // A figure of things that are not named says how many are in a state.
  const states = figures.length > 0 && mentions.length === 0 ? [] : yield* checkStates(clause);
  yield;
  const value = checkValue(clause, (token) => isWithin(token, spans));
  const known = [...spans, ...mentions, ...(value?.used ?? [])];
  const left = unaccounted(tokens.filter((token) => !isWithin(token, known)));
  const parts = [...spans.map(({ result }) => result), ...states, ...(value ? [value.result] : []), ...left];
  const nothing = unknown("words_not_found", `no reading tells that ${statement.content}`);
  return withSource(inTense(together(parts.length > 0 ? parts : [nothing]), clause), clause);
}

/** As bad as the worst of the parts. */
function together(parts: readonly PartResult[]): PartResult {
  const isOneSo = (relation: Relation) => parts.some((part) => part.relation === relation);
  return {
    relation: isOneSo("opposed") ? "opposed" : isOneSo("open") ? "open" : "same",
    evidence: parts.flatMap(({ evidence }) => evidence),
    reasons: parts.flatMap(({ reasons }) => reasons),
  };
}

/** Figures and names that no check has dealt with: something is said of them, and nothing is known. */
function unaccounted(left: readonly ClaimWord[]): readonly PartResult[] {
  return left.flatMap(({ start, text, word }) => {
    const isName = start > 0 && /^\p{Lu}/u.test(text) && !/^I\b/.test(text);
    if (isUsual(word) || !(isName || looksLikeIdentifier(text))) return [];
    return [unknown(/\p{N}/u.test(text) ? "number_unknown" : "name_unknown", `no reading has ${text} here`)];
  });
}

/** What is so now tells little of what was, and nothing of what will be. */
function inTense(outcome: PartResult, { statement: { tense } }: ClaimClause): PartResult {
  const { evidence, relation } = outcome;
  if (tense === "present" || relation === "open") return outcome;
  if (tense === "past" && relation === "same") return outcome;
  const text = `the readings tell what is, not what ${tense === "past" ? "was" : "will be"}`;
  return { ...unknown("stale", text), evidence };
}

/** A source that is named has to be the one that says it. */
function withSource(outcome: PartResult, { site, statement: { citedSource } }: ClaimClause): PartResult {
  if (citedSource === undefined || outcome.relation !== "same") return outcome;
  const cited = citedSource.toLowerCase().replace(/[\s-]+/g, "_");
  const isCited = ({ origin }: Fact | MemberList) => origin.name.toLowerCase() === cited;
  const isTool = /_/.test(citedSource) || [...site.facts, ...site.lists].some(isCited);
  const isState = /\b(?:state|snapshot)\b/i.test(citedSource) && !isTool;
  const isFrom = ({ source, type }: Evidence) =>
    isState ? type === "system_state" : source.toLowerCase() === cited;
  if ((!isState && !isTool) || outcome.evidence.some(isFrom)) return outcome;
  const text = `names ${citedSource} as its source, which does not say this`;
  return { ...unknown("identifier_unknown", text), evidence: outcome.evidence };
}

/** The sentence of the user's that says (or asks) what the statement says that it does; undefined when none does. */
function userSentenceFor({ attribution, content }: ClaimStatement, user: string): string | undefined {
  const said = termsOf(content);
  return splitSentences(user)
    .map((sentence) => sentence.trim())
    .filter((sentence) => said.length > 0 && (attribution === "asked" || !QUESTION.test(sentence)))
    .find((sentence) => {
      const own = new Set(termsOf(sentence));
      return said.every((term) => own.has(term)) && isDenied(sentence) === isDenied(content);
    });
}

/** A question states nothing. */
const QUESTION =
  /\?["')\]]*$|^(?:is|are|was|were|do|does|did|can|could|will|would|should|has|have|what|which|who|where|when|why|how)\b/i;
const DENIAL = /\b(?:not|never|no|nothing|neither|without|cannot)\b|n['’]t\b/gi;

function isDenied(text: string): boolean {
  return (text.match(DENIAL)?.length ?? 0) % 2 === 1;
}

/** Terms that say something, "my" and "your" being the same. */
function termsOf(text: string): readonly string[] {
  const plain = text
    .replace(DENIAL, " ")
    .replace(/\b(?:i|my|mine|we|our|you|your|yours|me|us|whether|about|please)\b|\.service\b/gi, " ");
  return analyze(plain);
}
