/** The embedded engine as a contestant: its writer, and its thread through the port. */
import { PROSE } from "../../src/domain/passage.js";
import { systemClock } from "../../src/lib/clock.js";
import { EmbeddedEngine } from "../../src/retrieval/embedded/embedded-engine.js";
import { openEmbeddedWriter } from "../../src/retrieval/embedded/embedded-writer.js";
import type { KnowledgeDocument } from "../../src/retrieval/writer.js";
import { createTelemetry } from "../../src/telemetry/events.js";
import { type CorpusDocument, NETWORK, READER } from "./chunk-corpus.js";
import { type Contestant, chunkId } from "./search-contestant.js";

const NO_ABORT = new AbortController().signal;

export function embedded(directory: string): Contestant {
  const engine = new EmbeddedEngine({
    clock: systemClock,
    telemetry: createTelemetry([]),
    directory,
    options: { searchQueueLengthMax: 256, searchProcesses: 2 },
  });
  const write = async (documents: Iterable<CorpusDocument>) => {
    const writer = await openEmbeddedWriter(directory, NETWORK);
    for (const one of documents) await writer.put(knowledgeDocument(one));
    await writer.commit();
    await writer.close();
  };
  return {
    add: write,
    replace: (document) => write([document]),
    async search(query, limit) {
      const passages = await engine.search({ leg: "lexical", query, access: READER, limit }, NO_ABORT);
      return passages.map((passage) => passage.chunkId);
    },
    close: () => engine.close(),
  };
}

function knowledgeDocument(document: CorpusDocument): KnowledgeDocument {
  const { documentId, title, access, texts } = document;
  return {
    documentId,
    path: documentId,
    sourceFile: documentId,
    contentHash: documentId,
    usesDefaultVisibility: false,
    title,
    access,
    chunks: texts.map((text, i) => ({ chunkId: chunkId(document, i), headings: [], kind: PROSE, text })),
  };
}
