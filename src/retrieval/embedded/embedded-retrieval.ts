/**
 * The knowledge engine that needs no server: an inverted index in one SQLite file per network (see database.ts),
 * BM25 with English analysis, computed over what the asker may read (see rank.ts), in a thread of its own.
 */
import type { Passage } from "../../domain/passage.js";
import type { Access } from "../../domain/user.js";
import type { Clock } from "../../lib/clock.js";
import { WorkerClient, WorkerFailure, workerUrl } from "../../lib/worker.js";
import { mayRead } from "../access.js";
import type { RetrievalOptions } from "../options.js";
import { type Retrieval, type SearchRequest, SearchUnavailable } from "../port.js";
import type { SearchCalls, SearchWorkerData } from "./search.worker.js";

export interface EmbeddedRetrievalDeps {
  readonly clock: Clock;
  /** The folder of the databases, see `knowledgeDirectory`; it need not exist yet. */
  readonly directory: string;
  readonly options: Pick<RetrievalOptions, "searchQueueLengthMax">;
}

export class EmbeddedRetrieval implements Retrieval {
  readonly #worker: WorkerClient<SearchCalls>;

  constructor({ clock, directory, options }: EmbeddedRetrievalDeps) {
    this.#worker = new WorkerClient<SearchCalls>({
      url: workerUrl(import.meta.url, "./search.worker.js"),
      name: "search",
      data: { directory } satisfies SearchWorkerData,
      queueLengthMax: options.searchQueueLengthMax,
      clock,
      // No grace: SQLite's native part aborts the process when its thread is ended in the middle of a call.
    });
  }

  async search({ query, access, limit }: SearchRequest, signal: AbortSignal): Promise<readonly Passage[]> {
    const request = { query, access: onlyAccess(access), limit };
    const passages = await this.#call("search", request, signal);
    return passages.filter((passage) => mayRead(access, passage.access));
  }

  async readable(
    documentIds: readonly string[],
    access: Access,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    return new Set(await this.#call("readable", { documentIds, access: onlyAccess(access) }, signal));
  }

  async ready(signal: AbortSignal): Promise<void> {
    await this.#call("ready", undefined, signal);
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

/** An access may come as part of a larger object; the thread gets what it needs. */
function onlyAccess({ network, username, groups, kiosk }: Access): Access {
  return { network, username, groups, kiosk };
}
