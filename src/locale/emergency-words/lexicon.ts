/**
 * Words of a message and what they are to the reader of it: lists of entries (the notation is told in `words.ts`), by the
 * role of each, and where their entries stand. Linear in the text, and bounded. Pure.
 */

/** Words of a message that are looked at: a message has fewer tokens. */
const WORDS_MAX = 250;

/** Characters of them: what is longer than this is no word. */
const CHARS_MAX = 4_000;

/** Words that may stand where an entry has a gap. */
const GAP_MAX = 3;

/** One word. */
export interface LexiconWord {
  /** Lower case, without accents. */
  readonly word: string;
  /** As it was written. */
  readonly raw: string;
  /** What stands before it: a mark that ends a clause, or one that ends a sentence. */
  readonly after: "word" | "clause" | "sentence";
  /** Whether a question mark stands before it. */
  readonly afterQuestion: boolean;
}

/** The first words of a message. */
export function tokensOf(message: string): readonly LexiconWord[] {
  const tokens: LexiconWord[] = [];
  let after: LexiconWord["after"] = "sentence";
  let afterQuestion = false;
  const text = message.slice(0, CHARS_MAX).normalize("NFC");
  for (const [found] of text.matchAll(/[\p{L}\p{M}\p{N}]+|[,:–—]|[.!?;…¡¿\n]/gu)) {
    if (/^[.!?;…¡¿\n]$/u.test(found)) {
      after = "sentence";
      afterQuestion ||= found === "?";
    } else if (/^[,:–—]$/u.test(found)) after = after === "sentence" ? after : "clause";
    else {
      if (tokens.length === WORDS_MAX) break;
      tokens.push({ word: folded(found), raw: found, after, afterQuestion });
      after = "word";
      afterQuestion = false;
    }
  }
  return tokens;
}

function folded(word: string): string {
  return word
    .toLowerCase()
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replaceAll("ł", "l")
    .replaceAll("ß", "ss");
}

interface EntryWord {
  readonly text: string;
  readonly matches: "whole" | "beginning" | "accents";
  /** Whether other words may stand before it. */
  readonly isApart: boolean;
}

interface Entry<Role extends string> {
  readonly role: Role;
  readonly words: readonly EntryWord[];
}

/** The entries of a language, by the first letters of their first word. */
export type Lexicon<Role extends string> = ReadonlyMap<string, readonly Entry<Role>[]>;

const KEY_CHARS = 2;

/** The entries of lists, where `words` has for each role its list. */
export function lexiconOf<Role extends string>(words: Readonly<Record<Role, string>>): Lexicon<Role> {
  const lexicon = new Map<string, Entry<Role>[]>();
  for (const role of Object.keys(words) as Role[]) {
    for (const entry of words[role].split(",")) {
      const parts = [...entry.matchAll(/(_ )?(=?)([\p{L}\p{M}\p{N}]+)(\*?)/gu)];
      const [first] = parts;
      if (first === undefined) continue;
      const key = folded(first[3]!).slice(0, KEY_CHARS);
      const entries = lexicon.get(key) ?? [];
      lexicon.set(key, entries);
      entries.push({
        role,
        words: parts.map(entryWord),
      });
    }
  }
  return lexicon;
}

function entryWord([, gap, accents, text, ending]: RegExpMatchArray): EntryWord {
  const isApart = gap !== undefined;
  if (accents === "=") return { text: text!.toLowerCase(), matches: "accents", isApart };
  return { text: folded(text!), matches: ending === "*" ? "beginning" : "whole", isApart };
}

function fits({ raw, word }: LexiconWord, { matches, text }: EntryWord): boolean {
  if (matches === "whole") return word === text;
  return matches === "beginning" ? word.startsWith(text) : raw.toLowerCase() === text;
}

/** An entry that stands in the message, from its first word to behind its last one. */
export interface Span<Role extends string> {
  readonly role: Role;
  readonly from: number;
  readonly to: number;
}

/** The entries that begin at the word `at`. */
export function spansAt<Role extends string>(
  tokens: readonly LexiconWord[],
  at: number,
  lexicon: Lexicon<Role>,
): readonly Span<Role>[] {
  const key = tokens[at]!.word.slice(0, KEY_CHARS);
  return (lexicon.get(key) ?? []).flatMap(({ role, words }) => {
    const to = endOf(words, tokens, at);
    return to === undefined ? [] : [{ role, from: at, to }];
  });
}

/** Where the words of an entry end that begins at `from`; each gap ends at the first word that fits. */
function endOf(
  words: readonly EntryWord[],
  tokens: readonly LexiconWord[],
  from: number,
): number | undefined {
  let at = from;
  for (const word of words) {
    const last = at + (word.isApart ? GAP_MAX : 0);
    while (at < last && tokens[at] !== undefined && !fits(tokens[at]!, word)) at++;
    if (tokens[at] === undefined || !fits(tokens[at]!, word)) return undefined;
    at++;
  }
  return at;
}
