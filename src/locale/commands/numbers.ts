/** Numbers in an utterance, by the one reader of numbers: in digits and in words, below zero too. */
import { NUMBER_WORDS } from "../../words/number-words.js";
import type { Language } from "../../words/polarity.js";
import { numeralAt } from "../../words/quantity/numerals.js";
import type { Token } from "../../words/tokens.js";
import type { CommandWord } from "./words.js";

export class NumberReader {
  /** Index of the token that begins at a place of the text. */
  #tokenAt: ReadonlyMap<number, number> | undefined;
  readonly #languages: readonly Language[];

  /** `tokens`: of the text that the words are of; `languages`: the first of them that knows a number counts. */
  constructor(
    private readonly tokens: readonly Token[],
    private readonly words: readonly CommandWord[],
    languages: readonly string[],
  ) {
    this.#languages = languages.map((one) => (one in NUMBER_WORDS ? (one as Language) : "en"));
  }

  /** The number that begins at a word, and the first word behind it. */
  at(from: number): { readonly value: number; readonly end: number } | undefined {
    this.#tokenAt ??= new Map(this.tokens.map(({ start }, i) => [start, i]));
    const at = this.#tokenAt.get(this.words[from]?.start ?? -1);
    if (at === undefined) return undefined;
    for (const language of this.#languages) {
      const numeral = numeralAt(this.tokens, at, language);
      if (numeral === undefined || numeral.form === "ordinal") continue;
      const { end: behind } = this.tokens[numeral.next - 1]!;
      const next = this.words.findIndex(({ start: begin }, i) => i > from && begin >= behind);
      return { value: numeral.value, end: next < 0 ? this.words.length : next };
    }
    return undefined;
  }
}
