/**
 * The writer of a network's index in a process of its own, for as long as it is open: a damaged file ends that process,
 * and the ingest with an error that says what to do.
 */
import { CallFailed, CallProcess, ProcessEnded } from "../../lib/call-process.js";
import type { Clock } from "../../lib/clock.js";
import { workerUrl } from "../../lib/worker.js";
import {
  type CommitSummary,
  KnowledgeBusy,
  type KnowledgeDocument,
  KnowledgeUnusable,
  type KnowledgeWriter,
  type StoredDocument,
} from "../writer.js";
import { databasePath, unusable } from "./database.js";
import { checkInProcess } from "./index-check.js";
import type { WriterCalls } from "./writer.child.js";

export interface WriterProcessDeps {
  readonly clock: Clock;
  /** The folder of the databases, see `knowledgeDirectory`; it need not exist yet. */
  readonly directory: string;
}

/** As `openEmbeddedWriter`, in another process. Rejects with `KnowledgeBusy` or `KnowledgeUnusable`. */
export async function openWriterProcess(
  { clock, directory }: WriterProcessDeps,
  network: string,
  signal: AbortSignal,
): Promise<KnowledgeWriter> {
  const process = new CallProcess<WriterCalls>({
    url: workerUrl(import.meta.url, "./writer.child.js"),
    name: "writer",
    clock,
  });
  const failure = (error: unknown) => failureOf(error, { clock, directory, network }, signal);
  try {
    await process.call("open", { directory, network });
    return new WriterProcess(process, failure);
  } catch (error) {
    await process.close();
    throw await failure(error);
  }
}

class WriterProcess implements KnowledgeWriter {
  constructor(
    private readonly process: CallProcess<WriterCalls>,
    private readonly failure: (error: unknown) => Promise<unknown>,
  ) {}

  documents(): Promise<readonly StoredDocument[]> {
    return this.#call("documents", undefined);
  }

  put(document: KnowledgeDocument): Promise<void> {
    return this.#call("put", document);
  }

  remove(documentId: string): Promise<void> {
    return this.#call("remove", documentId);
  }

  commit(source?: string): Promise<CommitSummary> {
    return this.#call("commit", source);
  }

  close(): Promise<void> {
    return this.process.close();
  }

  async #call<Name extends keyof WriterCalls>(
    name: Name,
    input: WriterCalls[Name]["input"],
  ): Promise<WriterCalls[Name]["output"]> {
    try {
      return await this.process.call(name, input);
    } catch (error) {
      throw await this.failure(error);
    }
  }
}

/** What the port says of the failure. A process that died says nothing: then the file is checked. */
async function failureOf(
  error: unknown,
  request: WriterProcessDeps & { readonly network: string },
  signal: AbortSignal,
): Promise<unknown> {
  if (error instanceof ProcessEnded) {
    const verdict = await checkInProcess(request, signal);
    const { directory, network } = request;
    const message =
      verdict.type === "damaged"
        ? verdict.message
        : unusable(databasePath(directory, network), network, error);
    return new KnowledgeUnusable(message, { cause: error });
  }
  if (!(error instanceof CallFailed)) return error;
  if (error.errorName === KnowledgeBusy.name) return new KnowledgeBusy(error.message, { cause: error });
  if (error.errorName === KnowledgeUnusable.name)
    return new KnowledgeUnusable(error.message, { cause: error });
  return error;
}
