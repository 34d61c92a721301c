/** A folder of documents and what is ingested from it, in memory, for tests of the pipeline around the engine. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { KnowledgeDocument, KnowledgeWriter } from "../../src/retrieval/writer.js";

export class DocumentsFolder {
  readonly base = realpathSync(mkdtempSync(join(tmpdir(), "readback-")));
  readonly docs = join(this.base, "docs");

  /** Gone when the test is over. */
  constructor() {
    mkdirSync(this.docs);
    onTestFinished(() => rmSync(this.base, { recursive: true, force: true }));
  }

  path(name: string): string {
    return join(this.docs, name);
  }

  write(files: Readonly<Record<string, string | Uint8Array>>): void {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(this.path(name)), { recursive: true });
      writeFileSync(this.path(name), content);
    }
  }
}

/** The knowledge of one network as a map: what was committed, by document id. */
export class MemoryKnowledge {
  readonly committed = new Map<string, KnowledgeDocument>();
  /** Documents put, committed or not, by their names. */
  readonly put: string[] = [];

  readonly openWriter = async (): Promise<KnowledgeWriter> => {
    const next = new Map(this.committed);
    return {
      documents: async () => [...this.committed.values()],
      put: async (document) => {
        this.put.push(document.sourceFile);
        next.set(document.documentId, document);
      },
      remove: async (documentId) => void next.delete(documentId),
      commit: async () => {
        this.committed.clear();
        for (const [id, document] of next) this.committed.set(id, document);
        return { documents: next.size, chunks: 0, nearDuplicateChunks: 0 };
      },
      close: async () => {},
    };
  };

  /** By name. */
  get documents(): Readonly<Record<string, KnowledgeDocument>> {
    return Object.fromEntries(
      [...this.committed.values()].map((document) => [document.sourceFile, document]),
    );
  }
}
