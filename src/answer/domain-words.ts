/**
 * Words that help a speech recogniser: what the documents that a user may read are called, and what their headings speak
 * of. Titles come whole, since names of several words are heard as one; behind them the words of headings.
 */
import type { Access } from "../domain/user.js";
import { termsOf } from "../extractive/terms.js";
import { isInjection } from "../grounding/injection.js";
import type { Clock } from "../lib/clock.js";
import { cutToChars } from "../lib/cut.js";
import { withDeadline } from "../lib/deadline.js";
import { ExpiringCache } from "../lib/expiring-cache.js";
import { pause } from "../lib/pause.js";
import { accessFingerprint } from "../retrieval/access.js";
import type { DocumentOutline, OutlineLimits, Retrieval } from "../retrieval/port.js";
import type { Telemetry } from "../telemetry/events.js";
import { LABEL_CHARS_MAX } from "./search.js";

/** What a recogniser may be told: titles and words of headings, the words only, or nothing. */
export type HintScope = "titles_and_terms" | "terms" | "none";

export interface DomainWordsDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly told: HintScope;
  readonly retrieval: Pick<Retrieval, "outline" | "readable" | "revision">;
}

/** What is told, and whose it is. */
export interface DomainWord {
  readonly text: string;
  readonly documentId: string;
}

/** Words of all that is told together: prompts of recognisers hold few more. */
export const DOMAIN_WORDS_MAX = 60;

/** Of these, words of titles: the rest is left to headings. */
const TITLE_WORDS_MAX = 40;

/** Characters of a word of a heading at the least: shorter ones are heard well enough. */
const WORD_CHARS_MIN = 4;

/** Somebody is waiting to be understood. */
const LOOK_UP_MS_MAX = 1_000;

const LIMITS: OutlineLimits = { documentsMax: 40, headingsMax: 12 };
const KEPT: { readonly entriesMax: number; readonly ageMsMax: number } = {
  entriesMax: 1_000,
  ageMsMax: 3_600_000,
};

interface CachedWords {
  readonly words: readonly DomainWord[];
  readonly documentIds: readonly string[];
}

export class DomainWords {
  readonly #kept: ExpiringCache<CachedWords>;

  constructor(private readonly deps: DomainWordsDeps) {
    this.#kept = new ExpiringCache(deps.clock, KEPT);
  }

  /** The most important first; none where they cannot be had in time. Never rejects. */
  async of(access: Access, signal: AbortSignal): Promise<readonly DomainWord[]> {
    const { clock, telemetry, told } = this.deps;
    if (told === "none") return [];
    try {
      return await withDeadline(clock, "the words of the documents", LOOK_UP_MS_MAX, signal, (within) =>
        this.#lookUp(access, within),
      );
    } catch (error) {
      const { network, username } = access;
      const user = { network, username };
      if (!signal.aborted) telemetry.emit({ type: "search_failed", user, error: String(error) });
      return [];
    }
  }

  async #lookUp(access: Access, signal: AbortSignal): Promise<readonly DomainWord[]> {
    const { retrieval, told } = this.deps;
    const key = `${accessFingerprint(access)}\n${await retrieval.revision(access.network, signal)}`;
    const known = this.#kept.get(key);
    if (known !== undefined) {
      const readable = await retrieval.readable(known.documentIds, access, signal);
      if (known.documentIds.every((id) => readable.has(id))) return known.words;
    }
    const outlines = await retrieval.outline(access, LIMITS, signal);
    const words = await domainWordsOf(outlines, told === "titles_and_terms");
    this.#kept.set(key, { words, documentIds: outlines.map(({ documentId }) => documentId) });
    return words;
  }
}

/**
 * Titles where they are wanted, then words of headings that are in no title; each once, `DOMAIN_WORDS_MAX` words in all.
 * Pure.
 */
export async function domainWordsOf(
  outlines: readonly DocumentOutline[],
  withTitles: boolean,
): Promise<readonly DomainWord[]> {
  const chosen: DomainWord[] = [];
  const terms = new Set<string>();
  let count = 0;
  const add = (documentId: string, text: string, countMax: number) => {
    const words = text.split(/\s+/u).length;
    const news = termsOf(text).filter((term) => !terms.has(term));
    if (text === "" || news.length === 0 || count + words > countMax) return;
    chosen.push({ text, documentId });
    count += words;
    for (const term of news) terms.add(term);
  };
  for (const { documentId, title } of withTitles ? outlines : []) {
    await pause();
    const name = cutToChars(title, LABEL_CHARS_MAX);
    if (!isInjection(name)) add(documentId, plain(name), TITLE_WORDS_MAX);
  }
  // The headings of all documents in turn, so that none of them takes all the room.
  for (let at = 0; at < LIMITS.headingsMax; at++) {
    for (const { documentId, headings } of outlines) {
      await pause();
      const heading = cutToChars(headings[at] ?? "", LABEL_CHARS_MAX);
      if (isInjection(heading)) continue;
      for (const word of plain(heading).split(" ")) if (tells(word)) add(documentId, word, DOMAIN_WORDS_MAX);
    }
  }
  return chosen;
}

function plain(text: string): string {
  return text
    .replace(/[^\p{L}\p{M}\p{N}'’.-]+/gu, " ")
    .replace(/(?<=\s|^)[-.'’]+|(?<![-.'’])[-.'’]+(?=\s|$)/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
}

function tells(word: string): boolean {
  return word.length >= WORD_CHARS_MIN || /\p{N}|^\p{Lu}{2,}$/u.test(word);
}
