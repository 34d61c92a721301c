/**
 * What a reply is to a proposal, by the word lists `consent_*` of `locales/commands/` alone. A consent is explained word by
 * word; what denies wins wherever it stands, in any language; all else is unclear. No model, no guess: punctuation may take
 * a consent away and never gives one. Pure; takes linear time.
 */
import type { ConsentLevel, ReplyVerdict } from "../../domain/operation.js";
import type { Grammar } from "../../locale/commands/file.js";
import { CONSENT_LISTS } from "../../locale/commands/lists.js";
import { wordsOf } from "../../locale/commands/words.js";
import { commands } from "../../routing/commands.js";

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
  /** It begins as a question does, and denies as well: what else is asked has its own answer. */
  readonly isQuestion?: boolean;
  /** What a plain yes has words besides: a consent where these say once more what is proposed, and nothing else. */
  readonly besides?: string | undefined;
}

/** `stop`, `wait`, `no` and `limited` (a yes with a condition, or to something else) deny; all others but `consent` leave it open. */
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

/** Replies that say something else altogether: the question that they may be has its own route. */
export const OTHER_MATTER: ReadonlySet<ReplyReason> = new Set(["unexplained", "too_long", "nothing_said"]);

/** UTF-16 units of a reply in which a denial is looked for. More than that is no consent. */
export const REPLY_CHARS_MAX = 2_000;

/** What may stand in a consent: words, spaces and signs that ask and mean nothing. */
const PLAIN = /^[\p{L}\p{M}\p{N}\s.,;:!¡…'’‘ʼ`"“”„«»–—-]*$/u;

/** A remark behind a complete challenge phrase: its words at the most, and within how many of them it shows that it is one. */
const REMARK_WORDS_MAX = 12;
const REMARK_BEGINS_WITHIN = 3;

/** A yes of so many words holds what alone would deny: Polish "no tak". */
const WORDS_OF_SAYING_MIN = 2;

/** Words of a question that asks something. */
const QUESTION_WORDS_MIN = 4;

/** Words of a command that denies, at the most. */
const COMMAND_WORDS_MAX = 6;

type List = (typeof CONSENT_LISTS)[number] extends `consent_${infer Name}` ? Name : never;

/** Of each list and word, where the entries end that begin there, the shortest first. */
type Marks = Readonly<Record<List, readonly (readonly number[])[]>>;

type State = "begun" | "confirming" | "given" | "settled";

/** How entries of lists, and the word, lead on in a consent. It is one where it ends `given` or `settled`. */
type Steps = Readonly<Partial<Record<State, Readonly<Partial<Record<List | "word", State>>>>>>;

const PLAIN_STEPS: Steps = {
  begun: { filler: "begun", yes: "given", confirm: "given" },
  given: { filler: "given", yes: "given", confirm: "given" },
};
/** Who hesitates says "confirm, um, confirm tango". */
const WORD_STEPS: Steps = {
  begun: { filler: "begun", yes: "begun", confirm: "confirming" },
  confirming: { filler: "confirming", confirm: "confirming", word: "given" },
  given: { filler: "settled", yes: "settled", confirm: "confirming", word: "given" },
  settled: { filler: "settled", yes: "settled", confirm: "confirming" },
};

/** What `words` are to a proposal that asks for this. */
export function judgeReply(words: string, asked: AskedConsent): ReplyJudgement {
  const said = wordsOf(words, REPLY_CHARS_MAX).map(({ text }) => text);
  const wanted = new Set(asked.languages.map((tag) => tag.split("-")[0]!.toLowerCase()));
  const all = commands.grammars.map(({ lists }) => marksOf(said, lists));
  const own = all.filter((_, i) => wanted.has(commands.grammars[i]!.language));
  const readings = own.map((marks) => readingOf(said, marks, asked));
  const isShort = said.length <= COMMAND_WORDS_MAX;
  const denial = denialIn(said, all, readings) ?? (isShort ? commandDenying(words) : undefined);
  const isQuestion = said.length >= QUESTION_WORDS_MIN && all.some(beginsQuestion);
  if (denial !== undefined) return { verdict: "denied", why: denial, ...(isQuestion && { isQuestion }) };
  const why = doubtIn(words, said, readings);
  if (why === undefined) return { verdict: "approved", why: "consent" };
  const isLimited = why !== "undecided" && readings.some((one) => one.isLimited);
  if (isLimited) return { verdict: "denied", why: "limited" };
  const besides = isPlain(words) ? readings.find((one) => one.besides !== undefined)?.besides : undefined;
  return { verdict: "unclear", why, ...(why === "unexplained" && { besides }) };
}

/** What words are as a plain consent, or the denial of one. Undefined: something else altogether. */
export function judgePlain(words: string, languages: readonly string[]): ReplyVerdict | undefined {
  const { verdict, why } = judgeReply(words, { level: "plain", languages });
  return OTHER_MATTER.has(why) ? undefined : verdict;
}

function marksOf(said: readonly string[], lists: Grammar["lists"]): Marks {
  const endsAt = (list: string, at: number) => lists.get(list)!.at(said, at);
  const marks = CONSENT_LISTS.map((list) => [
    list.replace("consent_", ""),
    said.map((_, at) => endsAt(list, at).map(({ end }) => end)),
  ]);
  const all = Object.fromEntries(marks) as Marks;
  // "How many seconds": what waits in a question, or limits, is no answer.
  const none = said.map(() => []);
  return beginsQuestion(all) ? { ...all, wait: none, doubt: none } : all;
}

/** "Why not" and "what you like" begin none. */
function beginsQuestion(marks: Marks): boolean {
  const first = covered(marks.filler).indexOf(false);
  const begins = (list: List) => (marks[list][first]?.length ?? 0) > 0;
  return begins("asking") && !begins("undecided") && !begins("yes");
}

/** Why it is no consent, which only one language as a whole explains. */
function doubtIn(words: string, said: readonly string[], readings: readonly Reading[]) {
  if (said.length === 0) return "nothing_said";
  if (words.length > REPLY_CHARS_MAX) return "too_long";
  if (readings.some(({ isUndecided }) => isUndecided)) return "undecided";
  if (isPlain(words) && readings.some(({ isConsent }) => isConsent)) return undefined;
  const missing = readings.map((one) => one.missing);
  return (["other_word", "no_challenge"] as const).find((one) => missing.includes(one)) ?? "unexplained";
}

function isPlain(words: string): boolean {
  return PLAIN.test(words.normalize("NFKC"));
}

/** What denies, in any language. `stop` holds everywhere, the others not within what only looks like a denial. */
function denialIn(said: readonly string[], all: readonly Marks[], readings: readonly Reading[]) {
  const ends = (list: List, at: number) => all.flatMap((marks) => marks[list][at]!);
  if (said.some((_, at) => ends("stop", at).length > 0)) return "stop";
  let waitsUntil = 0;
  for (const at of said.keys()) {
    if (readings.some(({ harmless }) => harmless[at])) continue;
    waitsUntil = Math.max(waitsUntil, ...ends("wait", at));
    if (at >= waitsUntil && ends("no", at).length > 0) return "no";
  }
  return waitsUntil > 0 ? "wait" : undefined;
}

/** What the whole of it denies as a command: "para" is a word of many meanings, but not alone. */
function commandDenying(words: string): "stop" | "no" | undefined {
  const intents = commands.of(commands.hear(words)).map(({ intent }) => intent);
  if (intents.includes("stop") || intents.includes("never_mind")) return "stop";
  return intents.includes("no") ? "no" : undefined;
}

type Reading = ReturnType<typeof readingOf>;

function readingOf(said: readonly string[], marks: Marks, { challenge, level }: AskedConsent) {
  const takesWord = challenge !== undefined || level === "challenge";
  const begins = (list: List, at: number) => (marks[list][at]?.length ?? 0) > 0;
  const whole = statesIn(said, marks, challenge, takesWord ? WORD_STEPS : PLAIN_STEPS, false);
  const parts = takesWord ? statesIn(said, marks, challenge, WORD_STEPS, true) : [];
  const complete = parts.findLastIndex((states) => states.has("given"));
  const undecided = covered(marks.undecided);
  const asides = covered(marks.aside.map((ends, at) => (complete > 0 && at >= complete ? ends : [])));
  const sayings = covered(marks.yes, WORDS_OF_SAYING_MIN);
  const given = whole.findLastIndex((states) => states.has("given") || states.has("settled"));
  const part = said.findIndex((_, at) => begins("yes", at) || begins("confirm", at));
  const hasPart = part >= 0;
  const isOtherWord = said.some(
    (_, at) =>
      parts[at]?.has("confirming") &&
      !(["filler", "yes", "confirm"] as const).some((list) => begins(list, at)),
  );
  const first = takesWord ? -1 : part;
  const behind = [...(marks.yes[first] ?? []), ...(marks.confirm[first] ?? [])].at(-1);
  // What stands behind a complete phrase, and is about something else.
  const rest = said.slice(given);
  const holds = (list: List, words: number) =>
    said.slice(given, given + words).some((_, i) => begins(list, given + i));
  const isRemarked =
    takesWord &&
    given > 0 &&
    rest.length <= REMARK_WORDS_MAX &&
    holds("aside", REMARK_BEGINS_WITHIN) &&
    rest.every((word) => word !== challenge) &&
    !holds("doubt", rest.length) &&
    !holds("confirm", rest.length);
  return {
    /** Of each word, whether it belongs to a phrase in which nothing is denied. */
    harmless: said.map((_, at) => undecided[at]! || asides[at]! || sayings[at]!),
    isUndecided: undecided.some((is, at) => is && !asides[at]),
    isConsent: given === said.length || isRemarked,
    /** Whether something of a consent is there, and a word that limits it. */
    isLimited: hasPart && said.some((_, at) => !sayings[at] && begins("doubt", at)),
    /** The words around the first yes, where no word is asked for. */
    besides: first < 0 ? undefined : [...said.slice(0, first), ...said.slice(behind)].join(" "),
    /** What it lacks where something of a consent is there. */
    missing: takesWord && complete < 0 && hasPart ? (isOtherWord ? "other_word" : "no_challenge") : undefined,
  } as const;
}

/** The states that are reached before each word, and at the end. `anywhere`: a consent may begin at any word. */
function statesIn(
  said: readonly string[],
  marks: Marks,
  challenge: string | undefined,
  steps: Steps,
  anywhere: boolean,
): readonly ReadonlySet<State>[] {
  const reached = Array.from({ length: said.length + 1 }, (_, at) =>
    at === 0 || anywhere ? new Set<State>(["begun"]) : new Set<State>(),
  );
  for (const [at, word] of said.entries())
    for (const state of reached[at]!)
      for (const [by, to] of Object.entries(steps[state]!)) {
        const ends = by !== "word" ? marks[by as List][at]! : word === challenge ? [at + 1] : [];
        for (const end of ends) reached[end]!.add(to);
      }
  return reached;
}

/** Of each word, whether an entry of so many words holds it. */
function covered(marks: Marks[List], wordsMin = 1): readonly boolean[] {
  let until = 0;
  return marks.map((ends, at) => {
    const end = ends.at(-1) ?? 0;
    if (end - at >= wordsMin) until = Math.max(until, end);
    return at < until;
  });
}
