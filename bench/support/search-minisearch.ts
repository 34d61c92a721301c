/** MiniSearch as a contestant: all in memory, filtered by a function. It has stop words and stems of its own choosing. */
import MiniSearch from "minisearch";
import { analyze } from "../../src/lib/english-analyzer.js";
import { mayRead } from "../../src/retrieval/access.js";
import { type CorpusDocument, NETWORK, READER } from "./chunk-corpus.js";
import { type Contestant, chunkId } from "./search-contestant.js";

export function miniSearch(): Contestant {
  const index = new MiniSearch({
    fields: ["title", "text"],
    storeFields: ["text", "access"],
    tokenize: analyze,
    processTerm: (term) => term,
    searchOptions: { boost: { title: 2 }, tokenize: analyze },
  });
  const rows = (document: CorpusDocument) =>
    document.texts.map((text, i) => ({
      id: chunkId(document, i),
      title: document.title,
      text,
      access: document.access,
    }));
  return {
    async add(documents) {
      for (const document of documents) index.addAll(rows(document));
    },
    async replace(document) {
      const [first, ...rest] = rows(document);
      for (const row of [first!, ...rest]) index.replace(row);
    },
    async search(query, limit) {
      const filter = ({ access }: { readonly [field: string]: unknown }) =>
        mayRead(READER, { network: NETWORK, ...(access as CorpusDocument["access"]) });
      return index
        .search(query, { filter })
        .slice(0, limit)
        .map(({ id }) => String(id));
    },
    async close() {},
  };
}
