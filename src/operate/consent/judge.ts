/**
 * What a reply is to a proposal, by word lists alone: the lists `consent_*` of `locales/commands/`. A consent is explained
 * word by word; what denies wins wherever it stands, in any language; everything else is unclear. No model, no guess:
 * punctuation may take a consent away and never gives one. Pure; takes linear time.
 */
import type { ConsentLevel, ReplyVerdict } from "../../domain/operation.js";
import type { Grammar } from "../../locale/commands/file.js";
import type { CONSENT_LISTS } from "../../locale/commands/lists.js";
import { wordsOf } from "../../locale/commands/words.js";
import { commands } from "../../routing/commands.js";

/** What is asked of somebody. */
export interface AskedConsent {
  readonly level: ConsentLevel;
  /** The word that has to be confirmed; without it a plain yes does, unless the level is `challenge`. */
  readonly challenge?: string | undefined;
  /** BCP 47 tags of the languages in which a consent counts. A denial counts in any. */
  readonly languages: readonly string[];
}

export interface ReplyJudgement {
  readonly verdict: ReplyVerdict;
  readonly why: ReplyReason;
  /** What a plain yes has words besides: a consent where these say once more what is proposed, and nothing else. */
  readonly besides?: string | undefined;
}

/**
 * `stop` voids everything that waits; `wait`, `no` and `limited` (a yes with a condition, or to something else) are told
 * apart in what is said. The others but `consent` leave it open.
 */
export type ReplyReason =
  | "consent"
  | "stop"
  | "wait"
  | "no"
  | "limited"
  | "nothing_said"
  | "too_long"
  | "undecided"
  | "no_challenge"
  | "other_word"
  | "unexplained";

/** UTF-16 units of a reply in which a denial is looked for. More than that is no consent. */
export const REPLY_CHARS_MAX = 2_000;

/** What may stand in a consent: words, spaces and signs that ask and mean nothing. */
const PLAIN = /^[\p{L}\p{M}\p{N}\s.,;:!¡…'’‘ʼ`"“”„«»–—-]*$/u;

/** A remark behind a complete challenge phrase: its words at the most, and words before what shows that it is one. */
const REMARK_WORDS_MAX = 12;
const REMARK_BEGINS_WITHIN = 3;

/** Pieces of hesitation between what confirms and its word. */
const HESITATIONS_MAX = 8;

/** Words of a command that denies, at the most. */
const COMMAND_WORDS_MAX = 6;

/** What `words` are to a proposal that asks for this. */
export function judgeReply(words: string, asked: AskedConsent): ReplyJudgement {
  const said = wordsOf(words, REPLY_CHARS_MAX).map(({ text }) => text);
  const readings = grammarsOf(asked.languages).map((grammar) => new Reading(said, grammar, asked));
  const denial =
    denialIn(said, readings) ?? (said.length > COMMAND_WORDS_MAX ? undefined : commandDenying(words));
  if (denial !== undefined) return { verdict: "denied", why: denial };
  const why = doubtIn(words, said, readings);
  if (why === undefined) return { verdict: "approved", why: "consent" };
  const isLimited = why !== "undecided" && readings.some((one) => one.isLimited);
  if (isLimited) return { verdict: "denied", why: "limited" };
  const besides = isPlain(words) ? readings.find((one) => one.besides !== undefined)?.besides : undefined;
  return { verdict: "unclear", why, ...(why === "unexplained" && { besides }) };
}

/** Why it is no consent, which only one language as a whole explains. */
function doubtIn(
  words: string,
  said: readonly string[],
  readings: readonly Reading[],
): ReplyReason | undefined {
  if (said.length === 0) return "nothing_said";
  if (words.length > REPLY_CHARS_MAX) return "too_long";
  if (readings.some(({ isUndecided }) => isUndecided)) return "undecided";
  if (isPlain(words) && readings.some(({ isConsent }) => isConsent)) return undefined;
  const missing = new Set(readings.map((one) => one.missing));
  return (["other_word", "no_challenge"] as const).find((one) => missing.has(one)) ?? "unexplained";
}

function isPlain(words: string): boolean {
  return PLAIN.test(words.normalize("NFKC"));
}

type ConsentList = (typeof CONSENT_LISTS)[number];

/** Where the entries of a list end that begin at a word, the shortest first. */
function endsAt(
  { lists }: Grammar,
  list: ConsentList,
  words: readonly string[],
  at: number,
): readonly number[] {
  return lists
    .get(list)!
    .at(words, at)
    .map(({ end }) => end);
}

function grammarsOf(languages: readonly string[]): readonly Grammar[] {
  const wanted = new Set(languages.map((tag) => tag.split("-")[0]!.toLowerCase()));
  return commands.grammars.filter(({ language }) => wanted.has(language));
}

/** What denies, in any language. `stop` holds everywhere, the others not within what only looks like a denial. */
function denialIn(said: readonly string[], readings: readonly Reading[]): "stop" | "wait" | "no" | undefined {
  const begins = (list: ConsentList, at: number) =>
    commands.grammars.some((grammar) => endsAt(grammar, list, said, at).length > 0);
  if (said.some((_, at) => begins("consent_stop", at))) return "stop";
  let waits = false;
  let waitsUntil = 0;
  for (const at of said.keys()) {
    if (readings.some(({ isHarmless }) => isHarmless[at])) continue;
    const ends = commands.grammars.flatMap((grammar) => endsAt(grammar, "consent_wait", said, at));
    waitsUntil = Math.max(waitsUntil, ...ends);
    waits ||= ends.length > 0;
    if (at >= waitsUntil && begins("consent_no", at)) return "no";
  }
  return waits ? "wait" : undefined;
}

/** What the whole of it denies as a command: "para" is a word of many meanings, but not alone. */
function commandDenying(words: string): "stop" | "no" | undefined {
  const intents = commands.of(commands.hear(words)).map(({ intent }) => intent);
  if (intents.includes("stop") || intents.includes("never_mind")) return "stop";
  return intents.includes("no") ? "no" : undefined;
}

/** One reply in one language. */
class Reading {
  /** Of each word, whether it belongs to a phrase in which nothing is denied. */
  readonly isHarmless: readonly boolean[];
  readonly isUndecided: boolean;
  readonly isConsent: boolean;
  /** Whether something of a consent is there, and a word that limits it. */
  readonly isLimited: boolean;
  /** The words around the first yes, where no word is asked for and they are not explained. */
  readonly besides: string | undefined;
  /** What it lacks where something of a consent is there. */
  readonly missing: ReplyReason | undefined;

  constructor(
    private readonly said: readonly string[],
    private readonly grammar: Grammar,
    private readonly asked: AskedConsent,
  ) {
    const phrases = said.map((_, at) => this.#phraseEnds(at));
    const complete = Math.max(0, ...phrases.flat());
    const undecided = this.#covered("consent_undecided", 0);
    const asides = complete > 0 && this.#takesWord ? this.#covered("consent_aside", complete) : [];
    const sayings = this.#covered("consent_yes", 0, WORDS_OF_SAYING_MIN);
    this.isUndecided = undecided.some((is, at) => is && asides[at] !== true);
    this.isHarmless = said.map((_, at) => [undecided, asides, sayings].some((covered) => covered[at]));
    this.isConsent = this.#isExplained(phrases);
    const doubts = said.some((_, at) => !sayings[at] && this.#ends("consent_doubt", at).length > 0);
    this.isLimited = doubts && this.#has("consent_yes", "consent_confirm");
    this.missing = this.#missing(complete);
    const yes = this.#takesWord ? -1 : phrases.findIndex((ends) => ends.length > 0);
    if (yes >= 0) this.besides = [...said.slice(0, yes), ...said.slice(phrases[yes]!.at(-1))].join(" ");
  }

  #ends(list: ConsentList, at: number): readonly number[] {
    return endsAt(this.grammar, list, this.said, at);
  }

  /** Of each word, whether an entry of the list holds it that begins at `from` or later. */
  #covered(list: ConsentList, from: number, wordsMin = 1): readonly boolean[] {
    let until = 0;
    return this.said.map((_, at) => {
      const end = at < from ? 0 : (this.#ends(list, at).at(-1) ?? 0);
      if (end - at >= wordsMin) until = Math.max(until, end);
      return at < until;
    });
  }

  get #takesWord(): boolean {
    return this.asked.challenge !== undefined || this.asked.level === "challenge";
  }

  /** Ends of what is a consent by itself and begins at a word: of the phrase with the word, where one is asked for. */
  #phraseEnds(at: number): readonly number[] {
    const confirmed = this.#ends("consent_confirm", at);
    if (!this.#takesWord) return [...this.#ends("consent_yes", at), ...confirmed];
    const { challenge } = this.asked;
    const places = confirmed.map((end) => this.#behind(["consent_filler", "consent_confirm"], end));
    if (challenge === undefined) return [];
    return places.flatMap((place) => {
      let end = place;
      while (this.said[end] === challenge) end++;
      return end === place ? [] : [end];
    });
  }

  /** The first word behind entries of these lists: who hesitates says "confirm, um, confirm". */
  #behind(lists: readonly ConsentList[], from: number): number {
    let at = from;
    for (let i = 0; i < HESITATIONS_MAX; i++)
      at = Math.max(at, ...lists.flatMap((list) => this.#ends(list, at)));
    return at;
  }

  /** Whether phrases of consent and what means nothing are all of it, but for one remark behind the challenge phrase. */
  #isExplained(phrases: readonly (readonly number[])[]): boolean {
    const { length } = this.said;
    const reached: (undefined | "explained" | "consented")[] = ["explained"];
    for (const at of this.said.keys()) {
      const here = reached[at];
      if (here === undefined) continue;
      const around = [
        ...this.#ends("consent_filler", at),
        ...(this.#takesWord ? this.#ends("consent_yes", at) : []),
      ];
      for (const end of around) reached[end] = reached[end] === "consented" ? "consented" : here;
      for (const end of phrases[at]!) reached[end] = "consented";
    }
    const last = reached.lastIndexOf("consented");
    return last === length || (last > 0 && this.#takesWord && this.#isRemark(last));
  }

  /** Whether what stands behind `from` is about something else. */
  #isRemark(from: number): boolean {
    const { length } = this.said;
    if (length - from > REMARK_WORDS_MAX) return false;
    const places = Array.from({ length: length - from }, (_, i) => from + i);
    const hasAside = places
      .slice(0, REMARK_BEGINS_WITHIN)
      .some((at) => this.#ends("consent_aside", at).length > 0);
    const isLimited = places.some(
      (at) =>
        this.said[at] === this.asked.challenge ||
        (["consent_doubt", "consent_confirm"] as const).some((list) => this.#ends(list, at).length > 0),
    );
    return hasAside && !isLimited;
  }

  #missing(complete: number): ReplyReason | undefined {
    if (!this.#takesWord || complete > 0 || !this.#has("consent_yes", "consent_confirm")) return undefined;
    const isOther = this.said.some((_, at) =>
      this.#ends("consent_confirm", at).some((end) => {
        const word = this.#behind(["consent_filler"], end);
        const isSaid = (["consent_yes", "consent_confirm"] as const).some(
          (list) => this.#ends(list, word).length > 0,
        );
        return word < this.said.length && !isSaid;
      }),
    );
    return isOther ? "other_word" : "no_challenge";
  }

  /** Whether an entry of any of these lists is said anywhere. */
  #has(...lists: readonly ConsentList[]): boolean {
    return this.said.some((_, at) => lists.some((list) => this.#ends(list, at).length > 0));
  }
}

/** A yes of so many words holds what alone would deny: Polish "no tak". */
const WORDS_OF_SAYING_MIN = 2;
