/** The module that a reading process runs; see reader-child.ts. */
import type { DocumentOptions } from "./document.js";
import type { ReadJob } from "./reader.js";
import { readInChild, serveReader } from "./reader-child.js";

/** Parent to child: one job; the next one after its answer. */
export interface ToReader {
  readonly job: ReadJob;
  readonly options: DocumentOptions;
}

serveReader<ToReader>(({ job, options }) => readInChild(job, options));
