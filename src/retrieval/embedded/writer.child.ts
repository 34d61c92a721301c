/** The process that writes one network's index. */
import { serveProcessCalls } from "../../lib/call-process-child.js";
import type { CommitSummary, KnowledgeDocument, KnowledgeWriter, StoredDocument } from "../writer.js";
import { openEmbeddedWriter } from "./embedded-writer.js";

export type WriterCalls = {
  /** Comes before every other call, once. */
  open: { input: { directory: string; network: string }; output: undefined };
  documents: { input: undefined; output: readonly StoredDocument[] };
  put: { input: KnowledgeDocument; output: undefined };
  remove: { input: string; output: undefined };
  commit: { input: string | undefined; output: CommitSummary };
};

let writer: KnowledgeWriter | undefined;

function opened(): KnowledgeWriter {
  if (writer === undefined) throw new Error("the writer is not open");
  return writer;
}

serveProcessCalls<WriterCalls>(
  {
    open: async ({ directory, network }) => {
      writer = await openEmbeddedWriter(directory, network);
    },
    documents: () => opened().documents(),
    put: (document) => opened().put(document),
    remove: (documentId) => opened().remove(documentId),
    commit: (source) => opened().commit(source),
  },
  () => writer?.close(),
);
