/**
 * A search on the user's own words, begun while the model still writes its query. It is used where the model, or the
 * fallback that does without one, comes to ask for the same thing under the same access; otherwise it was wasted.
 * Both are counted.
 */
import { type Access, userOf } from "../domain/user.js";
import {
  type Asker,
  allTrusted,
  type SearchDeps,
  type SearchedAhead,
  type SearchResult,
  searchedFor,
  searchOne,
} from "./search.js";
import { fitOf } from "./search-again.js";

export class Speculation implements SearchedAhead {
  readonly #stop = new AbortController();
  readonly #found: Promise<SearchResult>;
  #used = false;

  /** Begins the search. `end` must be called when the answer is over. */
  constructor(
    private readonly query: string,
    private readonly asker: Asker,
    private readonly deps: SearchDeps,
    signal: AbortSignal,
  ) {
    this.#found = this.#search(AbortSignal.any([signal, this.#stop.signal]));
    // Nobody may ever ask for it, and then nobody is there to hear that it was stopped.
    void Promise.allSettled([this.#found]);
  }

  /** Whether the answer seems to be there, and what is to be trusted, is found out while the model is waited for. */
  async #search(signal: AbortSignal): Promise<SearchResult> {
    const found = await searchOne(this.query, this.asker.access, this.deps, signal);
    const { retryBelow = 0 } = this.deps;
    if (found.type === "found") await allTrusted(found.passages);
    return retryBelow === 0 || found.type === "unavailable" ? found : { ...found, fit: fitOf([found]) };
  }

  /**
   * What came of the search, if `query` asks for the same thing under the same access; nothing otherwise. That it failed
   * counts too: the same search once more would take as long and fail as well. Rejects with the signal's reason.
   */
  async take(query: string, access: Access): Promise<SearchResult | undefined> {
    if (access !== this.asker.access || searchedFor(query) !== searchedFor(this.query)) return undefined;
    const found = await this.#found;
    this.#used = found.type === "found";
    return { ...found, query };
  }

  /** Stops the search if it still runs, and tells whether it was of use. */
  end(): void {
    this.#stop.abort(new Error("nobody asks for it any more"));
    const { access, telemetry } = this.asker;
    const result = this.#used ? "saved" : "wasted";
    telemetry.emit({ type: "speculation_ended", user: userOf(access), result });
  }
}
