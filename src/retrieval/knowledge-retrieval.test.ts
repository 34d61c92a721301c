import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { passage } from "../../test/support/fake-retrieval.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import type { Passage } from "../domain/passage.js";
import { abortable } from "../lib/deadline.js";
import { reader } from "./conformance.test-util.js";
import { type Embedder, EmbeddingUnavailable } from "./embedding/port.js";
import { QUERIES_KEPT_MAX, QUERY_CHARS_MAX } from "./embedding/query-embeddings.js";
import type { Engine, LegName, LegRequest } from "./engine.js";
import { KnowledgeRetrieval, type KnowledgeRetrievalDeps } from "./knowledge-retrieval.js";
import { type DocumentOutline, SearchUnavailable } from "./port.js";
import { type Reranker, RerankerUnavailable } from "./rerank/port.js";

const access = reader("plant");
const never = new AbortController().signal;
const OPTIONS = {
  fusion: "ranks" as const,
  fusionConstant: 60,
  fusionCandidates: 40,
  fusionResults: 8,
  searchTimeoutMs: 4_000,
};
const [a, b, c, d] = ["a", "b", "c", "d"].map((id) =>
  passage(id, `Text of ${id}, which nothing else says.`, { highlights: [`Text of ${id}`] }),
) as [Passage, Passage, Passage, Passage];

/** What a leg does when it is asked. */
type Answer = readonly Passage[] | Error | "hang";

/** An engine whose legs answer what a test says; a leg that a test says nothing of is a mistake. */
class ScriptedEngine implements Engine {
  readonly requests: LegRequest[] = [];
  closed = 0;

  constructor(private readonly answers: Partial<Record<LegName, Answer>>) {}

  get legs(): readonly LegName[] {
    return Object.keys(this.answers) as LegName[];
  }

  async search(request: LegRequest, signal: AbortSignal): Promise<readonly Passage[]> {
    this.requests.push(request);
    const answer = this.answers[request.leg]!;
    if (answer === "hang") return abortable(new Promise<never>(() => {}), signal);
    if (answer instanceof Error) throw answer;
    return answer;
  }

  async readable(ids: readonly string[]): Promise<ReadonlySet<string>> {
    return new Set(ids);
  }

  outlines: readonly DocumentOutline[] = [];
  stored: readonly Passage[] = [];

  readonly outline = async () => this.outlines;
  readonly contents = async () => this.stored;
  readonly revision = async (network: string) => `revision of ${network}`;

  async ready(): Promise<void> {
    throw new SearchUnavailable("not ready");
  }

  async close(): Promise<void> {
    this.closed++;
  }
}

class CountingEmbedder implements Embedder {
  readonly name = "test/2";
  readonly dimensions = 2;
  readonly texts: string[] = [];
  outcome: Float32Array | Error | "hang" = Float32Array.of(0.6, 0.8);

  async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    this.texts.push(...texts);
    const { outcome } = this;
    if (outcome === "hang") return abortable(new Promise<never>(() => {}), signal);
    if (outcome instanceof Error) throw outcome;
    return texts.map(() => outcome);
  }
}

let clock: VirtualClock;
let events: RecordedEvents;
let embedder: CountingEmbedder;
let engine: ScriptedEngine;
beforeEach(() => {
  clock = new VirtualClock();
  events = new RecordedEvents();
  embedder = new CountingEmbedder();
});
afterEach(() => expect(clock.pending, "timers left").toBe(0));

function retrievalOf(
  answers: Partial<Record<LegName, Answer>>,
  rest: Partial<KnowledgeRetrievalDeps> = {},
): KnowledgeRetrieval {
  engine = new ScriptedEngine(answers);
  return new KnowledgeRetrieval({
    clock,
    telemetry: events,
    engine,
    legs: engine.legs,
    embedding: { embedder, queryTimeoutMs: 1_500 },
    options: OPTIONS,
    ...rest,
  });
}

const searched = (retrieval: KnowledgeRetrieval, limit = 5, signal = never, query = "how to seal") =>
  retrieval.search({ query, access, limit }, signal);
const ids = (found: readonly Passage[]) => found.map(({ chunkId }) => chunkId);
const down = new SearchUnavailable("the engine is down");

describe("one leg", () => {
  it("stands as it is, in order and scores, cut to the limit", async () => {
    const scored = [
      { ...a, score: 7 },
      { ...b, score: 3 },
      { ...c, score: 3 },
    ];
    const retrieval = retrievalOf({ lexical: scored });
    expect(await searched(retrieval)).toEqual(scored);
    expect(await searched(retrieval, 2)).toEqual(scored.slice(0, 2));
    // Twice what fusion would leave, since near-duplicates may fall together.
    expect(engine.requests[0]).toEqual({ leg: "lexical", query: "how to seal", access, limit: 16 });
    expect(embedder.texts).toEqual([]);
  });

  it("has all the time that the caller gives", async () => {
    const retrieval = retrievalOf({ lexical: "hang" });
    const abort = new AbortController();
    const outcome = searched(retrieval, 5, abort.signal).catch((error: unknown) => error);
    await clock.advance(60_000);
    abort.abort("too late");
    expect(await outcome).toBe("too late");
  });

  it("is unavailable when it fails, for the reason that it gives", async () => {
    await expect(searched(retrievalOf({ lexical: down }))).rejects.toBe(down);
    expect(events.of("leg_failed")).toMatchObject([{ leg: "lexical", error: "the engine is down" }]);
  });
});

describe("several legs", () => {
  it("are asked for the same, and fused by their ranks", async () => {
    const retrieval = retrievalOf({ lexical: [a, b, c], semantic: [b, d], vector: [d, b] });
    const found = await searched(retrieval);
    // b: 1/62 + 1/61 + 1/62, d: 1/62 + 1/61, a: 1/61, c: 1/63.
    expect(ids(found)).toEqual(["b", "d", "a", "c"]);
    expect(found[0]!.score).toBeCloseTo(1 / 62 + 1 / 61 + 1 / 62, 12);
    expect(engine.requests).toEqual([
      { leg: "lexical", query: "how to seal", access, limit: 40 },
      { leg: "semantic", query: "how to seal", access, limit: 40 },
      { leg: "vector", query: "how to seal", access, limit: 40, vector: Float32Array.of(0.6, 0.8) },
    ]);
  });

  it("are fused by their scores where that is set", async () => {
    const scored = (of: Passage, score: number) => ({ ...of, score });
    const legs = {
      lexical: [scored(a, 30), scored(b, 2), scored(c, 1)],
      semantic: [scored(b, 0.51), scored(a, 0.5), scored(c, 0.1)],
    };
    const options = { ...OPTIONS, fusion: "scores" as const };
    expect(ids(await searched(retrievalOf(legs, { options })))).toEqual(["a", "b", "c"]);
    expect(ids(await searched(retrievalOf(legs)))).toEqual(["a", "b", "c"]);
    const [best] = await searched(retrievalOf(legs, { options }));
    expect(best!.score).toBeCloseTo(1 + 0.4 / 0.41, 12);
  });

  it("bring more candidates when more is asked for, and leave at least that", async () => {
    const many = Array.from({ length: 60 }, (_, i) => passage(`p${i}`, `Passage ${i} on subject ${i * 7}.`));
    const retrieval = retrievalOf({ lexical: many, semantic: many });
    expect(await searched(retrieval, 50)).toHaveLength(50);
    expect(engine.requests.map(({ limit }) => limit)).toEqual([100, 100]);
  });

  it("take highlights from the leg that has some", async () => {
    const retrieval = retrievalOf({ vector: [{ ...a, highlights: [] }], lexical: [b, a] });
    const found = await searched(retrieval);
    expect(found.find(({ chunkId }) => chunkId === "a")?.highlights).toEqual(["Text of a"]);
  });

  it("answer without the one that fails, and tell", async () => {
    const retrieval = retrievalOf({ lexical: [a, b], semantic: down });
    expect(await searched(retrieval)).toEqual([a, b]);
    const user = { network: "plant", username: "ann" };
    expect(events.of("leg_failed")).toEqual([
      { type: "leg_failed", user, leg: "semantic", error: "the engine is down" },
    ]);
  });

  it("answer without the one that is late", async () => {
    const outcome = searched(retrievalOf({ lexical: [a], semantic: "hang" }));
    await clock.advance(OPTIONS.searchTimeoutMs - 1);
    expect(await outcome).toEqual([a]);
    expect(events.of("leg_failed")).toMatchObject([
      { leg: "semantic", error: "the leg semantic took longer than 3000 ms" },
    ]);
  });

  it("are unavailable when all of them fail, for all the reasons", async () => {
    embedder.outcome = new EmbeddingUnavailable("the embedding server answers 503");
    const error = await searched(retrievalOf({ lexical: down, vector: [a] })).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(SearchUnavailable);
    expect((error as Error).message).toBe("the engine is down; the embedding server answers 503");
  });

  it("do not hide a fault of ours", async () => {
    const fault = new TypeError("x is not a function");
    await expect(searched(retrievalOf({ lexical: [a], semantic: fault }))).rejects.toBe(fault);
  });

  it("end when the caller gives up, with the caller's reason", async () => {
    const abort = new AbortController();
    const outcome = searched(retrievalOf({ lexical: "hang", semantic: "hang" }), 5, abort.signal);
    abort.abort("enough");
    await expect(outcome).rejects.toBe("enough");
    expect(events.all).toEqual([]);
  });
});

describe("the last check", () => {
  it("lets nothing through that the reader may not read, whatever an engine says", async () => {
    const hidden = (of: Passage): Passage => ({ ...of, access: { ...of.access, visibility: "restricted" } });
    const foreign = { ...c, access: { ...c.access, network: "shop" } };
    const reranker = new ScriptedReranker(() => [0, 1]);
    const retrieval = retrievalOf({ lexical: [hidden(a), b, foreign], semantic: [foreign, d] }, { reranker });
    expect(ids(await searched(retrieval))).toEqual(["d", "b"]);
    expect(reranker.texts.join()).not.toMatch(/Text of [ac]/);
  });

  it("counts no rank that the reader may not know of", async () => {
    const hidden = { ...a, access: { ...a.access, visibility: "restricted" as const } };
    const [with_, without] = await Promise.all([
      searched(retrievalOf({ lexical: [hidden, b], semantic: [c, b] })),
      searched(retrievalOf({ lexical: [b], semantic: [c, b] })),
    ]);
    expect(with_).toEqual(without);
  });
});

describe("passages that say the same", () => {
  const copyOf = (of: Passage, chunkId: string, rest: Partial<Passage> = {}): Passage => ({
    ...of,
    chunkId,
    documentId: `doc-${chunkId}`,
    ...rest,
  });

  it("are one, and leave room for others", async () => {
    const found = await searched(retrievalOf({ lexical: [a, copyOf(a, "copy"), b, c] }), 2);
    expect(ids(found)).toEqual(["a", "b"]);
    expect(found[0]!.alsoIn).toEqual([{ chunkId: "copy", documentId: "doc-copy", title: "Title a" }]);
  });

  it("are found together across legs, the best of them first", async () => {
    const copy = copyOf(b, "copy");
    const found = await searched(retrievalOf({ lexical: [a, copy], semantic: [copy, b] }));
    expect(ids(found)).toEqual(["copy", "a"]);
    expect(found[0]!.alsoIn.map(({ chunkId }) => chunkId)).toEqual(["b"]);
  });

  it("never name a document that the reader may not read", async () => {
    const secret = copyOf(a, "secret", { access: { ...a.access, visibility: "restricted" } });
    expect((await searched(retrievalOf({ lexical: [secret, a] })))[0]).toEqual(a);
  });
});

describe("the query's embedding", () => {
  it("has a short deadline of its own, after which the other legs answer", async () => {
    embedder.outcome = "hang";
    const outcome = searched(retrievalOf({ lexical: [a], vector: [b] }));
    await clock.advance(1_500);
    expect(await outcome).toEqual([a]);
    expect(engine.requests.map(({ leg }) => leg)).toEqual(["lexical"]);
    expect(events.of("leg_failed")).toMatchObject([
      { leg: "vector", error: "the embedding of the query took longer than 1500 ms" },
    ]);
  });

  it("is made once for the same words", async () => {
    const retrieval = retrievalOf({ vector: [a] });
    for (let i = 0; i < 3; i++) await searched(retrieval, 5, never, "  seal the valve ");
    await searched(retrieval, 5, never, "seal the pump");
    expect(embedder.texts).toEqual(["seal the valve", "seal the pump"]);
  });

  it("is made again after a failure", async () => {
    const retrieval = retrievalOf({ lexical: [a], vector: [b] });
    embedder.outcome = new EmbeddingUnavailable("down");
    expect(ids(await searched(retrieval))).toEqual(["a"]);
    embedder.outcome = Float32Array.of(1, 0);
    expect(ids(await searched(retrieval))).toEqual(["a", "b"]);
  });

  it("is kept for so many queries, the latest used", async () => {
    const retrieval = retrievalOf({ vector: [] });
    for (let i = 0; i < QUERIES_KEPT_MAX; i++) await searched(retrieval, 5, never, `query ${i}`);
    await searched(retrieval, 5, never, "query 0");
    await searched(retrieval, 5, never, "one more");
    const before = embedder.texts.length;
    await searched(retrieval, 5, never, "query 0");
    expect(embedder.texts).toHaveLength(before);
    await searched(retrieval, 5, never, "query 1");
    expect(embedder.texts).toHaveLength(before + 1);
  });

  it("is not asked for nothing, nor for more than a model takes", async () => {
    const retrieval = retrievalOf({ vector: [a] });
    expect(await searched(retrieval, 5, never, " \n ")).toEqual([]);
    expect(embedder.texts).toEqual([]);
    await searched(retrieval, 5, never, "x".repeat(10_000));
    expect(embedder.texts.map(({ length }) => length)).toEqual([QUERY_CHARS_MAX]);
  });
});

class ScriptedReranker implements Reranker {
  readonly name = "test";
  readonly texts: string[] = [];

  constructor(private readonly outcome: (texts: readonly string[], signal: AbortSignal) => unknown) {}

  async score(_query: string, texts: readonly string[], signal: AbortSignal): Promise<readonly number[]> {
    this.texts.push(...texts);
    return (await this.outcome(texts, signal)) as readonly number[];
  }
}

describe("the reranker", () => {
  const two = { lexical: [a, b], semantic: [c, b] };

  it("has the last word on the order, and its scores stand", async () => {
    const reranker = new ScriptedReranker(() => [0.1, -2, 0.7]);
    const found = await searched(retrievalOf(two, { reranker }));
    expect(found.map(({ chunkId, score }) => [chunkId, score])).toEqual([
      ["c", 0.7],
      ["b", 0.1],
      ["a", -2],
    ]);
    expect(reranker.texts[0]).toBe("Title b\nText of b, which nothing else says.");
    expect(events.of("stage_finished")).toMatchObject([{ stage: "rerank", ms: 0 }]);
  });

  it("keeps the order of what it holds equal", async () => {
    const reranker = new ScriptedReranker(() => [1, 1, 1]);
    expect(ids(await searched(retrievalOf(two, { reranker })))).toEqual(["b", "a", "c"]);
  });

  it("sees what fusion leaves, not only what is asked for", async () => {
    const many = Array.from({ length: 20 }, (_, i) => passage(`p${i}`, `Passage ${i} on subject ${i * 7}.`));
    const reranker = new ScriptedReranker((texts) => texts.map((_, i) => i));
    expect(ids(await searched(retrievalOf({ lexical: many }, { reranker }), 2))).toEqual(["p7", "p6"]);
  });

  it("leaves the order from before when it fails, and that is told", async () => {
    const reranker = new ScriptedReranker(() => {
      throw new RerankerUnavailable("the rerank server answers 503");
    });
    expect(ids(await searched(retrievalOf(two, { reranker })))).toEqual(["b", "a", "c"]);
    expect(events.of("rerank_failed")).toMatchObject([{ error: "the rerank server answers 503" }]);
  });

  it("ends when the caller gives up", async () => {
    const reranker = new ScriptedReranker((_texts, signal) => abortable(new Promise(() => {}), signal));
    const abort = new AbortController();
    const outcome = searched(retrievalOf(two, { reranker }), 5, abort.signal);
    await clock.advance(0);
    abort.abort("enough");
    await expect(outcome).rejects.toBe("enough");
    expect(events.of("rerank_failed")).toEqual([]);
  });

  it("is not bothered with a single passage", async () => {
    const reranker = new ScriptedReranker(() => {
      throw new Error("not expected");
    });
    expect(await searched(retrievalOf({ lexical: [a] }, { reranker }))).toEqual([a]);
    expect(await searched(retrievalOf({ lexical: [] }, { reranker }))).toEqual([]);
  });
});

describe("the legs", () => {
  it("have to be the engine's", () => {
    expect(() => retrievalOf({ lexical: [] }, { legs: ["semantic"] })).toThrow(
      "This engine ranks by lexical, not by semantic. Set retrieval.legs to what it has.",
    );
    expect(() => retrievalOf({ lexical: [] }, { legs: [] })).toThrow("not by nothing");
  });

  it("need an embedder when one of them is vector", () => {
    const bare = { clock, telemetry: events, options: OPTIONS, legs: ["vector"] as const };
    expect(() => new KnowledgeRetrieval({ ...bare, engine: new ScriptedEngine({ vector: [] }) })).toThrow(
      "Set embedding.provider",
    );
  });
});

describe("the rest of the port", () => {
  it("is the engine's", async () => {
    const retrieval = retrievalOf({ lexical: [] });
    expect(await retrieval.readable(["x"], access, never)).toEqual(new Set(["x"]));
    await expect(retrieval.ready(never)).rejects.toThrow("not ready");
    await retrieval.close();
    expect(engine.closed).toBe(1);
  });
});

it("returns of any rankings what is readable, each once, best first and within the limit", async () => {
  const drawn = fc.uniqueArray(fc.record({ id: fc.nat({ max: 15 }), open: fc.boolean() }), {
    selector: ({ id }) => id,
    maxLength: 16,
  });
  await fc.assert(
    fc.asyncProperty(drawn, drawn, fc.integer({ min: 1, max: 20 }), async (one, other, limit) => {
      const ranking = (of: typeof one) =>
        of.map(({ id, open }) => {
          const made = passage(`p${id}`, `Only passage ${id} says ${id * 31} and ${id * 17}.`);
          return open ? made : { ...made, access: { ...made.access, visibility: "restricted" as const } };
        });
      const found = await searched(retrievalOf({ lexical: ranking(one), semantic: ranking(other) }), limit);
      const readable = new Set([...one, ...other].filter(({ open }) => open).map(({ id }) => `p${id}`));
      expect(found).toHaveLength(Math.min(limit, readable.size));
      expect(new Set(ids(found)).size).toBe(found.length);
      for (const id of ids(found)) expect(readable).toContain(id);
      const scores = found.map(({ score }) => score);
      expect(scores).toEqual([...scores].sort((x, y) => y - x));
    }),
  );
});

describe("documents without a query", () => {
  it("are looked at once more, whatever the engine says", async () => {
    const foreign = passage("foreign", "Not for you.", {
      access: { network: "elsewhere", visibility: "network", allowedUsers: [], allowedGroups: [] },
    });
    const retrieval = retrievalOf({ lexical: [] });
    engine.stored = [a, foreign];
    engine.outlines = [a, foreign].map((one) => {
      return { documentId: one.documentId, title: one.title, headings: [], access: one.access };
    });
    const outlines = await retrieval.outline(access, { documentsMax: 5, headingsMax: 5 }, never);
    expect(outlines.map(({ documentId }) => documentId)).toEqual([a.documentId]);
    expect(await retrieval.contents(a.documentId, access, 5, never)).toEqual([a]);
    expect(await retrieval.revision("plant", never)).toBe("revision of plant");
  });
});
