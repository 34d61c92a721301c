/** Where the verb of a clause stands, by the forms of words alone. */
import { wordSet } from "../../lib/word-set.js";
import { ACTION_VERBS, AUXILIARIES } from "../../words/function-words.js";
import type { Sentence } from "./sentence.js";

const NOT_BEFORE = /^(?:a|an|the|of|and|or|with|for|to|at|in|on|by|from|this|that|each|every|no)$/;
const LEADING = /^(?:then|next|now|finally|first|please|also|always|never|not|do|don't|and|so|yes|no|,)$/;

/** The first token between `from` and `to` that is a verb; undefined where none looks like one. */
export function verbIn(sentence: Sentence, from: number, to: number): number | undefined {
  const { tokens, infos, quantities } = sentence;
  let at = from;
  while (at < to && LEADING.test(tokens[at]!.lower)) at += 1;
  if (at < to && infos[at]!.action) return at;
  let named = false;
  for (let i = from; i < to; i++) {
    const { kind, lower } = tokens[i]!;
    if (AUXILIARIES.has(lower) && !(i === from && LEADING.test(lower))) return i;
    if (quantities.some(({ firstToken, lastToken }) => i >= firstToken && i <= lastToken)) continue;
    if (kind === "word" && named && isVerbForm(lower) && !NOT_BEFORE.test(tokens[i - 1]?.lower ?? ""))
      return i;
    // "thrown away after 3 years"
    if (kind === "word" && i === from && infos[i]!.weight !== "function" && /(?:ed|en|wn)$/.test(lower))
      return i;
    if (kind === "code" || (kind === "word" && infos[i]!.weight !== "function") || ANYBODY.has(lower))
      named = true;
  }
  return undefined;
}

const ANYBODY = wordSet("anybody anyone everybody everyone it they he she you we");

function isVerbForm(lower: string): boolean {
  if (ACTION_VERBS.has(lower) || /[^aeious]ed$/.test(lower)) return true;
  const base = /^(.+?)(?:es|s)$/.exec(lower)?.[1];
  return base !== undefined && (ACTION_VERBS.has(base) || ACTION_VERBS.has(`${base}e`) || STATES.has(base));
}

/** Verbs of handbooks that open no instruction. */
const STATES = wordSet(
  "trip need last begin end hold sound appear remain show mean contain weigh cost belong " +
    "happen rise fall expire apply occur live play lie form releas attack protect require " +
    "run start serve",
);
