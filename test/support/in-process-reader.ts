/** Reads documents in this process: for tests of what comes before and behind the reading. */
import { contentHashOf, type DocumentOptions, readDocument } from "../../src/ingest/document.js";
import { DocumentProblem } from "../../src/ingest/problem.js";
import type { DocumentReader, ReadJob, ReadResult } from "../../src/ingest/reader.js";

export class InProcessReader implements DocumentReader {
  constructor(private readonly options: DocumentOptions) {}

  contentHash(job: ReadJob): string {
    return contentHashOf(job, this.options);
  }

  async read(job: ReadJob): Promise<ReadResult> {
    try {
      return { type: "document", ...(await readDocument(job, this.options)) };
    } catch (error) {
      if (!(error instanceof DocumentProblem)) throw error;
      return { type: "problem", kind: "invalid", message: error.message };
    }
  }
}
