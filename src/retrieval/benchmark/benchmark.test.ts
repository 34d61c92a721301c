import { beforeEach, describe, expect, it } from "vitest";
import { VirtualClock } from "../../../test/support/virtual-clock.js";
import type { Passage } from "../../domain/passage.js";
import { analyze } from "../../lib/english-analyzer.js";
import { NO_ABORT, testEmbedder, testVector } from "../conformance.test-util.js";
import type { Engine, LegRequest } from "../engine.js";
import { SearchUnavailable } from "../port.js";
import type { KnowledgeDocument, KnowledgeWriter } from "../writer.js";
import { type BenchmarkDeps, type BenchmarkProgress, benchmark, NetworkInUse } from "./benchmark.js";
import type { BenchmarkData } from "./data-set.js";
import { reportTable, reportValue } from "./report.js";

/** Two legs over a list: shared words, and nearness of vectors; each search takes 2 ms. */
class ListEngine implements Engine {
  readonly legs = ["lexical", "vector"] as const;
  documents = new Map<string, KnowledgeDocument>();
  readonly asked: string[] = [];
  down = false;

  constructor(private readonly clock: VirtualClock) {}

  async search({ leg, query, vector, access, limit }: LegRequest): Promise<readonly Passage[]> {
    this.asked.push(`${leg}: ${query}`);
    await this.clock.advance(2);
    if (this.down && leg === "vector") throw new SearchUnavailable("no vectors today");
    const words = new Set(analyze(query));
    return [...this.documents.values()]
      .map((one): Passage => {
        const chunk = one.chunks[0]!;
        const shared = analyze(chunk.text).filter((word) => words.has(word)).length;
        const near = chunk.vector?.reduce((sum, value, i) => sum + value * (vector?.[i] ?? 0), 0) ?? 0;
        const { documentId, title, sourceFile } = one;
        const score = leg === "lexical" ? shared : near;
        const place = { position: 0, supersedes: [], highlights: [], alsoIn: [], score };
        const of = { ...one.access, network: access.network };
        return { ...chunk, ...place, documentId, title, sourceFile, access: of };
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  readonly readable = async () => new Set<string>();
  readonly outline = async () => [];
  readonly contents = async () => [];
  readonly revision = async () => "";
  readonly ready = async () => {};
  readonly close = async () => {};

  readonly openWriter = async (): Promise<KnowledgeWriter> => {
    const next = new Map(this.documents);
    return {
      documents: async () => [...next.values()],
      put: async (document) => void next.set(document.documentId, document),
      remove: async (documentId) => void next.delete(documentId),
      commit: async () => {
        this.documents = next;
        return { documents: next.size, chunks: next.size, nearDuplicateChunks: 0 };
      },
      close: async () => {},
    };
  };
}

const DATA_SET: BenchmarkData = {
  corpus: [
    { id: "d1", title: "Lockout", text: "Hang the lock on the main switch." },
    { id: "d2", title: "Chain", text: "Oil the chain before each shift." },
    { id: "d3", title: "Lock", text: "A lock, a lock, a lock of the chain." },
  ],
  queries: [
    { id: "q1", text: "hang the switch", judgements: new Map([["d1", 1]]) },
    { id: "q2", text: "lock", judgements: new Map([["d1", 1]]) },
  ],
  unjudgedQueries: 3,
};

let clock: VirtualClock;
let engine: ListEngine;
let deps: BenchmarkDeps;
beforeEach(() => {
  clock = new VirtualClock();
  engine = new ListEngine(clock);
  deps = {
    clock,
    engine,
    openWriter: engine.openWriter,
    legs: ["lexical", "vector"],
    embedding: { embedder: testEmbedder, batchSize: 2, queryTimeoutMs: 1_000 },
    options: {
      fusion: "ranks",
      fusionConstant: 60,
      fusionCandidates: 40,
      fusionResults: 8,
      searchTimeoutMs: 5_000,
    },
  };
});

const run = (signal = NO_ABORT, onProgress: (progress: BenchmarkProgress) => void = () => {}) =>
  benchmark(DATA_SET, "bench", deps, onProgress, signal);

describe("benchmark", () => {
  it("measures each leg and the fusion on the same queries", async () => {
    const report = await run();
    expect(report).toMatchObject({ documents: 3, queries: 2, unjudgedQueries: 3 });
    expect(report.ways.map(({ name }) => name)).toEqual(["lexical", "vector", "fused"]);
    // By words: d1 first for q1; second for q2, which d3 says three times.
    expect(report.ways[0]).toMatchObject({
      perQuery: { "nDCG@10": [1, 1 / Math.log2(3)], "recall@5": [1, 1], "R@1": [1, 0], "MRR@10": [1, 0.5] },
      means: { "recall@5": 1, "R@1": 0.5, "MRR@10": 0.75 },
    });
    expect(report.differences.map(({ better, than }) => `${better} - ${than}`)).toEqual([
      ...Array(4).fill("vector - lexical"),
      ...Array(4).fill("fused - lexical"),
      ...Array(4).fill("fused - vector"),
    ]);
    expect(report.ways[0]).toMatchObject({ p50Ms: 2, p95Ms: 2 });
  });

  it("indexes what is judged as it is ranked, with vectors, and leaves nothing behind", async () => {
    let indexed: KnowledgeDocument[] = [];
    const progress: BenchmarkProgress[] = [];
    await run(NO_ABORT, (now) => {
      progress.push(now);
      if (now.doing === "lexical") indexed = [...engine.documents.values()];
    });
    expect(indexed).toHaveLength(3);
    expect(indexed[0]).toMatchObject({ documentId: "d1", title: "Lockout", chunks: [{ chunkId: "d1" }] });
    const vector = testVector("Lockout\nHang the lock on the main switch.");
    expect(indexed[0]!.chunks[0]!.vector).toEqual(vector);
    expect(engine.documents.size).toBe(0);
    expect(progress.slice(0, 4)).toEqual([
      { doing: "indexing", done: 2, total: 3 },
      { doing: "indexing", done: 3, total: 3 },
      { doing: "lexical", done: 1, total: 2 },
      { doing: "lexical", done: 2, total: 2 },
    ]);
  });

  it("needs no embedder for a leg that goes by words, and compares one leg with nothing", async () => {
    deps = { ...deps, legs: ["lexical"], embedding: undefined };
    const report = await run();
    expect([report.ways.length, report.differences]).toEqual([1, []]);
    expect(engine.asked).toEqual(["lexical: hang the switch", "lexical: lock"]);
  });

  it("touches no network that holds something else", async () => {
    const [first] = DATA_SET.corpus;
    const own = { documentId: "own", path: "/srv/handbook/a.md", title: first!.title } as KnowledgeDocument;
    engine.documents.set("own", own);
    await expect(run()).rejects.toThrow(NetworkInUse);
    await expect(run()).rejects.toThrow("/srv/handbook/a.md. Name one that holds nothing.");
    expect([...engine.documents.keys()]).toEqual(["own"]);
  });

  it("removes what a benchmark that was killed has left", async () => {
    const left = { documentId: "left", path: "benchmark:left", title: "Lock", chunks: [{ text: "lock" }] };
    engine.documents.set("left", left as unknown as KnowledgeDocument);
    const searched = new Set<string>();
    await run(NO_ABORT, ({ doing }) => {
      if (doing !== "indexing") for (const id of engine.documents.keys()) searched.add(id);
    });
    expect(searched).toEqual(new Set(["d1", "d2", "d3"]));
    expect(engine.documents.size).toBe(0);
  });

  it("does not measure what only some legs answered, and cleans up all the same", async () => {
    engine.down = true;
    deps = { ...deps, legs: ["lexical", "vector"] };
    await expect(run()).rejects.toThrow("no vectors today");
    expect(engine.documents.size).toBe(0);
  });

  it("says which query a fused search did not answer in full", async () => {
    const onProgress = ({ doing }: BenchmarkProgress) => {
      engine.down = doing === "vector" && engine.asked.length >= 4;
    };
    await expect(run(NO_ABORT, onProgress)).rejects.toThrow(
      'query "q1" was not answered in full: no vectors today',
    );
  });

  it("ends with the signal's reason, and cleans up", async () => {
    const abort = new AbortController();
    const onProgress = ({ doing }: BenchmarkProgress) => doing === "vector" && abort.abort("enough");
    await expect(run(abort.signal, onProgress)).rejects.toBe("enough");
    expect(engine.documents.size).toBe(0);
  });
});

describe("the report", () => {
  it("is a table for people", async () => {
    const lines = reportTable(await run()).split("\n");
    expect(lines[0]).toBe("3 documents, 2 queries (3 more without a judgement were left out)");
    expect(lines[2]).toMatch(/^\s+nDCG@10 +recall@5 +R@1 +MRR@10 +p50 ms +p95 ms$/);
    expect(lines[3]).toMatch(/^lexical +0\.8155 +1\.0000 +0\.5000 +0\.7500 +2\.0 +2\.0$/);
    expect(lines.slice(3, 6).map((line) => line.split(" ")[0])).toEqual(["lexical", "vector", "fused"]);
    expect(lines[8]).toMatch(
      /^vector − lexical +nDCG@10 +[+−]0\.\d{4} +\[[+−]\d\.\d{4}, [+−]\d\.\d{4}\] +\w/,
    );
    expect(lines).toHaveLength(20);
  });

  it("is a value for programs", async () => {
    const value = JSON.parse(JSON.stringify(reportValue(await run())));
    expect(Object.keys(value)).toEqual(["documents", "queries", "unjudgedQueries", "ways", "differences"]);
    expect(Object.keys(value.ways[0])).toEqual(["name", "means", "p50Ms", "p95Ms"]);
  });
});
