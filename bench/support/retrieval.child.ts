/** One search engine of the benchmark, in a process of its own, with an eye on its memory. */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { serve } from "./child.js";
import { corpusDocuments, corpusQueries } from "./chunk-corpus.js";
import type { Contestant } from "./search-contestant.js";
import { embedded } from "./search-embedded.js";
import { fts5 } from "./search-fts5.js";
import { miniSearch } from "./search-minisearch.js";

export type Engine = "embedded" | "fts5" | "minisearch";

export type RetrievalCalls = {
  open: { input: { readonly engine: Engine; readonly directory: string }; output: undefined };
  /** Milliseconds that adding so many chunks took. */
  build: { input: { readonly chunkCount: number }; output: number };
  /** Milliseconds of every query's search, run so many times through all queries. */
  search: { input: { readonly limit: number; readonly rounds: number }; output: Float64Array };
  /** Milliseconds of replacing one document, and of the search after it, so many times over. */
  update: {
    input: { readonly times: number; readonly chunkCount: number };
    output: { readonly replaceMs: Float64Array; readonly searchMs: Float64Array };
  };
  residentBytes: { input: undefined; output: number };
  diskBytes: { input: { readonly directory: string }; output: number };
  close: { input: undefined; output: undefined };
};

let contestant: Contestant | undefined;

const CONTESTANTS: Readonly<Record<Engine, (directory: string) => Contestant | Promise<Contestant>>> = {
  embedded,
  fts5,
  minisearch: miniSearch,
};

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

serve<RetrievalCalls>({
  open: async ({ engine, directory }) => {
    contestant = await CONTESTANTS[engine](directory);
    return undefined;
  },
  build: ({ chunkCount }) => timed(() => contestant!.add(corpusDocuments(chunkCount))),
  search: async ({ limit, rounds }) => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      for (const query of corpusQueries()) times.push(await timed(() => contestant!.search(query, limit)));
    }
    return Float64Array.from(times);
  },
  update: async ({ times, chunkCount }) => {
    const replaceMs: number[] = [];
    const searchMs: number[] = [];
    const documents = [...corpusDocuments(Math.min(chunkCount, 10_000))];
    for (let i = 0; i < times; i++) {
      // A document somewhere in the index gets the texts of its neighbour.
      const [one, other] = [
        documents[(i * 7) % documents.length]!,
        documents[(i * 7 + 1) % documents.length]!,
      ];
      replaceMs.push(await timed(() => contestant!.replace({ ...one, texts: other.texts })));
      searchMs.push(await timed(() => contestant!.search("the first of the rules", 1)));
    }
    return { replaceMs: Float64Array.from(replaceMs), searchMs: Float64Array.from(searchMs) };
  },
  residentBytes: () => {
    globalThis.gc?.();
    return process.memoryUsage().rss;
  },
  diskBytes: ({ directory }) =>
    readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0),
  close: async () => {
    await contestant?.close();
    return undefined;
  },
});
