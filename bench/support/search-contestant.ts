/** What every search engine of the benchmark does; retrieval.child.ts runs one in a process of its own. */
import type { CorpusDocument } from "./chunk-corpus.js";

export interface Contestant {
  /** Adds documents that are not there, all of them visible at once. */
  add(documents: Iterable<CorpusDocument>): Promise<void>;
  /** Puts a document in place of the one with its id. */
  replace(document: CorpusDocument): Promise<void>;
  /** The ids of the best chunks that `READER` may read, whose texts have been loaded. */
  search(query: string, limit: number): Promise<string[]>;
  close(): Promise<void>;
}

export function chunkId({ documentId }: CorpusDocument, position: number): string {
  return `${documentId}#${position}`;
}
