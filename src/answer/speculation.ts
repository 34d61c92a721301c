/**
 * A search on the user's own words, begun while the model still writes its query. It is used where the model, or the
 * fallback that does without one, comes to ask for the same thing under the same access; otherwise it was wasted.
 * Both are counted.
 */
import type { Access } from "../domain/user.js";
import { Deadline } from "../lib/deadline.js";
import { accessFingerprint } from "../retrieval/access.js";
import { queryTerms } from "../retrieval/query-terms.js";
import { type SearchDeps, type SearchedAhead, type SearchResult, searchOne } from "./search.js";

/** It is stopped by then in any case: a model that takes longer has its own deadline. */
const SPECULATION_MS_MAX = 20_000;

export class Speculation implements SearchedAhead {
  readonly #deadline: Deadline;
  readonly #fingerprint: string;
  readonly #terms: string;
  readonly #found: Promise<SearchResult>;
  #used = false;

  /** Begins the search. `end` must be called when the answer is over. */
  constructor(
    query: string,
    private readonly access: Access,
    private readonly deps: SearchDeps,
    signal: AbortSignal,
  ) {
    this.#deadline = new Deadline(deps.clock, "the search ahead", SPECULATION_MS_MAX, signal);
    this.#fingerprint = accessFingerprint(access);
    this.#terms = termsOf(query);
    this.#found = searchOne(query, access, deps, this.#deadline.signal);
    // Nobody may ever ask for it, and then nobody is there to hear that it was stopped.
    void Promise.allSettled([this.#found]);
  }

  /**
   * What came of the search, if `query` asks for the same thing and `access` reads the same documents; nothing
   * otherwise. That it failed counts too: the same search once more would take as long and fail as well. Rejects with
   * the signal's reason.
   */
  async take(query: string, access: Access): Promise<SearchResult | undefined> {
    if (accessFingerprint(access) !== this.#fingerprint || termsOf(query) !== this.#terms) return undefined;
    const found = await this.#found;
    this.#used = found.type === "found";
    return { ...found, query };
  }

  /** Stops the search if it still runs, and tells whether it was of use. */
  end(): void {
    this.#deadline.end(new Error("nobody asks for it any more"));
    const { network, username } = this.access;
    const result = this.#used ? "saved" : "wasted";
    this.deps.telemetry.emit({ type: "speculation_ended", user: { network, username }, result });
  }
}

/** What a query looks for, whatever the order and the form of its words. */
function termsOf(query: string): string {
  return [...queryTerms(query).keys()].sort().join(" ");
}
