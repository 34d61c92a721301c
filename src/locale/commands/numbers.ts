/** Numbers in an utterance, by the one reader of numbers: in digits and in words, below zero too. */
import { NUMBER_WORDS } from "../../words/number-words.js";
import type { Language } from "../../words/polarity.js";
import { numeralAt } from "../../words/quantity/numerals.js";
import { type Token, tokenize } from "../../words/tokens.js";
import type { CommandWord } from "./words.js";

export class NumberReader {
  readonly #tokens: readonly Token[];
  readonly #language: Language;

  constructor(
    message: string,
    private readonly words: readonly CommandWord[],
    language: string,
  ) {
    this.#tokens = tokenize(message, 0, words.at(-1)?.end ?? 0);
    this.#language = language in NUMBER_WORDS ? (language as Language) : "en";
  }

  /** The number that begins at a word, and the first word behind it. */
  at(from: number): { readonly value: number; readonly end: number } | undefined {
    const start = this.words[from]?.start;
    const at = this.#tokens.findIndex((token) => token.start === start);
    const numeral = at < 0 ? undefined : numeralAt(this.#tokens, at, this.#language);
    if (numeral === undefined || numeral.form === "ordinal") return undefined;
    const { end: behind } = this.#tokens[numeral.next - 1]!;
    const next = this.words.findIndex(({ start: begin }, i) => i > from && begin >= behind);
    return { value: numeral.value, end: next < 0 ? this.words.length : next };
  }
}
