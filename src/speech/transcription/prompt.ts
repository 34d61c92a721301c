/**
 * The words of the field as a transcription prompt. Whisper reads the last 224 tokens of its prompt and drops what is
 * before (https://platform.openai.com/docs/guides/speech-to-text, "Prompting"), so the most important words come last.
 */

export const PROMPT_TOKENS_MAX = 224;
const WORD_CHARS_MAX = 80;

/** The prompt; `undefined` when there is no word to hint at. Words that are too long to be spoken are left out. */
export function promptOf(words: readonly string[]): string | undefined {
  const chosen = new Set<string>();
  let tokens = 1;
  for (const raw of words) {
    const word = tidy(raw);
    if (word === "" || word.length > WORD_CHARS_MAX || chosen.has(word)) continue;
    tokens += tokensAtMost(word) + 1;
    if (tokens > PROMPT_TOKENS_MAX) break;
    chosen.add(word);
  }
  return chosen.size === 0 ? undefined : `${[...chosen].reverse().join(", ")}.`;
}

/** One line of text without what would end the list or is not text. */
function tidy(word: string): string {
  return word
    .replace(/[\p{C}\s]+/gu, " ")
    .replace(/[,;]+/g, " ")
    .replace(/ {2,}/g, " ")
    .trim();
}

/**
 * An estimate from above of Whisper's tokens. Its byte pairs hold three letters of English or more, but single digits
 * and signs, and often less than one letter of another alphabet.
 */
function tokensAtMost(text: string): number {
  let tokens = 0;
  for (const [run] of text.matchAll(/[A-Za-z]+|[^\sA-Za-z]/gu)) {
    tokens += /[A-Za-z]/.test(run) ? Math.ceil(run.length / 3) : run.charCodeAt(0) < 128 ? 1 : 2;
  }
  return tokens;
}
