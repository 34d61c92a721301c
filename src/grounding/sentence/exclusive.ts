/** "Only the shift lead may reset it": who alone does or has what a sentence speaks of. */
import type { Sentence } from "./sentence.js";
import { verbIn } from "./verbs.js";

export interface Exclusive {
  /** Terms of those who alone may: content words. */
  readonly holders: ReadonlySet<string>;
  /** Terms of what they alone may. */
  readonly deed: ReadonlySet<string>;
}

/** What a sentence keeps to some; `undefined` where it keeps nothing to anybody. */
export function exclusiveOf(sentence: Sentence): Exclusive | undefined {
  const { tokens } = sentence;
  for (let at = 0; at < tokens.length; at++) {
    const range = opening(sentence, at) ?? byOnly(sentence, at) ?? keptFor(sentence, at);
    if (range === undefined) continue;
    const [from, to] = range;
    const holders = termsIn(sentence, from, to);
    const deed = new Set([...termsIn(sentence, 0, from), ...termsIn(sentence, to, tokens.length)]);
    for (const term of holders) deed.delete(term);
    if (holders.size > 0 && deed.size > 0) return { holders, deed };
  }
  return undefined;
}

type Range = readonly [from: number, to: number];

const ONLY: ReadonlySet<string> = new Set(["only", "solely", "exclusively"]);
const NOBODY: ReadonlySet<string> = new Set(["nobody", "none", "no-one"]);

const SUBJECT_TOKENS_MAX = 8;

/** "Only X may …" and "Nobody but X may …", at the beginning of a clause. */
function opening(sentence: Sentence, at: number): Range | undefined {
  const { tokens, clauses } = sentence;
  const begins = clauses.some(({ from, kind }) => from === at && (kind === "main" || kind === "other"));
  if (!begins) return undefined;
  const from = ONLY.has(tokens[at]!.lower) ? at + 1 : behindNobody(sentence, at);
  if (from === undefined) return undefined;
  const to = verbIn(sentence, from, Math.min(from + SUBJECT_TOKENS_MAX, tokens.length));
  return to === undefined || to === from ? undefined : [from, to];
}

/** Behind "nobody but", "no one except", "no person other than". */
function behindNobody({ tokens }: Sentence, at: number): number | undefined {
  const word = (i: number) => tokens[i]?.lower ?? "";
  const but = NOBODY.has(word(at)) ? at + 1 : word(at) === "no" ? at + 2 : undefined;
  if (but === undefined) return undefined;
  if (/^(?:but|except|save)$/.test(word(but))) return word(but + 1) === "for" ? but + 2 : but + 1;
  return word(but) === "other" && word(but + 1) === "than" ? but + 2 : undefined;
}

/** "may only be reset by X", "is opened solely by X". */
function byOnly({ tokens }: Sentence, at: number): Range | undefined {
  if (!ONLY.has(tokens[at]!.lower)) return undefined;
  const by = tokens.findIndex(({ lower }, i) => i > at && i <= at + BY_TOKENS_MAX && lower === "by");
  const behind = tokens[by + 1];
  if (by < 0 || behind === undefined || /ing$/.test(behind.lower) || behind.kind !== "word") return undefined;
  return [by + 1, phraseEnd(tokens, by + 1)];
}

const BY_TOKENS_MAX = 4;

/** "is limited to X", "reserved for X". */
function keptFor({ tokens, quantities }: Sentence, at: number): Range | undefined {
  if (!/^(?:limited|restricted|reserved)$/.test(tokens[at]!.lower)) return undefined;
  if (!/^(?:to|for)$/.test(tokens[at + 1]?.lower ?? "")) return undefined;
  const to = phraseEnd(tokens, at + 2);
  // "limited to 8 km/h"
  return quantities.some(({ firstToken }) => firstToken >= at && firstToken < to) ? undefined : [at + 2, to];
}

function phraseEnd(tokens: Sentence["tokens"], from: number): number {
  const end = tokens.findIndex(
    ({ kind, lower }, i) => i >= from && (kind === "stop" || PHRASE_ENDS.has(lower)),
  );
  return end < 0 ? tokens.length : end;
}

const PHRASE_ENDS: ReadonlySet<string> = new Set(
  "at in on when if during after before who which that".split(" "),
);

function termsIn({ words }: Sentence, from: number, to: number): Set<string> {
  return new Set(
    words
      .filter(
        ({ token, info }) =>
          token >= from && token < to && info.weight === "content" && info.modality === undefined,
      )
      .map(({ term }) => term),
  );
}
