/**
 * Runs the searches of a turn, with their deadline, and tells what came of them; and reads a document as a whole, for the
 * caller that reads one of its procedures out: a search brings a few of its passages only.
 */
import type { AskRequest } from "../capability/capability.js";
import type { Passage } from "../domain/passage.js";
import { type Access, userOf } from "../domain/user.js";
import type { ReadDocument } from "../extractive/procedure.js";
import { trusted } from "../grounding/injection.js";
import type { Clock } from "../lib/clock.js";
import { cutToChars } from "../lib/cut.js";
import { orElse, withDeadline } from "../lib/deadline.js";
import { pause } from "../lib/pause.js";
import { type Retrieval, SearchUnavailable } from "../retrieval/port.js";
import { queryTerms } from "../retrieval/query-terms.js";

/** Who asks, and who is told what the searches do. */
export type Asker = Pick<AskRequest, "access" | "telemetry">;

export interface SearchDeps {
  readonly clock: Clock;
  readonly retrieval: Retrieval;
  readonly resultsMax: number;
  /** Below this probability that the answer was found, it is searched for once more; absent or 0: never. */
  readonly retryBelow?: number;
  readonly searchTimeoutMs: number;
}

/** Characters of a passage that are worked on, and of its title and of each of its headings. */
export const PASSAGE_CHARS_MAX = 16_000;
export const LABEL_CHARS_MAX = 500;

/** What one query found; `unavailable` is not "nothing found". */
export type SearchResult =
  | {
      readonly type: "found";
      readonly query: string;
      readonly passages: readonly Passage[];
      /** How likely these hold what the query asks for, 0–1, where that was worked out already. */
      readonly fit?: number;
      /** Passages that were longer than is worked on, and what they had in characters; absent: none. */
      readonly cut?: { readonly pieces: number; readonly characters: number };
    }
  | { readonly type: "unavailable"; readonly query: string; readonly error: string };

/** A search that was begun before its query was known: its result if it fits, else nothing. */
export interface SearchedAhead {
  take(query: string, access: Access): Promise<SearchResult | undefined>;
}

/**
 * Runs all queries at once, each under the deadline, but for those that were searched ahead. Rejects only with the
 * signal's reason.
 */
export async function searchAll(
  queries: readonly string[],
  { access, telemetry }: Asker,
  deps: SearchDeps,
  signal: AbortSignal,
  ahead?: SearchedAhead,
): Promise<readonly SearchResult[]> {
  const user = userOf(access);
  const startMs = deps.clock.monotonic();
  const found = await Promise.all(
    queries.map(
      async (query) => (await ahead?.take(query, access)) ?? searchOne(query, access, deps, signal),
    ),
  );
  for (const one of found)
    if (one.type === "unavailable") telemetry.emit({ type: "search_failed", user, error: one.error });
    else if (one.cut !== undefined)
      telemetry.emit({ type: "text_cut", user, what: "passage", ...one.cut, limit: PASSAGE_CHARS_MAX });
  telemetry.emit({ type: "stage_finished", user, stage: "search", ms: deps.clock.monotonic() - startMs });
  const passages = allPassages(found);
  const documentIds = [...new Set(passages.map(({ documentId }) => documentId))];
  const characters = charactersOf(passages);
  telemetry.emit({ type: "passages_retrieved", user, queries, documentIds, characters });
  return found;
}

/** What is worked on of a passage: itself where it is no longer. */
function withinLength(passage: Passage): Passage {
  const { headings, text, title } = passage;
  const isShort = [title, ...headings].every(({ length }) => length <= LABEL_CHARS_MAX);
  if (isShort && text.length <= PASSAGE_CHARS_MAX) return passage;
  return {
    ...passage,
    title: cutToChars(title, LABEL_CHARS_MAX),
    headings: headings.map((heading) => cutToChars(heading, LABEL_CHARS_MAX)),
    text: cutToChars(text, PASSAGE_CHARS_MAX),
  };
}

function charactersOf(passages: readonly Passage[]): number {
  return passages.reduce((sum, { text }) => sum + text.length, 0);
}

/** The passages of all searches, each once, in the order of the queries. */
export function allPassages(found: readonly SearchResult[]): readonly Passage[] {
  const all = found.flatMap((one) => (one.type === "found" ? one.passages : []));
  return all.filter(({ chunkId }, i) => all.findIndex((one) => one.chunkId === chunkId) === i);
}

/** Whether the documents could be asked, by all, some or none of the searches. */
export function searchedOf(found: readonly SearchResult[]): "found" | "partly" | "unavailable" {
  const failed = found.filter(({ type }) => type === "unavailable").length;
  if (failed === 0) return "found";
  return failed === found.length ? "unavailable" : "partly";
}

/** What a query looks for, whatever the order and the form of its words. */
export function searchedFor(query: string): string {
  return [...queryTerms(query).keys()].sort().join(" ");
}

/** One query under the deadline. Rejects only with the signal's reason. */
export async function searchOne(
  query: string,
  access: Access,
  { clock, retrieval, resultsMax: limit, searchTimeoutMs }: SearchDeps,
  signal: AbortSignal,
): Promise<SearchResult> {
  const search = async (within: AbortSignal): Promise<SearchResult> => {
    const passages = await retrieval.search({ query, access, limit }, within);
    const kept = passages.map(withinLength);
    const long = passages.filter((passage, i) => kept[i] !== passage);
    const cut = { pieces: long.length, characters: charactersOf(long) };
    return { type: "found", query, passages: kept, ...(long.length === 0 ? {} : { cut }) };
  };
  const found = withDeadline(clock, "the search", searchTimeoutMs, signal, search);
  const failed = ({ message }: Error) => ({ type: "unavailable", query, error: message }) as const;
  return orElse(found, signal, failed, SearchUnavailable);
}

/** Passages of a document that are looked at; of a longer one what was found counts beside these. */
export const DOCUMENT_PASSAGES_MAX = 200;

/** The answer waits for it. */
const READ_MS_MAX = 1_000;

/** Reads as `access` may; what cannot be had in time is no passage at all. Rejects only with the signal's reason. */
export function documentReader(
  access: Access,
  { clock, retrieval }: Pick<SearchDeps, "clock" | "retrieval">,
  signal: AbortSignal,
): ReadDocument {
  return async (documentId) => {
    const contents = withDeadline(clock, "the document", READ_MS_MAX, signal, (within) =>
      retrieval.contents(documentId, access, DOCUMENT_PASSAGES_MAX, within),
    );
    const passages = await orElse(contents, signal, () => [], SearchUnavailable);
    const isAll = passages.length > 0 && passages.length < DOCUMENT_PASSAGES_MAX;
    return { passages: await allTrusted(passages.map(withinLength)), isAll };
  };
}

/** What was found, and what was read beside it. */
export function withPassages(found: readonly Passage[], read: readonly Passage[]): readonly Passage[] {
  const byId = new Map(read.map((passage) => [passage.chunkId, passage]));
  for (const { chunkId } of found) byId.delete(chunkId);
  return [...found, ...byId.values()];
}

/** Passages without what speaks to the assistant, taken one after the other so that others have their turn between. */
export async function allTrusted(passages: readonly Passage[]): Promise<readonly Passage[]> {
  const clean: Passage[] = [];
  for (const passage of passages) {
    await pause();
    clean.push(trusted(passage));
  }
  return clean;
}
