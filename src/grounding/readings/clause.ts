/** A clause with all that the checks ask of it: its words, its verb, whether it is denied, and what it is about. */
import { pattern } from "../../lib/pattern.js";
import type { ClaimStatement } from "./claims.js";
import type { Facts } from "./facts.js";
import { type Mention, mentionsIn } from "./names.js";
import { type ClaimWord, tokensOf } from "./text.js";
import { kindOf } from "./vocabulary.js";

export interface ClaimClause {
  readonly statement: ClaimStatement;
  readonly text: string;
  readonly tokens: readonly ClaimWord[];
  /** Which token the predicate begins with; the number of tokens where there is none. */
  readonly verbAt: number;
  readonly mentions: readonly Mention[];
  /** The kind of thing that it speaks of, named or not. */
  readonly kind: string | undefined;
  readonly facts: Facts;
}

const VERB = pattern("i")`
  ^(?:is|are|was|were|be|been|isn['’]t|aren['’]t|wasn['’]t|weren['’]t|has|have|had
  |hasn['’]t|haven['’]t|does|doesn['’]t|do|did|didn['’]t|don['’]t|runs?|listens?|uses?
  |shows?|remains?|stays?|exists?|stopped|failed|crashed|started|died|will|won['’]t|can
  |can['’]t|cannot|exceeds?|consumes?|contains?|reads?|equals?|stands|works?)$
`;

export function clauseOf(
  statement: ClaimStatement,
  facts: Facts,
  known: ReadonlySet<string>,
  context: readonly Mention[],
): ClaimClause {
  const text = SYNONYMS.reduce((rest, [phrase, word]) => rest.replace(phrase, word), statement.content);
  const tokens = tokensOf(text);
  const found = tokens.findIndex(({ text: written }, i) => i > 0 && VERB.test(written));
  const isThere = /^there\b/i.test(text);
  const verbAt = found < 0 || isThere ? tokens.length : found;
  const own = mentionsIn(text, verbAt, known);
  const mentions = own.length === 0 && leansBack(text) ? context.map(elsewhere) : own;
  const kinds = [...new Set(tokens.map(({ word }) => kindOf(word)).filter((kind) => kind !== undefined))];
  return { statement, text, tokens, verbAt, mentions, kind: kinds[0], facts };
}

/** What was named before has no place in this clause. */
function elsewhere(mention: Mention): Mention {
  return { ...mention, start: -1, end: -1 };
}

/** Ways of saying it that are brought to the one that keys have. */
const SYNONYMS: readonly (readonly [RegExp, string])[] = [
  [/\bhost name\b/gi, "hostname"],
  [/\b(?:machine|computer|server|system|host)['’]?s? name\b/gi, "hostname"],
  [/\b(machine|computer|server|system|host) is (?:called|named)\b/gi, "hostname is"],
  [/\bname of (?:the|this|your) (?:machine|computer|server|system|host)\b/gi, "hostname"],
  [/\boperating system\b|\bdistro\b|\bdistribution\b|\bOS\b/gi, "os"],
  [/\btime zone\b/gi, "timezone"],
  [/\bname ?servers?\b/gi, "dns"],
  [/\bdefault route\b/gi, "gateway"],
  [/\broot (?:disk|filesystem|file system|partition|volume|drive)\b/gi, "disk /"],
  [/\bfile system\b/gi, "filesystem"],
  [/\b(?:at|on) (?:boot|startup|start-up|system start)\b/gi, ""],
  [/\bstarts? (?:automatically|up automatically|with the system)\b/gi, "is enabled"],
  [/\b(?:powered|switched|turned) (on|off)\b/gi, "$1"],
  [/\bshut down\b|\bshutdown\b|\bnot up\b/gi, "stopped"],
  [/\bup to date\b|\bup-to-date\b/gi, "current"],
  [/\bno longer\b/gi, "not"],
];

const LEANS_BACK = pattern("i")`
  ^(?:yes,? )?(?:it|not|also|still|they|that|this|he|she|both|all of them)\b
  |\b(?:it|them)\b|^(?:the|this|that|these|those) (?:service|container|process|package
  |disk|interface|unit)s?\b
`;

/** "It is running": about what was spoken of before. */
function leansBack(text: string): boolean {
  return LEANS_BACK.test(text);
}

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
