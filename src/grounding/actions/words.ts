/** The words in which people say that they did, do or will do something, in the languages of `locales/actions`. */
import { shippedRows } from "../../lib/shipped-files.js";
import { byLanguage, type Language, NEGATIONS } from "../../words/polarity.js";

/** What one language says of actions. */
export interface ActionWords {
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

/** A text as the expressions read it: words in lower case, a blank on both sides of each, and nothing else. */
export function plainWords(text: string): string {
  return ` ${text
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/[^\p{L}\p{M}\p{N}']+/gu, " ")
    .trim()} `;
}

export const ACTION_WORDS: readonly ActionWords[] = Object.values(byLanguage(wordsOf));

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
