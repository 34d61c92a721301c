/** Whether a sentence lets others do what the evidence keeps to some, or keeps to some what it does not. */
import { pattern } from "../../lib/pattern.js";
import type { EvidenceSentence } from "../evidence.js";
import {
  ANYBODY,
  behindNobody,
  type Exclusive,
  exclusiveOf,
  termsIn,
  verbFrom,
} from "../sentence/exclusive.js";
import type { Sentence } from "../sentence/sentence.js";
import { contradiction, type Finding, gap } from "./finding.js";

export function checkExclusive(
  claim: Sentence,
  window: readonly EvidenceSentence[],
  around: ReadonlySet<string>,
): Finding[] {
  const ours = exclusiveOf(claim);
  for (const sentence of window) {
    const theirs = exclusiveOf(sentence);
    if (theirs === undefined) continue;
    if (!isAbout(claim, theirs)) continue;
    const finding = ours === undefined ? grantsOthers(claim, theirs, sentence, around) : undefined;
    return finding === undefined ? [] : [finding];
  }
  const finding = ours === undefined ? speaksOfAll(claim, window) : keepsMore(claim, ours, window);
  return finding === undefined ? [] : [finding];
}

/** Share of what is kept to some that a sentence must speak of. */
const DEED_SHARE_MIN = 0.5;

function isAbout({ terms }: Sentence, { deed }: Exclusive): boolean {
  return [...deed].filter((term) => terms.has(term)).length >= deed.size * DEED_SHARE_MIN;
}

/** The doer is somebody else, or others beside those who alone may. What is denied of others is true. */
function grantsOthers(
  claim: Sentence,
  { holders, deed }: Exclusive,
  sentence: EvidenceSentence,
  around: ReadonlySet<string>,
): Finding | undefined {
  // "You have to be over 18 to use it" says who may in other words.
  const isDenied =
    claim.denials.length > 0 ||
    claim.clauses.some(({ forbids }) => forbids) ||
    /\b(?:must|(?:have|has|need|needs) to)\b/i.test(claim.text);
  if (isDenied || [...holders].some((term) => around.has(term))) return undefined;
  const says = (who: string) =>
    contradiction("other_subject", `says this of "${who}", the source only of some: "${sentence.text}"`);
  if (/\bnot only\b/i.test(claim.text)) return says("not only");
  const anybody = claim.tokens.find(({ lower }) => ANYBODY.has(lower));
  if (anybody !== undefined) return says(anybody.text);
  const doer = doerOf(claim);
  if (doer === undefined) return undefined;
  const [from, to] = doer;
  const who = claim.tokens.slice(from, to).map(({ lower }) => lower);
  const terms = termsIn(claim, from, to);
  const others = [...terms].filter((term) => !holders.has(term) && !deed.has(term));
  const isNamed = [...holders].some((term) => terms.has(term));
  const isJoined = who.some((word) => /^(?:and|or)$/.test(word));
  if (isNamed ? isJoined && others.length > 0 : others.length > 0 || who.some((word) => ANYONE.has(word)))
    return says(
      claim.tokens
        .slice(from, to)
        .map(({ text }) => text)
        .join(" "),
    );
  return undefined;
}

const ANYONE: ReadonlySet<string> = new Set(["you", "all", "any"]);

/** Who does it: what stands before the verb, or behind "by". */
function doerOf(claim: Sentence): readonly [number, number] | undefined {
  const { tokens } = claim;
  const by = tokens.findIndex(
    ({ lower }, at) => lower === "by" && at > 0 && !/ing$/.test(tokens[at + 1]?.lower ?? ""),
  );
  if (by >= 0) return [by + 1, Math.min(tokens.length, by + 1 + DOER_TOKENS_MAX)];
  const main = claim.clauses.find(({ kind }) => kind === "main");
  const from = main?.from ?? 0;
  const to = verbFrom(claim, from);
  if (to === undefined || isPassive(tokens, to)) return undefined;
  return [from, to];
}

const DOER_TOKENS_MAX = 4;

function isPassive(tokens: Sentence["tokens"], at: number): boolean {
  const rest = tokens.slice(at, at + 3).map(({ lower }) => lower);
  return rest.some(
    (word, i) =>
      /^(?:is|are|was|were|be|been)$/.test(word) &&
      /(?:ed|en|set|put|shut|ne)$/.test(rest[i + 1] ?? tokens[at + i + 1]?.lower ?? ""),
  );
}

const KEPT = pattern("i")`
  \b(?:only|solely|sole|exclusively|exclusive|except|nobody|no one|none|no-one|alone
  |limited|restricted|reserved|must|required|unless|other than)\b
`;

/** "Only visitors may", where the source says no more than that visitors may. */
function keepsMore(
  claim: Sentence,
  { holders }: Exclusive,
  window: readonly EvidenceSentence[],
): Finding | undefined {
  const opens =
    /^(?:only|solely|exclusively)$/.test(claim.tokens[0]?.lower ?? "") ||
    behindNobody(claim, 0) !== undefined;
  if (!opens || claim.quantities.length > 0) return undefined;
  const { text, denials } = window[0]!;
  if (KEPT.test(text) || denials.length > 0) return undefined;
  return gap("comparator_differs", `keeps it to "${[...holders].join(" ")}" only, which the sources do not`);
}

/** "Everybody may", where the source says it of some. */
function speaksOfAll(claim: Sentence, window: readonly EvidenceSentence[]): Finding | undefined {
  const at = claim.tokens.findIndex(({ lower }) => ANYBODY.has(lower));
  if (at < 0 || claim.denials.length > 0) return undefined;
  const [first] = window;
  if (window.some(({ text }) => ALL.test(text))) return undefined;
  const to = verbFrom(first!, 0);
  if (to === undefined) return undefined;
  const subject = termsIn(first!, 0, to);
  if (subject.size === 0 || [...subject].some((term) => claim.terms.has(term))) return undefined;
  return gap(
    "comparator_differs",
    `says "${claim.tokens[at]!.text}", the source speaks of some: "${first!.text}"`,
  );
}

const ALL =
  /\b(?:all|any|anybody|anyone|every|everybody|everyone|each|whoever|nobody|no one|people|you|your)\b/i;
