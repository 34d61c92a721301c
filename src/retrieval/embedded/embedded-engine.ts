/**
 * The knowledge engine that needs no server: an inverted index and vectors in one SQLite file per network (see
 * database.ts), searched in processes of their own (see engine-pool.ts). `lexical` is BM25 with English analysis,
 * computed over what the asker may read (see rank.ts); `vector` brings the nearest embeddings that the asker may read
 * (see vector-index.ts).
 */
import type { Passage } from "../../domain/passage.js";
import type { Access } from "../../domain/user.js";
import type { Clock } from "../../lib/clock.js";
import type { Telemetry } from "../../telemetry/events.js";
import { mayRead } from "../access.js";
import type { Engine, LegName, LegRequest } from "../engine.js";
import type { DocumentDetail, DocumentSummary, InspectedChunk, Inspector } from "../inspector.js";
import type { RetrievalOptions } from "../options.js";
import type { DocumentOutline, OutlineLimits } from "../port.js";
import { EnginePool } from "./engine-pool.js";

export interface EmbeddedEngineDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  /** The folder of the databases, see `knowledgeDirectory`; it need not exist yet. */
  readonly directory: string;
  readonly options: Pick<RetrievalOptions, "searchQueueLengthMax" | "searchProcesses">;
}

export class EmbeddedEngine implements Engine, Inspector {
  readonly legs: readonly LegName[] = ["lexical", "vector"];
  readonly #pool: EnginePool;

  constructor(deps: EmbeddedEngineDeps) {
    this.#pool = new EnginePool(deps);
  }

  async search(request: LegRequest, signal: AbortSignal): Promise<readonly Passage[]> {
    const passages = await this.#pool.call("search", request.access.network, forProcess(request), signal);
    return passages.filter((passage) => mayRead(request.access, passage.access));
  }

  async readable(
    documentIds: readonly string[],
    access: Access,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    const input = { documentIds, access: onlyAccess(access) };
    return new Set(await this.#pool.call("readable", access.network, input, signal));
  }

  async outline(
    access: Access,
    { documentsMax, headingsMax }: OutlineLimits,
    signal: AbortSignal,
  ): Promise<readonly DocumentOutline[]> {
    const limits = { documentsMax, headingsMax };
    const outlines = await this.#pool.call(
      "outline",
      access.network,
      { access: onlyAccess(access), limits },
      signal,
    );
    return outlines.filter((outline) => mayRead(access, outline.access));
  }

  async contents(
    documentId: string,
    access: Access,
    passagesMax: number,
    signal: AbortSignal,
  ): Promise<readonly Passage[]> {
    const input = { documentId, access: onlyAccess(access), passagesMax };
    const passages = await this.#pool.call("contents", access.network, input, signal);
    return passages.filter((passage) => mayRead(access, passage.access));
  }

  revision(network: string, signal: AbortSignal): Promise<string> {
    return this.#pool.call("revision", network, { network }, signal);
  }

  ready(signal: AbortSignal): Promise<void> {
    return this.#pool.ready(signal);
  }

  documents(network: string, signal: AbortSignal): Promise<readonly DocumentSummary[]> {
    return this.#pool.call("documents", network, { network }, signal);
  }

  document(network: string, documentId: string, signal: AbortSignal): Promise<DocumentDetail | undefined> {
    return this.#pool.call("document", network, { network, documentId }, signal);
  }

  explain(request: LegRequest, signal: AbortSignal): Promise<readonly InspectedChunk[]> {
    return this.#pool.call("explain", request.access.network, forProcess(request), signal);
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** What the processes need of a request, which may come as part of a larger object. */
function forProcess({ leg, query, vector, access, limit }: LegRequest): LegRequest {
  return { leg, query, access: onlyAccess(access), limit, ...(vector === undefined ? {} : { vector }) };
}

function onlyAccess({ network, username, groups, kiosk }: Access): Access {
  return { network, username, groups, kiosk };
}
