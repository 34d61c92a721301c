/** A document as a whole, for whoever reads one of its procedures out: a search brings a few of its passages only. */
import type { Passage } from "../domain/passage.js";
import type { Access } from "../domain/user.js";
import type { ReadDocument } from "../extractive/procedure.js";
import { orElse, withDeadline } from "../lib/deadline.js";
import { SearchUnavailable } from "../retrieval/port.js";
import { allTrusted } from "./all-trusted.js";
import { type SearchDeps, withinLength } from "./search.js";

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
