/** Whether a sentence claims that we did, do or will do something, by the words of `locales/actions`. */
import { shippedRows } from "../../lib/shipped-files.js";
import { byLanguage, type Language, NEGATIONS } from "../../words/polarity.js";
import { SENTENCE_CHARS_MAX } from "../limits.js";

/** `by_us`: the speaker says so of themselves. `done`: it says nothing else. `of_it`: of a thing that an order named. */
export type ActionClaim = "by_us" | "done" | "of_it";

/** Undefined where a sentence claims nothing of the kind. `question`: what it answers. */
export function actionClaim(sentence: string, question: string): ActionClaim | undefined {
  const text = asWords(sentence);
  if (ACTION_WORDS.some(({ byUs }) => byUs.test(text))) return "by_us";
  if (ACTION_WORDS.some(({ done }) => done.test(text))) return "done";
  if (sentence.trimEnd().endsWith("?")) return undefined;
  return ACTION_WORDS.some((words) => isOfOrder(text, asWords(question), words)) ? "of_it" : undefined;
}

/** Whether an utterance is an order, in any of the languages. */
export function isOrder(utterance: string): boolean {
  const text = asWords(utterance);
  return ACTION_WORDS.some(({ asked }) => asked.test(text));
}

/** A sentence tells the same of what was not ordered, or of another time, as a document may. */
function isOfOrder(text: string, question: string, { asked, elsewhen, ofIt }: ActionWords): boolean {
  return ofIt.test(text) && !elsewhen.test(text) && asked.test(question);
}

/** What one language says of actions. */
interface ActionWords {
  /** The speaker says that they did it, do it or will do it. */
  readonly byUs: RegExp;
  /** A whole sentence says nothing but that. */
  readonly done: RegExp;
  /** A whole utterance asks for an action. */
  readonly asked: RegExp;
  /** It was done to something, in answer to an order. */
  readonly ofIt: RegExp;
  /** The same, at another time, by somebody else, or under a condition. */
  readonly elsewhen: RegExp;
}

/** Of an action: what is asked for, what "I" does by itself, what follows "have", and how the thing is then. */
const FORMS = ["base", "self", "part", "state"] as const;

/** Words between the parts of a form, at the most. */
const GAP_WORDS_MAX = 6;

/** Words such as "okay" before what is said, at the most. */
const COURTESIES_MAX = 3;

/** Beside a blank. */
const BOUNDARY = "(?:(?<= )|(?= ))";
const NEVER = "(?!)";

/** A sentence as the expressions read it: words in lower case, a blank on both sides of each, and nothing else. */
function asWords(text: string): string {
  return ` ${text
    .slice(0, SENTENCE_CHARS_MAX)
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/[^\p{L}\p{M}\p{N}']+/gu, " ")
    .trim()} `;
}

const ACTION_WORDS: readonly ActionWords[] = Object.values(byLanguage(wordsOf));

function wordsOf(language: Language): ActionWords {
  const rows = shippedRows(`locales/actions/${language}.txt`).map((row) => {
    const end = row.indexOf(": ");
    return [row.slice(0, end), row.slice(end + 2)] as const;
  });
  const row = (name: string) =>
    rows.flatMap(([own, text]) => (own === name ? [text] : [])).join("|") || NEVER;
  const forms = rows.flatMap(([name, text]) =>
    name.startsWith("do.") ? [text.split(" / ").map((form) => (form === "-" ? NEVER : form))] : [],
  );
  const gap = `(?: (?!(?:${NEGATIONS[language].join("|")}) )[^ ]+){0,${GAP_WORDS_MAX}}`;
  const all = (texts: readonly string[]) => `\\b(?:${texts.join("|")})\\b`;
  const places: Readonly<Record<string, string>> = {
    soon: row("soon"),
    ...Object.fromEntries(FORMS.map((form, at) => [form, all(forms.map((own) => own[at]!))])),
  };
  const compiled = (text: string) => {
    const filled = text.replace(/\{(base|self|part|state|soon)\}/g, (_, name: string) => places[name]!);
    return new RegExp(filled.replaceAll("{gap}", gap).replaceAll("\\b", BOUNDARY));
  };
  const courtesies = `^ (?:(?:${row("courtesy")}) ){0,${COURTESIES_MAX}}`;
  return {
    byUs: compiled(row("by_us")),
    done: compiled(`${courtesies}(?:${row("done")}) $`),
    asked: compiled(`${courtesies}(?:${row("asked")})`),
    ofIt: compiled(row("of_it")),
    elsewhen: compiled(all([row("elsewhen"), "(?:19|20)\\d\\d"])),
  };
}
