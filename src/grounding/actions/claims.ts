/** Whether a sentence claims that we did, do or will do something, by the words of `locales/actions`. */
import { grouped } from "../../lib/grouped.js";
import { shippedRows } from "../../lib/shipped-files.js";
import { byLanguage, type Language, NEGATIONS } from "../../words/polarity.js";
import { SENTENCE_CHARS_MAX } from "../limits.js";

/** `by_us`: the speaker says so of themselves. `done`: it says nothing else. `of_it`: of a thing that an order named. */
export type ActionClaim = "by_us" | "done" | "of_it";

/** Undefined where a sentence claims nothing of the kind. `question`: what it answers. */
export function actionClaim(sentence: string, question: string): ActionClaim | undefined {
  const [text, asked] = [asWords(sentence), asWords(question)];
  const own = (["by_us", "done"] as const).find((kind) =>
    ACTION_WORDS.some((words) => words[kind].test(text)),
  );
  if (own !== undefined || sentence.trimEnd().endsWith("?")) return own;
  // A sentence tells the same of what was not ordered, or of another time, as a document may.
  return ACTION_WORDS.some(
    (words) => words.of_it.test(text) && !words.elsewhen.test(text) && words.asked.test(asked),
  )
    ? "of_it"
    : undefined;
}

/** Whether an utterance is an order, in any of the languages. */
export function isOrder(utterance: string): boolean {
  return ACTION_WORDS.some(({ asked }) => asked.test(asWords(utterance)));
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
  const words = text.slice(0, SENTENCE_CHARS_MAX).toLowerCase().replaceAll("’", "'");
  return ` ${words.replace(/[^\p{L}\p{M}\p{N}']+/gu, " ").trim()} `;
}

/** What one language says of actions: locales/README.md tells what each expression finds. */
const ACTION_WORDS = Object.values(byLanguage(wordsOf));

function wordsOf(language: Language) {
  const rows = grouped(shippedRows(`locales/actions/${language}.txt`), (row) =>
    row.slice(0, row.indexOf(": ")),
  );
  const texts = (name: string) => (rows.get(name) ?? []).map((row) => row.slice(name.length + ": ".length));
  const any = (name: string) => texts(name).join("|") || NEVER;
  const whole = (some: readonly string[]) => `\\b(?:${some.join("|")})\\b`;
  const actions = [...rows.keys()].filter((name) => name.startsWith("do.")).flatMap(texts);
  const forms = actions.map((text) => text.split(" / ").map((form) => (form === "-" ? NEVER : form)));
  const places = new Map([
    ...FORMS.map((form, at) => [form, whole(forms.map((own) => own[at]!))] as const),
    ["soon", any("soon")],
    ["gap", `(?: (?!(?:${NEGATIONS[language].join("|")}) )[^ ]+){0,${GAP_WORDS_MAX}}`],
  ]);
  const filled = (text: string): string =>
    text.replace(/\{([a-z]+)\}/g, (_, name: string) => filled(places.get(name)!));
  const compiled = (text: string) => new RegExp(filled(text).replaceAll("\\b", BOUNDARY));
  const courtesies = `^ (?:(?:${any("courtesy")}) ){0,${COURTESIES_MAX}}`;
  return {
    by_us: compiled(any("by_us")),
    done: compiled(`${courtesies}(?:${any("done")}) $`),
    asked: compiled(`${courtesies}(?:${any("asked")})`),
    of_it: compiled(any("of_it")),
    elsewhen: compiled(whole([any("elsewhen"), "(?:19|20)\\d\\d"])),
  };
}
