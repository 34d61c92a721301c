/**
 * The reference system's token estimate: punctuation becomes spaces, and what white space separates is counted.
 * Every budget of a turn is in this unit.
 */
export function countTokens(text: string): number {
  return text.replace(/\p{P}/gu, " ").match(/\S+/g)?.length ?? 0;
}

/** The longest beginning of `text` that counts at most `tokensMax`, cut between words. */
export function cutToTokens(text: string, tokensMax: number): string {
  let tokens = 0;
  for (const word of text.matchAll(/\S+/g)) {
    tokens += countTokens(word[0]);
    if (tokens > tokensMax) return text.slice(0, word.index).trimEnd();
  }
  return text;
}
