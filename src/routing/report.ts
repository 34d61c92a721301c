/**
 * Whether a message tells something, as a report of an emergency does, rather than asks or orders. Its grammar decides: a
 * sentence tells where a word that tells comes before each that asks, supposes or requests. Linear in the text, and
 * bounded. Pure.
 */
import { languageOfQuestion } from "../grounding/language.js";
import {
  type Lexicon,
  type LexiconWord,
  lexiconOf,
  spansAt,
  tokensOf,
} from "../locale/emergency-words/lexicon.js";
import { EMERGENCY_WORDS } from "../locale/emergency-words/words.js";
import type { Language } from "../words/polarity.js";
import { quantitiesIn } from "../words/quantity/quantities.js";
import { utterance } from "./normalized-message.js";
import { REPORT_WORDS } from "./report-words.js";
import { ruledCapability } from "./rules.js";

/**
 * Whether nobody can rule out by grammar that `message` reports something: it is a statement or a call, and no question,
 * order, command about the last answer or first word.
 */
export function mayReport(message: string): boolean {
  const said = utterance(message);
  const ruled = ruledCapability(message, said);
  if (ruled === "operate" || ruled === "conversational" || said.command?.intent === "introduce") return false;
  const language = languageOfQuestion(message);
  const languages = language === undefined ? LANGUAGES : [language];
  const tellingMin = language === undefined ? TELLING_MIN_UNSURE : 1;
  return sentencesOf(message).some((sentence) => {
    const counts = languages.map((one) => countIn(sentence, one));
    const asks = counts.some((one) => one.asks);
    // What ends in a question mark tells only in front of the question: "the arm is stuck, what do I do?"
    if (sentence.mark === "?" && !asks) return false;
    if (languages.some((one) => isAside(sentence, one))) return false;
    if (language === undefined && asks) return false;
    return (sentence.mark === "!" && !asks) || counts.some(({ telling }) => telling >= tellingMin);
  });
}

/** Words that tell, where the language is not known: many a short word is one in another language. */
const TELLING_MIN_UNSURE = 2;

/** Characters that are looked at: no message is longer. */
const CHARS_MAX = 4_000;

/** How far "for" and "about" reach: "rules for new visitors" tells of nobody. */
const UPON_REACH = 2;

/**
 * Whether a question stands behind a measured value of a thing ("it is at 2 bar, is that right?"), or a plain one ("how
 * long", "which") behind what tells of nobody but the speaker, and of nothing that hurts.
 */
function isAside(sentence: Sentence, language: Language): boolean {
  const { asks, to } = countIn(sentence, language);
  const spansBefore = (end: number) =>
    sentence.tokens.slice(0, end).flatMap((_, at) => spansAt(sentence.tokens, at, LEXICONS.get(language)!));
  const isHarm = ({ role, from }: { readonly role: Role; readonly from: number }) =>
    HARMED.has(role) && !(role === "who" && SPEAKER.test(sentence.tokens[from]!.word));
  const plain = spansBefore(sentence.tokens.length).find(({ role }) => role === "plain");
  if (plain !== undefined && !spansBefore(plain.from).some(isHarm)) return true;
  const told = sentence.tokens.slice(0, to);
  const amounts = quantitiesIn(told.map(({ raw }) => raw).join(" "));
  return (
    asks &&
    amounts.some(({ dimension }) => dimension !== "count") &&
    !spansBefore(to).some(({ role }) => HARMED.has(role))
  );
}

/** Who asks; only English has words for plain questions. */
const SPEAKER = /^(?:i|we)$/;

/** Tells of somebody, or of what hurts. */
const HARMED: ReadonlySet<Role> = new Set([
  "who",
  "body",
  "substance",
  "hazard",
  "smells",
  "smokes",
  "escapes",
  "harm",
]);

type Role =
  | "tells"
  | "idle"
  | "plain"
  | "asking"
  | "opening"
  | "supposing"
  | "verbFirst"
  | "who"
  | "upon"
  | Harm;
type Harm = "body" | "substance" | "hazard" | "smells" | "smokes" | "escapes" | "harm";

const LANGUAGES = Object.keys(EMERGENCY_WORDS) as readonly Language[];

const LEXICONS: ReadonlyMap<Language, Lexicon<Role>> = new Map(
  LANGUAGES.map((language) => {
    const { asking, opening, supposing, upon, verbFirst, who, ...rest } = EMERGENCY_WORDS[language];
    const { body, substance, hazard, smells, smokes, escapes, harm } = rest;
    const harms = { body, substance, hazard, smells, smokes, escapes, harm };
    const { idle, plain = "", tells } = REPORT_WORDS[language];
    const telling = { who, idle, plain, tells };
    return [language, lexiconOf({ asking, opening, supposing, upon, verbFirst, ...telling, ...harms })];
  }),
);

const MARKS = ["?", "!"] as const;

interface Sentence {
  readonly tokens: readonly LexiconWord[];
  readonly mark: (typeof MARKS)[number] | "";
}

function sentencesOf(message: string): readonly Sentence[] {
  // The point of "1.1 bar" ends no sentence.
  const whole = message.slice(0, CHARS_MAX).replace(/(?<=\d)\.(?=\d)/g, ",");
  return [...whole.matchAll(/([^.!?;…\n]+)([.!?;…\n]*)/gu)].map(([, text, marks]) => ({
    tokens: tokensOf(text!),
    mark: MARKS.find((mark) => marks!.includes(mark)) ?? "",
  }));
}

interface Counts {
  /** Words that tell, before the first that asks. */
  readonly telling: number;
  readonly asks: boolean;
  /** Words before that. */
  readonly to: number;
}

function countIn(sentence: Sentence, language: Language): Counts {
  const { tokens } = sentence;
  let telling = 0;
  for (let at = 0; at < tokens.length; ) {
    const { to, type } = readAt(sentence, at, language);
    if (type === "asks") return { telling, asks: true, to: at };
    if (type === "tells") telling += 1;
    at = to;
  }
  return { telling, asks: false, to: tokens.length };
}

/** What the word at `at`, with those that belong to it, does. */
function readAt(
  { tokens, mark }: Sentence,
  at: number,
  language: Language,
): { readonly type: "asks" | "tells" | "idle"; readonly to: number } {
  const { endings, verbFirstAsks = false } = REPORT_WORDS[language];
  const lexicon = LEXICONS.get(language)!;
  const spans = spansAt(tokens, at, lexicon);
  const is = (role: Role) => spans.some((span) => span.role === role);
  const idle = spans.filter(({ role }) => role === "idle").map((span) => span.to);
  if (idle.length > 0) return { type: "idle", to: Math.max(...idle) };
  const opens = is("opening") || (is("verbFirst") && (verbFirstAsks || mark === "?"));
  const to = at + 1;
  if (is("asking") || is("supposing") || (at === 0 && opens)) return { type: "asks", to };
  const isUpon = [...Array(UPON_REACH).keys()].some(
    (back) => back < at && spansAt(tokens, at - 1 - back, lexicon).some(({ role }) => role === "upon"),
  );
  const tells =
    is("tells") ||
    (is("verbFirst") && !verbFirstAsks) ||
    (is("who") && !isUpon) ||
    endings?.test(tokens[at]!.raw.toLowerCase()) === true;
  return { type: tells ? "tells" : "idle", to };
}
