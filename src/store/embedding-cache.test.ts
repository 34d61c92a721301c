import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient } from "@libsql/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StoreUnusable } from "./dead-letters.js";
import { EmbeddingCache } from "./embedding-cache.js";

const MODEL = "model/4";
const DAY_MS = 24 * 3_600_000;

let folder: string;
let nowMs: number;
let open: EmbeddingCache[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "readback-"));
  nowMs = 1_000 * DAY_MS;
  open = [];
});
afterEach(async () => {
  for (const cache of open) await cache.close();
  rmSync(folder, { recursive: true, force: true });
});

function cacheOf(bytesMax?: number): EmbeddingCache {
  const cache = new EmbeddingCache(folder, { now: () => nowMs }, bytesMax);
  open.push(cache);
  return cache;
}

const vectorOf = (i: number) => Float32Array.of(i, i + 0.5, -i, 1 / 3);
const textsOf = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => `text ${from + i}`);
const vectorsOf = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => vectorOf(from + i));

describe("EmbeddingCache", () => {
  it("gives back what was kept, bit by bit, also to the next process", async () => {
    const cache = cacheOf();
    await cache.write(MODEL, textsOf(0, 3), vectorsOf(0, 3));
    const expected = [vectorOf(2), undefined, vectorOf(0), vectorOf(2)];
    const asked = ["text 2", "unknown", "text 0", "text 2"];
    expect(await cache.read(MODEL, asked)).toEqual(expected);
    await cache.close();
    expect(await cacheOf().read(MODEL, asked)).toEqual(expected);
    expect(await cacheOf().read(MODEL, [])).toEqual([]);
  });

  it("keeps models apart, and takes any text", async () => {
    const cache = cacheOf();
    const texts = ["", "a\u0000b", "🚒 Tür", "'; DROP TABLE vectors; --", "x".repeat(100_000)];
    await cache.write(MODEL, texts, vectorsOf(0, 5));
    expect(await cache.read(MODEL, texts)).toEqual(vectorsOf(0, 5));
    expect(await cache.read("model/8", texts)).toEqual(texts.map(() => undefined));
    expect(await cache.read('model/4","', ["x"])).toEqual([undefined]);
  });

  it("takes more at once than one statement holds", async () => {
    const cache = cacheOf();
    await cache.write(MODEL, textsOf(0, 1_200), vectorsOf(0, 1_200));
    expect(await cache.read(MODEL, textsOf(0, 1_200))).toEqual(vectorsOf(0, 1_200));
  });

  it("keeps the first vector of a text that is written twice", async () => {
    const cache = cacheOf();
    await cache.write(MODEL, ["a"], [vectorOf(1)]);
    await cache.write(MODEL, ["a"], [vectorOf(2)]);
    expect(await cache.read(MODEL, ["a"])).toEqual([vectorOf(1)]);
  });

  it("lets go of what was not used for longest when it grows too large", async () => {
    const cache = cacheOf(16 * 200);
    await cache.write(MODEL, textsOf(0, 100), vectorsOf(0, 100));
    nowMs += 2 * DAY_MS;
    await cache.write(MODEL, textsOf(100, 200), vectorsOf(100, 200));
    nowMs += 2 * DAY_MS;
    // Used again, and so younger than the second hundred.
    await cache.read(MODEL, textsOf(0, 50));
    nowMs += 2 * DAY_MS;
    await cache.write(MODEL, textsOf(200, 220), vectorsOf(200, 220));
    const kept = async (from: number, to: number) =>
      (await cache.read(MODEL, textsOf(from, to))).filter((vector) => vector !== undefined).length;
    expect([await kept(0, 50), await kept(50, 100), await kept(200, 220)]).toEqual([50, 0, 20]);
    expect(await kept(0, 220)).toBeLessThanOrEqual(200);
    expect(await kept(0, 220)).toBeGreaterThanOrEqual(100);
  });

  it("stays within its bound, whatever comes", async () => {
    const cache = cacheOf(16 * 100);
    for (let batch = 0; batch < 20; batch++) {
      await cache.write(MODEL, textsOf(batch * 50, batch * 50 + 50), vectorsOf(batch * 50, batch * 50 + 50));
      const kept = (await cache.read(MODEL, textsOf(0, 1_000))).filter((vector) => vector !== undefined);
      expect(kept.length).toBeLessThanOrEqual(100);
    }
  });

  it("throws a damaged file away: one call fails, the next begins anew", async () => {
    const { path } = cacheOf();
    writeFileSync(path, "this is no database, and long enough to be looked at as one".repeat(100));
    const cache = cacheOf();
    await expect(cache.read(MODEL, ["a"])).rejects.toThrow(StoreUnusable);
    await cache.write(MODEL, ["a"], [vectorOf(1)]);
    expect(await cache.read(MODEL, ["a"])).toEqual([vectorOf(1)]);
  });

  it("throws a file away whose pages are damaged", async () => {
    const before = cacheOf();
    await before.write(MODEL, textsOf(0, 2_000), vectorsOf(0, 2_000));
    await before.close();
    // All of it into the file, which is then as another process would leave it.
    const client = createClient({ url: pathToFileURL(before.path).href });
    await client.execute("PRAGMA wal_checkpoint(TRUNCATE)");
    client.close();
    const bytes = readFileSync(before.path);
    bytes.fill(0xff, 4_096);
    writeFileSync(before.path, bytes);
    const cache = cacheOf();
    await expect(cache.read(MODEL, textsOf(0, 2_000))).rejects.toThrow(StoreUnusable);
    expect(await cache.read(MODEL, ["text 1"])).toEqual([undefined]);
    expect(existsSync(cache.path)).toBe(false);
  });

  it("says what is wrong with a place that cannot be written", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const cache = new EmbeddingCache(join(file, "below"), { now: () => nowMs });
    await expect(cache.read(MODEL, ["a"])).rejects.toThrow(StoreUnusable);
    await cache.close();
    await cache.close();
  });

  it("takes calls at the same time", async () => {
    const cache = cacheOf();
    await Promise.all([
      cache.write(MODEL, textsOf(0, 20), vectorsOf(0, 20)),
      cache.read(MODEL, textsOf(0, 20)),
      cache.write(MODEL, textsOf(10, 30), vectorsOf(10, 30)),
    ]);
    expect(await cache.read(MODEL, textsOf(0, 30))).toEqual(vectorsOf(0, 30));
  });

  it("is shared by those who have it open", async () => {
    const [one, other] = [cacheOf(), cacheOf()];
    await one.write(MODEL, textsOf(0, 20), vectorsOf(0, 20));
    await other.write(MODEL, textsOf(10, 30), vectorsOf(10, 30));
    expect(await one.read(MODEL, textsOf(0, 30))).toEqual(vectorsOf(0, 30));
    expect(await other.read(MODEL, textsOf(0, 30))).toEqual(vectorsOf(0, 30));
  });
});
