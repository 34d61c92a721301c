/**
 * The story of one search: the query goes to every leg of the engine that is configured, the legs' rankings become one,
 * near-duplicates become one passage, and the best are looked at once more. What a reader may not read is filtered
 * inside each leg, and here again before anything else sees it.
 */
import type { Passage } from "../domain/passage.js";
import { type Access, userOf } from "../domain/user.js";
import type { Clock } from "../lib/clock.js";
import { DeadlineExceeded, withDeadline } from "../lib/deadline.js";
import type { Telemetry } from "../telemetry/events.js";
import { mayRead } from "./access.js";
import { embeddedText } from "./embedding/embedded-text.js";
import type { EmbeddingOptions } from "./embedding/options.js";
import { type Embedder, EmbeddingUnavailable } from "./embedding/port.js";
import { QueryEmbeddings } from "./embedding/query-embeddings.js";
import type { Engine, LegName } from "./engine.js";
import { fuseByRanks, fuseByScores } from "./fusion.js";
import { collapseNearDuplicates } from "./near-duplicates.js";
import type { RetrievalOptions } from "./options.js";
import {
  type DocumentOutline,
  type OutlineLimits,
  type Retrieval,
  type SearchRequest,
  SearchUnavailable,
} from "./port.js";
import { type Reranker, RerankerUnavailable } from "./rerank/port.js";

export interface KnowledgeRetrievalDeps {
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly engine: Engine;
  /** The ways of ranking that are asked, each of which the engine has. */
  readonly legs: readonly LegName[];
  /** Needed for the leg `vector`, and for nothing else. */
  readonly embedding?: { readonly embedder: Embedder } & Pick<EmbeddingOptions, "queryTimeoutMs">;
  readonly reranker?: Reranker;
  readonly options: Pick<
    RetrievalOptions,
    "fusion" | "fusionConstant" | "fusionCandidates" | "fusionResults" | "searchTimeoutMs"
  >;
}

/** Each leg brings so many candidates per passage that is wanted, or more: near-duplicates will fall together. */
const CANDIDATES_PER_RESULT = 2;

/** Of several legs, each may take this share of the time for the whole search: a late one must not lose the others. */
const LEG_TIME_SHARE = 0.75;

export class KnowledgeRetrieval implements Retrieval {
  readonly #queries: QueryEmbeddings | undefined;

  /** Throws when a leg is asked for that the engine does not have, or that needs an embedder. */
  constructor(private readonly deps: KnowledgeRetrievalDeps) {
    const { clock, embedding, engine, legs, telemetry } = deps;
    const missing = legs.filter((leg) => !engine.legs.includes(leg));
    if (legs.length === 0 || missing.length > 0)
      throw new Error(
        `This engine ranks by ${engine.legs.join(", ")}, not by ${missing.join(", ") || "nothing"}. Set retrieval.legs to what it has.`,
      );
    if (legs.includes("vector") && embedding === undefined)
      throw new Error("The leg vector needs an embedder. Set embedding.provider, or leave vector out.");
    this.#queries =
      embedding && new QueryEmbeddings(clock, embedding.embedder, embedding.queryTimeoutMs, telemetry);
  }

  /** Measured here and not where it is awaited: a search that was begun ahead is awaited for a part of its time. */
  async search(request: SearchRequest, signal: AbortSignal): Promise<readonly Passage[]> {
    const { clock, telemetry } = this.deps;
    const startMs = clock.monotonic();
    const finished = () => {
      const ms = clock.monotonic() - startMs;
      telemetry.emit({ type: "search_finished", user: userOf(request.access), ms });
    };
    try {
      const found = await this.#search(request, signal);
      finished();
      return found;
    } catch (error) {
      // A search that nobody wants any more says nothing about how long one takes.
      if (!signal.aborted || signal.reason instanceof DeadlineExceeded) finished();
      throw error;
    }
  }

  async #search(request: SearchRequest, signal: AbortSignal): Promise<readonly Passage[]> {
    const { options, reranker } = this.deps;
    const rankings = await this.#askLegs(request, signal);
    const candidates = inOneOrder(rankings, options, this.deps.embedding?.embedder.weight);
    const wanted = reranker === undefined ? request.limit : Math.max(options.fusionResults, request.limit);
    const best = collapseNearDuplicates(candidates, wanted);
    return (await this.#rerank(best, request, signal)).slice(0, request.limit);
  }

  readable(
    documentIds: readonly string[],
    access: Access,
    signal: AbortSignal,
  ): Promise<ReadonlySet<string>> {
    return this.deps.engine.readable(documentIds, access, signal);
  }

  async outline(
    access: Access,
    limits: OutlineLimits,
    signal: AbortSignal,
  ): Promise<readonly DocumentOutline[]> {
    const outlines = await this.deps.engine.outline(access, limits, signal);
    return outlines.filter((outline) => mayRead(access, outline.access));
  }

  async contents(
    documentId: string,
    access: Access,
    passagesMax: number,
    signal: AbortSignal,
  ): Promise<readonly Passage[]> {
    const passages = await this.deps.engine.contents(documentId, access, passagesMax, signal);
    return passages.filter((passage) => mayRead(access, passage.access));
  }

  revision(network: string, signal: AbortSignal): Promise<string> {
    return this.deps.engine.revision(network, signal);
  }

  ready(signal: AbortSignal): Promise<void> {
    return this.deps.engine.ready(signal);
  }

  close(): Promise<void> {
    return this.deps.engine.close();
  }

  /** What each leg that answered has found. Rejects with `SearchUnavailable` when none did. */
  async #askLegs(request: SearchRequest, signal: AbortSignal): Promise<readonly Ranking[]> {
    // Nothing has no direction to be near to.
    const legs = this.deps.legs.filter((leg) => leg !== "vector" || request.query.trim() !== "");
    const failures: Error[] = [];
    const rankings = await Promise.all(
      legs.map((leg) =>
        this.#ranking(leg, request, signal).catch((error: unknown) => {
          signal.throwIfAborted();
          if (!isOutage(error)) throw error;
          failures.push(error);
          this.#tell(leg, error, request.access);
          return undefined;
        }),
      ),
    );
    if (legs.length > 0 && failures.length === legs.length) throw unavailable(failures);
    return rankings.filter((ranking) => ranking !== undefined);
  }

  async #ranking(leg: LegName, request: SearchRequest, signal: AbortSignal): Promise<Ranking> {
    return { leg, passages: await this.#askWithinItsTime(leg, request, signal) };
  }

  /** A leg that is alone has all the time that the caller gives. */
  #askWithinItsTime(leg: LegName, request: SearchRequest, signal: AbortSignal): Promise<readonly Passage[]> {
    const { clock, legs, options } = this.deps;
    if (legs.length === 1) return this.#ask(leg, request, signal);
    const limitMs = options.searchTimeoutMs * LEG_TIME_SHARE;
    return withDeadline(clock, `the leg ${leg}`, limitMs, signal, (within) =>
      this.#ask(leg, request, within),
    );
  }

  async #ask(
    leg: LegName,
    { query, access, limit: wanted }: SearchRequest,
    signal: AbortSignal,
  ): Promise<readonly Passage[]> {
    const { embedding, engine, legs, options } = this.deps;
    const enough = Math.max(options.fusionResults, wanted) * CANDIDATES_PER_RESULT;
    const limit = legs.length === 1 ? enough : Math.max(options.fusionCandidates, enough);
    const vector = leg === "vector" ? { vector: await this.#queries!.vectorOf(query, signal) } : {};
    const passages = await engine.search({ leg, query, access, limit, ...vector }, signal);
    const scoreMin = (leg === "vector" && embedding?.embedder.cosineMin) || Number.NEGATIVE_INFINITY;
    return passages.filter((passage) => passage.score >= scoreMin && mayRead(access, passage.access));
  }

  /** In the reranker's order; in the order from before when there is no reranker, or when it fails. */
  async #rerank(
    passages: readonly Passage[],
    { query, access }: SearchRequest,
    signal: AbortSignal,
  ): Promise<readonly Passage[]> {
    const { clock, reranker, telemetry } = this.deps;
    if (reranker === undefined || passages.length < 2) return passages;
    const startMs = clock.monotonic();
    const texts = passages.map(({ title, headings, text }) => embeddedText(title, headings, text));
    try {
      const scores = await reranker.score(query, texts, signal);
      const ms = clock.monotonic() - startMs;
      telemetry.emit({ type: "stage_finished", user: userOf(access), stage: "rerank", ms });
      return passages
        .map((passage, i) => ({ ...passage, score: scores[i]! }))
        .sort((a, b) => b.score - a.score);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RerankerUnavailable)) throw error;
      telemetry.emit({ type: "rerank_failed", user: userOf(access), error: error.message });
      return passages;
    }
  }

  #tell(leg: LegName, error: Error, access: Access): void {
    this.deps.telemetry.emit({ type: "leg_failed", user: userOf(access), leg, error: error.message });
  }
}

interface Ranking {
  readonly leg: LegName;
  readonly passages: readonly Passage[];
}

/** A single ranking stands as it is; several are fused, and their scores are those of the fusion. */
function inOneOrder(
  asked: readonly Ranking[],
  { fusion, fusionConstant }: Pick<RetrievalOptions, "fusion" | "fusionConstant">,
  vectorWeight = 1,
): readonly Passage[] {
  const rankings = asked.map(({ passages }) => passages);
  if (rankings.length === 1) return rankings[0]!;
  const byVectors = asked.find(({ leg }) => leg === "vector")?.passages;
  const weightOf = (ranking: readonly Passage[]) => (ranking === byVectors ? vectorWeight : 1);
  const sentences = new Map<string, readonly string[]>();
  for (const { chunkId, highlights } of rankings.flat()) {
    if (!sentences.has(chunkId) && highlights.length > 0) sentences.set(chunkId, highlights);
  }
  const idOf = ({ chunkId }: Passage) => chunkId;
  const fused =
    fusion === "ranks"
      ? fuseByRanks(rankings, idOf, fusionConstant)
      : fuseByScores(rankings, idOf, ({ score }) => score, weightOf);
  return fused.map(({ item, score }) => ({
    ...item,
    score,
    // Not every leg knows which sentences matched.
    highlights: item.highlights.length > 0 ? item.highlights : (sentences.get(item.chunkId) ?? []),
  }));
}

/** What a leg may fail with while another answers; anything else is a fault of ours. */
function isOutage(error: unknown): error is Error {
  return (
    error instanceof SearchUnavailable ||
    error instanceof EmbeddingUnavailable ||
    error instanceof DeadlineExceeded
  );
}

function unavailable(failures: readonly Error[]): SearchUnavailable {
  const [first] = failures;
  if (failures.length === 1 && first instanceof SearchUnavailable) return first;
  const messages = failures.map(({ message }) => message).join("; ");
  return new SearchUnavailable(messages, { cause: first });
}
