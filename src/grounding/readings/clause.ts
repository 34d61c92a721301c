/** A clause with all that the checks ask of it: its words, whether it is denied, and what it is about. */
import { pattern } from "../../lib/pattern.js";
import { type ClaimStatement, PREDICATES } from "./claims.js";
import type { SiteFacts, Thing } from "./facts.js";
import { type Mention, mentionsIn } from "./names.js";
import { type ClaimWord, tokensOf } from "./text.js";
import { kindOf } from "./vocabulary.js";

export interface ClaimClause {
  readonly statement: ClaimStatement;
  readonly text: string;
  readonly tokens: readonly ClaimWord[];
  readonly mentions: readonly Mention[];
  /** The kind of thing that it speaks of, named or not. */
  readonly kind: string | undefined;
  readonly site: SiteFacts;
}

const VERB = new RegExp(`^(?:${PREDICATES})$`, "i");

/** `context`: what was spoken of before, which "it" is. */
export function clauseOf(
  statement: ClaimStatement,
  site: SiteFacts,
  context: readonly Mention[],
): ClaimClause {
  const text = SYNONYMS.reduce((rest, [phrase, word]) => rest.replace(phrase, word), statement.content);
  const tokens = tokensOf(text);
  const verbAt = tokens.findIndex(({ text: written }, i) => i > 0 && VERB.test(written));
  const isBare = verbAt < 0 || /^there\b/i.test(text);
  const own = mentionsIn(tokens, isBare ? tokens.length : verbAt, site.names);
  // What was named before has no place in this clause.
  const before = context.map((mention) => ({ ...mention, start: -1, end: -1 }));
  const mentions = own.length === 0 && LEANS_BACK.test(text) ? before : own;
  const kind = tokens.map(({ word }) => kindOf(word)).find((one) => one !== undefined);
  return { statement, text, tokens, mentions, kind, site };
}

/** Ways of saying it that are brought to the one that keys have. */
const SYNONYMS: readonly (readonly [RegExp, string])[] = [
  [/\bhost name\b/gi, "hostname"],
  [/\b(?:machine|computer|server|system|host)['’]?s? name\b/gi, "hostname"],
  [/\b(machine|computer|server|system|host) is (?:called|named)\b/gi, "hostname is"],
  [/\bname of (?:the|this|your) (?:machine|computer|server|system|host)\b/gi, "hostname"],
  [/\boperating system\b|\bdistro\b|\bdistribution\b|\bOS\b/gi, "os"],
  [/\bname ?servers?\b/gi, "dns"],
  [/\bdefault route\b/gi, "gateway"],
  [/\broot (?:disk|filesystem|file system|partition|volume|drive)\b/gi, "disk /"],
  [/\bshut down\b|\bshutdown\b|\bnot up\b/gi, "stopped"],
  [/\bno longer\b/gi, "not"],
];

/** "It is running": about what was spoken of before. */
const LEANS_BACK = pattern("i")`
  ^(?:yes,? )?(?:it|not|also|still|they|that|this|he|she|both|all of them)\b
  |\b(?:it|them)\b|^(?:the|this|that|these|those) (?:service|container|process|package
  |disk|interface|unit)s?\b
`;

const NEGATION = /^(?:not|never|neither|nor|cannot|nothing|none|nobody|no)$|n['’]t$/i;

/** Whether what stands at this token is denied: by a "not" before it. */
export function isNegatedAt({ tokens }: ClaimClause, at: number): boolean {
  const before = tokens.slice(0, at).map(({ word }) => word);
  const isPair = before.includes("neither");
  const negations = before.filter(
    (word, i) => NEGATION.test(word) && before[i + 1] !== "only" && !(isPair && word === "nor"),
  );
  return negations.length % 2 === 1;
}

type Span = Pick<ClaimWord, "start" | "end">;

/** Whether a word or a figure begins in one of these places. */
export function isWithin({ start }: Span, places: readonly Span[]): boolean {
  return places.some((place) => place.start <= start && start < place.end);
}

/** Whether the innermost of these things is one that is mentioned. */
export function isMentioned([thing]: readonly Thing[], mentions: readonly Mention[]): boolean {
  return thing !== undefined && mentions.some(({ name }) => thing.names.includes(name));
}
