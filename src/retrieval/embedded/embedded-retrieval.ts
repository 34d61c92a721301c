/** The embedded engine's leg `lexical` on its own, for callers that do not fuse. */
import type { Passage } from "../../domain/passage.js";
import type { Access } from "../../domain/user.js";
import type { Retrieval, SearchRequest } from "../port.js";
import { EmbeddedEngine, type EmbeddedEngineDeps } from "./embedded-engine.js";

export class EmbeddedRetrieval implements Retrieval {
  readonly #engine: EmbeddedEngine;

  constructor(deps: EmbeddedEngineDeps) {
    this.#engine = new EmbeddedEngine(deps);
  }

  search(request: SearchRequest, signal: AbortSignal): Promise<readonly Passage[]> {
    return this.#engine.search({ ...request, leg: "lexical" }, signal);
  }

  readable(
    documentIds: readonly string[],
    access: Access,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    return this.#engine.readable(documentIds, access, signal);
  }

  ready(signal: AbortSignal): Promise<void> {
    return this.#engine.ready(signal);
  }

  close(): Promise<void> {
    return this.#engine.close();
  }
}
