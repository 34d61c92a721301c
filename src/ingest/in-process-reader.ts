/** Reads documents in this process. */
import { contentHashOf, type DocumentOptions, readDocument } from "./document.js";
import { DocumentProblem } from "./problem.js";
import type { DocumentReader, ReadJob, ReadResult } from "./reader.js";

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
