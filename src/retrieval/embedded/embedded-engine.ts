/**
 * The knowledge engine that needs no server: an inverted index and vectors in one SQLite file per network (see
 * database.ts), searched in a thread of its own. `lexical` is BM25 with English analysis, computed over what the asker
 * may read (see rank.ts); `vector` brings the nearest embeddings that the asker may read (see vector-index.ts).
 */
import type { Passage } from "../../domain/passage.js";
import type { Access } from "../../domain/user.js";
import type { Clock } from "../../lib/clock.js";
import { WorkerClient, WorkerFailure, workerUrl } from "../../lib/worker.js";
import { mayRead } from "../access.js";
import type { Engine, LegName, LegRequest } from "../engine.js";
import type { Candidate, DocumentDetail, DocumentSummary, Inspector } from "../inspector.js";
import type { RetrievalOptions } from "../options.js";
import { type DocumentOutline, type OutlineLimits, SearchUnavailable } from "../port.js";
import type { SearchCalls, SearchWorkerData } from "./search.worker.js";

export interface EmbeddedEngineDeps {
  readonly clock: Clock;
  /** The folder of the databases, see `knowledgeDirectory`; it need not exist yet. */
  readonly directory: string;
  readonly options: Pick<RetrievalOptions, "searchQueueLengthMax">;
}

export class EmbeddedEngine implements Engine, Inspector {
  readonly legs: readonly LegName[] = ["lexical", "vector"];
  readonly #worker: WorkerClient<SearchCalls>;

  constructor({ clock, directory, options }: EmbeddedEngineDeps) {
    this.#worker = new WorkerClient<SearchCalls>({
      url: workerUrl(import.meta.url, "./search.worker.js"),
      name: "search",
      data: { directory } satisfies SearchWorkerData,
      queueLengthMax: options.searchQueueLengthMax,
      clock,
      // No grace: SQLite's native part aborts the process when its thread is ended in the middle of a call.
    });
  }

  async search(request: LegRequest, signal: AbortSignal): Promise<readonly Passage[]> {
    const passages = await this.#call("search", forThread(request), signal);
    return passages.filter((passage) => mayRead(request.access, passage.access));
  }

  async readable(
    documentIds: readonly string[],
    access: Access,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    return new Set(await this.#call("readable", { documentIds, access: onlyAccess(access) }, signal));
  }

  async outline(
    access: Access,
    { documentsMax, headingsMax }: OutlineLimits,
    signal: AbortSignal,
  ): Promise<readonly DocumentOutline[]> {
    const limits = { documentsMax, headingsMax };
    const outlines = await this.#call("outline", { access: onlyAccess(access), limits }, signal);
    return outlines.filter((outline) => mayRead(access, outline.access));
  }

  async contents(
    documentId: string,
    access: Access,
    passagesMax: number,
    signal: AbortSignal,
  ): Promise<readonly Passage[]> {
    const input = { documentId, access: onlyAccess(access), passagesMax };
    const passages = await this.#call("contents", input, signal);
    return passages.filter((passage) => mayRead(access, passage.access));
  }

  revision(network: string, signal: AbortSignal): Promise<string> {
    return this.#call("revision", { network }, signal);
  }

  async ready(signal: AbortSignal): Promise<void> {
    await this.#call("ready", undefined, signal);
  }

  documents(network: string, signal: AbortSignal): Promise<readonly DocumentSummary[]> {
    return this.#call("documents", { network }, signal);
  }

  document(network: string, documentId: string, signal: AbortSignal): Promise<DocumentDetail | undefined> {
    return this.#call("document", { network, documentId }, signal);
  }

  explain(request: LegRequest, signal: AbortSignal): Promise<readonly Candidate[]> {
    return this.#call("explain", forThread(request), signal);
  }

  close(): Promise<void> {
    return this.#worker.close();
  }

  async #call<Name extends keyof SearchCalls>(
    name: Name,
    input: SearchCalls[Name]["input"],
    signal: AbortSignal,
  ): Promise<SearchCalls[Name]["output"]> {
    try {
      return await this.#worker.call(name, input, signal);
    } catch (error) {
      if (!(error instanceof WorkerFailure)) throw error;
      throw new SearchUnavailable(error.message, { cause: error });
    }
  }
}

/** What the thread needs of a request, which may come as part of a larger object. */
function forThread({ leg, query, vector, access, limit }: LegRequest): LegRequest {
  return { leg, query, access: onlyAccess(access), limit, ...(vector === undefined ? {} : { vector }) };
}

function onlyAccess({ network, username, groups, kiosk }: Access): Access {
  return { network, username, groups, kiosk };
}
