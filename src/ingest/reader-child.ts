/**
 * The process in which files are read: a file can take time, memory and the process itself, and nothing else is lost.
 * It takes one job at a time from `ReaderProcess` and has nothing of the service's environment. It ends with its parent,
 * even in the middle of a file that never ends.
 */
import { endWithParent } from "../lib/child-life.js";
import { type DocumentOptions, readDocument } from "./document.js";
import { DocumentProblem } from "./problem.js";
import type { ReadJob, ReadResult } from "./reader.js";

/** Child to parent. */
export type FromReader =
  | { readonly type: "ready" }
  | {
      readonly type: "result";
      readonly result: ReadResult;
      /** What the process has in memory after it. */
      readonly residentBytes: number;
    };

/** Answers each message of the parent with what `read` makes of it, until the parent goes away. */
export function serveReader<Message>(read: (message: Message) => Promise<ReadResult>): void {
  const send = (message: FromReader) => process.send?.(message);
  endWithParent();
  process.on("message", async (message: Message) => {
    const result = await read(message);
    send({ type: "result", result, residentBytes: process.memoryUsage.rss() });
  });
  send({ type: "ready" });
}

/** Whatever a reader throws is about its file. */
export async function readInChild(job: ReadJob, options: DocumentOptions): Promise<ReadResult> {
  try {
    return { type: "document", ...(await readDocument(job, options)) };
  } catch (error) {
    if (error instanceof DocumentProblem) return { type: "problem", kind: "invalid", message: error.message };
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    return { type: "problem", kind: "crashed", message: `reading the file failed: ${reason}` };
  }
}
