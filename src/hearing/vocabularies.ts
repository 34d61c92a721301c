/**
 * The vocabulary of the documents that a user may read. It is read once for each state of the index and each set of
 * readable documents, apart from the turns that ask for it: a turn waits for it for a moment at the most.
 */
import { createHash } from "node:crypto";
import type { Access } from "../domain/user.js";
import { isInjection, withoutInjections } from "../grounding/injection.js";
import type { Clock } from "../lib/clock.js";
import { abortable, withDeadline } from "../lib/deadline.js";
import { ExpiringCache } from "../lib/expiring-cache.js";
import { pause } from "../lib/pause.js";
import { Slots } from "../lib/slots.js";
import type { DocumentOutline, OutlineLimits, Retrieval } from "../retrieval/port.js";
import type { Telemetry } from "../telemetry/events.js";
import { type Vocabulary, VocabularyReader } from "./vocabulary.js";

export interface VocabulariesDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly retrieval: Pick<Retrieval, "outline" | "contents" | "revision">;
}

/** Somebody is waiting to be understood. */
const LOOK_UP_MS_MAX = 1_000;
/** Nobody waits for the reading itself. */
const READ_MS_MAX = 60_000;
/** Documents that are read, the latest first, and passages of each. */
const LIMITS: OutlineLimits = { documentsMax: 100, headingsMax: 0 };
const PASSAGES_MAX = 60;
/** UTF-16 units that are read for one vocabulary. */
const CHARS_MAX = 1_000_000;
/** Sets of readable documents that are remembered, and for how long. */
const KEPT = { entriesMax: 32, ageMsMax: 3_600_000 };
/** One is read at a time; so many wait. */
const WAITING_MAX = 32;

export const NO_WORDS: Vocabulary = new VocabularyReader().vocabulary();

interface Kept {
  readonly revision: string;
  readonly vocabulary: Vocabulary;
}

export class Vocabularies {
  readonly #kept: ExpiringCache<Kept>;
  readonly #reading = new Map<string, Promise<Vocabulary>>();
  readonly #slots = new Slots(1, WAITING_MAX);

  constructor(private readonly deps: VocabulariesDeps) {
    this.#kept = new ExpiringCache(deps.clock, KEPT);
  }

  /**
   * The words of the documents that `access` may read at this moment. Where they are not read in time it is the words of
   * the same documents as they were, or none. Never rejects.
   */
  async of(access: Access, signal: AbortSignal): Promise<Vocabulary> {
    const { clock, retrieval } = this.deps;
    let before: Vocabulary = NO_WORDS;
    try {
      return await withDeadline(
        clock,
        "the words of the documents",
        LOOK_UP_MS_MAX,
        signal,
        async (within) => {
          const [outlines, revision] = await Promise.all([
            retrieval.outline(access, LIMITS, within),
            retrieval.revision(access.network, within),
          ]);
          const key = keyOf(access.network, outlines);
          const kept = this.#kept.get(key);
          if (kept?.revision === revision) return kept.vocabulary;
          before = kept?.vocabulary ?? before;
          return abortable(this.#read(key, revision, outlines, access), within);
        },
      );
    } catch (error) {
      if (!signal.aborted) this.#tell(access, error);
      return before;
    }
  }

  /** All who ask for the same share one reading. */
  #read(
    key: string,
    revision: string,
    outlines: readonly DocumentOutline[],
    access: Access,
  ): Promise<Vocabulary> {
    const name = `${key}\n${revision}`;
    const known = this.#reading.get(name);
    if (known !== undefined) return known;
    const { clock } = this.deps;
    const never = new AbortController().signal;
    const reading = this.#slots
      .run(never, () =>
        withDeadline(clock, "reading the documents' words", READ_MS_MAX, never, (within) =>
          this.#vocabularyOf(outlines, access, within),
        ),
      )
      .then((vocabulary) => {
        this.#kept.set(key, { revision, vocabulary });
        return vocabulary;
      })
      .catch((error: unknown) => {
        // Perhaps nobody waits any more.
        this.#tell(access, error);
        return this.#kept.get(key)?.vocabulary ?? NO_WORDS;
      })
      .finally(() => this.#reading.delete(name));
    this.#reading.set(name, reading);
    return reading;
  }

  async #vocabularyOf(
    outlines: readonly DocumentOutline[],
    access: Access,
    signal: AbortSignal,
  ): Promise<Vocabulary> {
    const reader = new VocabularyReader();
    let chars = 0;
    for (const { documentId, title } of outlines) {
      if (!isInjection(title)) reader.read(title, documentId, "title");
      const passages = await this.deps.retrieval.contents(documentId, access, PASSAGES_MAX, signal);
      for (const { headings, text } of passages) {
        await pause();
        signal.throwIfAborted();
        chars += text.length;
        if (chars > CHARS_MAX) return reader.vocabulary();
        for (const heading of headings.slice(-1))
          if (!isInjection(heading)) reader.read(heading, documentId, "text");
        reader.read(withoutInjections(text), documentId, "text");
      }
    }
    return reader.vocabulary();
  }

  #tell({ network, username }: Access, error: unknown): void {
    const user = { network, username };
    this.deps.telemetry.emit({ type: "search_failed", user, error: String(error) });
  }
}

/** The same documents are the same words, whoever reads them. */
function keyOf(network: string, outlines: readonly DocumentOutline[]): string {
  const ids = outlines.map(({ documentId }) => documentId).sort();
  return createHash("sha256")
    .update(JSON.stringify([network, ids]))
    .digest("hex");
}
