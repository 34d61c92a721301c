/** Tests of the cache of names: a wrong hit would give one user's frame to another. */
import { expect, test } from "vitest";
import { NameCache } from "./name-cache.js";

const HASH = 7;

test("bytes of one hash are told apart, also where one begins like the other", () => {
  const cache = new NameCache();
  const bytes = Buffer.from("annabel");
  cache.set(bytes, 0, 3, HASH, "ann");
  expect(cache.get(bytes, 0, 3, HASH)).toBe("ann");
  expect(cache.get(bytes, 0, 7, HASH)).toBeUndefined();
  expect(cache.get(bytes, 0, 2, HASH)).toBeUndefined();
  expect(cache.get(bytes, 4, 7, HASH)).toBeUndefined();
  expect(cache.get(bytes, 0, 3, HASH + 1)).toBeUndefined();
});

test("the last of one hash is remembered", () => {
  const cache = new NameCache();
  const bytes = Buffer.from("annbob");
  cache.set(bytes, 0, 3, HASH, "ann");
  cache.set(bytes, 3, 6, HASH, "bob");
  expect(cache.get(bytes, 0, 3, HASH)).toBeUndefined();
  expect(cache.get(bytes, 3, 6, HASH)).toBe("bob");
});

test("what is remembered does not change with the chunk it came from", () => {
  const cache = new NameCache();
  const bytes = Buffer.from("ann");
  cache.set(bytes, 0, 3, HASH, "ann");
  bytes.fill("x");
  expect(cache.get(Buffer.from("ann"), 0, 3, HASH)).toBe("ann");
  expect(cache.get(bytes, 0, 3, HASH)).toBeUndefined();
});

test("the number of names is bounded", () => {
  const cache = new NameCache();
  const name = (i: number) => Buffer.from(String(10_000 + i));
  for (let i = 0; i < 1_000; i++) cache.set(name(i), 0, 5, i, String(i));
  const remembered = Array.from({ length: 1_000 }, (_, i) => cache.get(name(i), 0, 5, i)).filter(Boolean);
  expect(remembered.length).toBeLessThanOrEqual(256);
  expect(cache.get(name(999), 0, 5, 999)).toBe("999");
});
