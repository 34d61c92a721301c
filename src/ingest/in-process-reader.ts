/** Reads documents in this process. */
import { createHash } from "node:crypto";
import { readDocument } from "./document.js";
import type { IngestOptions } from "./options.js";
import { DocumentProblem } from "./problem.js";
import { formatOf } from "./read/read-file.js";
import type { DocumentReader, ReadJob, ReadResult } from "./reader.js";

export class InProcessReader implements DocumentReader {
  constructor(private readonly options: IngestOptions) {}

  contentHash({ name, bytes, described }: ReadJob): string {
    const { defaultVisibility, chunkTokensTarget } = this.options;
    const settings = [1, name, described ?? null, defaultVisibility, chunkTokensTarget];
    return createHash("sha256").update(JSON.stringify(settings)).update(bytes).digest("hex");
  }

  async read({ path, name, bytes }: ReadJob): Promise<ReadResult> {
    try {
      const markup = formatOf(name) === "markdown" ? "markdown" : "plain";
      const { document, chunks, warnings } = readDocument(path, bytes, markup, this.options);
      return { type: "document", document: { ...document, chunks: chunks() }, warnings };
    } catch (error) {
      if (!(error instanceof DocumentProblem)) throw error;
      return { type: "problem", kind: "invalid", message: error.message };
    }
  }
}
