import { describe, expect, it } from "vitest";
import { NO_ABORT, testEmbedder, testVector } from "../conformance.test-util.js";
import { CachedEmbedder, type VectorCache } from "./cached-embedder.js";
import { type Embedder, EmbeddingUnavailable } from "./port.js";

class MapCache implements VectorCache {
  readonly kept = new Map<string, Float32Array>();
  failing = false;
  calls = 0;

  async read(model: string, texts: readonly string[]): Promise<readonly (Float32Array | undefined)[]> {
    this.#call();
    return texts.map((text) => this.kept.get(`${model} ${text}`));
  }

  async write(model: string, texts: readonly string[], vectors: readonly Float32Array[]): Promise<void> {
    this.#call();
    for (const [i, text] of texts.entries()) this.kept.set(`${model} ${text}`, vectors[i]!);
  }

  #call(): void {
    this.calls += 1;
    if (this.failing) throw new Error("disk on fire");
  }
}

function counting(): Embedder & { readonly asked: string[][] } {
  const asked: string[][] = [];
  return {
    ...testEmbedder,
    asked,
    embed: async (texts, signal) => {
      asked.push([...texts]);
      return testEmbedder.embed(texts, signal);
    },
  };
}

describe("CachedEmbedder", () => {
  it("asks for each text once, whatever the order and however often it comes", async () => {
    const [embedder, cache] = [counting(), new MapCache()];
    const cached = new CachedEmbedder(embedder, cache, fail);
    const texts = ["seal the valve", "oil the chain", "seal the valve"];
    expect(await cached.embed(texts, NO_ABORT)).toEqual(texts.map(testVector));
    expect(await cached.embed(["oil the chain", "hang the lock"], NO_ABORT)).toEqual(
      ["oil the chain", "hang the lock"].map(testVector),
    );
    expect(embedder.asked).toEqual([["seal the valve", "oil the chain"], ["hang the lock"]]);
    await cached.embed(texts, NO_ABORT);
    expect(await cached.embed([], NO_ABORT)).toEqual([]);
    expect(embedder.asked).toHaveLength(2);
    expect(cached).toMatchObject({ name: embedder.name, dimensions: embedder.dimensions });
  });

  it("does not take a vector of another model, of another length, or of no sense", async () => {
    const [embedder, cache] = [counting(), new MapCache()];
    cache.kept.set("other/256 a", testVector("b"));
    cache.kept.set(`${embedder.name} b`, Float32Array.of(1, 0));
    cache.kept.set(`${embedder.name} c`, new Float32Array(256));
    cache.kept.set(`${embedder.name} d`, new Float32Array(256).fill(Number.NaN));
    const texts = ["a", "b", "c", "d"];
    expect(await new CachedEmbedder(embedder, cache, fail).embed(texts, NO_ABORT)).toEqual(
      texts.map(testVector),
    );
    expect(embedder.asked).toEqual([texts]);
  });

  it("goes on without a cache that fails, tells, and leaves it alone in the end", async () => {
    const [embedder, cache] = [counting(), new MapCache()];
    const failures: string[] = [];
    const cached = new CachedEmbedder(embedder, cache, ({ message }) => failures.push(message));
    cache.failing = true;
    for (let i = 0; i < 5; i++) expect(await cached.embed(["a"], NO_ABORT)).toEqual([testVector("a")]);
    expect(failures).toEqual(Array(3).fill("disk on fire"));
    expect([cache.calls, embedder.asked.length]).toEqual([3, 5]);
  });

  it("fails as its embedder does, and keeps nothing of it", async () => {
    const cache = new MapCache();
    const reason = new EmbeddingUnavailable("down");
    const down = { ...testEmbedder, embed: () => Promise.reject(reason) };
    await expect(new CachedEmbedder(down, cache, fail).embed(["a"], NO_ABORT)).rejects.toBe(reason);
    expect(cache.kept.size).toBe(0);
    const aborted = AbortSignal.abort("enough");
    await expect(new CachedEmbedder(down, cache, fail).embed(["a"], aborted)).rejects.toBe("enough");
  });
});

function fail(error: Error): never {
  throw error;
}
