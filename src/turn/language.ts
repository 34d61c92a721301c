/** The language of one turn, worked out once: fixed phrases and what the model is told have to agree. Pure. */
import type { HistoryEntry, TurnRequest } from "../domain/turn.js";
import { languageOfQuestion } from "../grounding/language.js";
import type { Locale } from "../locale/locale.js";
import type { Locales } from "../locale/locales.js";
import { tellsLanguage, utterance } from "../routing/normalized-message.js";

export interface TurnLanguage {
  /** What fixed phrases are said in. */
  readonly locale: Locale;
  /** The BCP 47 tag of the language that is asked for or configured; absent: the question's own. */
  readonly language: string | undefined;
}

interface LanguageClues extends Pick<TurnRequest, "language" | "text" | "user"> {
  readonly heardLanguage?: string | undefined;
}

/**
 * What the request names counts first, then what is configured for the network, then the language of the question: as
 * it was heard where it was spoken, else as its words tell, or the command that it is. A few words tell little: the
 * chat so far counts for more.
 */
export function turnLanguage(
  { heardLanguage, language, text, user }: LanguageClues,
  history: readonly HistoryEntry[],
  locales: Locales,
): TurnLanguage {
  const ofNetwork = locales.ofNetwork(user.network);
  if (language !== undefined)
    return { locale: locales.find(language) ?? ofNetwork ?? locales.usual, language };
  if (ofNetwork !== undefined) return { locale: ofNetwork, language: ofNetwork.language };
  const ofQuestion = heardLanguage ?? languageOfQuestion(text) ?? languageOfCommand(text);
  const ofChat = ofQuestion === undefined || isShort(text) ? languageOfChat(history) : undefined;
  return { locale: locales.of(ofChat ?? ofQuestion), language: undefined };
}

/** Of the command that a text is by more than its shortest words. */
function languageOfCommand(text: string): string | undefined {
  const { command } = utterance(text);
  return command && tellsLanguage(command) ? command.language : undefined;
}

/** The language of the last question that tells one for sure. */
function languageOfChat(history: readonly HistoryEntry[]): string | undefined {
  const questions = history.filter(({ role, text }) => role === "user" && !isShort(text));
  for (const { text } of questions.slice(-QUESTIONS_MAX).reverse()) {
    const language = languageOfQuestion(text);
    if (language !== undefined) return language;
  }
  return undefined;
}

/** How far back the chat is looked at. */
const QUESTIONS_MAX = 5;

/** Fewer words may be a name, a loan word, or a word of two languages. */
const WORDS_MIN = 3;

/** Whether a text has too few words to tell its language; another script tells it at once. */
function isShort(text: string): boolean {
  const letters = text.match(/[\p{L}\p{M}]+/gu) ?? [];
  return letters.length < WORDS_MIN && !/\p{Script=Cyrillic}/u.test(text);
}
