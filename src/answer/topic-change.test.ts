/**
 * A question after another one, on the handbook of the examples and without a model: a new topic gets the answer that
 * it gets in a new chat, and what leans on the question before is understood by it.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OfflineAnswerer, offlineAnswerer } from "../../test/support/offline-answerer.js";
import type { DataSetRow } from "../evaluation/data-set.js";
import { readJsonLines } from "../evaluation/read-data-set.js";
import { seededRandom } from "../lib/random.js";

const file = (path: string) => fileURLToPath(new URL(`../../examples/${path}`, import.meta.url));
const { rows } = readJsonLines(readFileSync(file("golden.jsonl"), "utf8"), { rowsMax: 1_000 });

/** All pairs are 1,190, which takes half a minute. */
const PAIRS = 250;
const SEED = 12;

describe("a question after another one", () => {
  let handbook: OfflineAnswerer;
  beforeAll(async () => {
    handbook = await offlineAnswerer(file("handbook"));
  });
  afterAll(() => handbook.close());

  const answer = async ({ groups, turns, username }: DataSetRow, before: readonly string[] = []) =>
    (await handbook.ask(turns.at(-1)!, before, { groups, username })).text;

  it("is answered as in a new chat where the topic is new", async () => {
    const fresh = new Map<DataSetRow, string>();
    for (const row of rows.filter(({ category }) => category === "answerable")) {
      const text = await answer(row);
      if (text !== "") fresh.set(row, text);
    }
    const different: string[] = [];
    for (const [before, row] of sampleOf([...fresh.keys()])) {
      const [prior] = before.turns;
      if ((await answer(row, before.turns)) !== fresh.get(row)) different.push(`${prior} → ${row.turns[0]}`);
    }
    expect(different).toEqual([]);
  });

  it.each([
    ["What is the lockout procedure of the packing line?", "How long must I wait?", "Wait 8 minutes"],
    ["What do I do when there is a large chemical spill?", "Who do I call?", "extension 333"],
    ["How do I lock out the packing line?", "And what is the first step of it?", "going to stop the line"],
    ["How fast may I drive the forklift in the hall?", "And in the yard?", "12 km/h"],
  ])("is understood by the one before where it leans on it: %j, %j", async (before, question, said) => {
    expect((await handbook.ask(question, [before])).text).toContain(said);
  });
});

function sampleOf<T>(items: readonly T[]): readonly (readonly [T, T])[] {
  const random = seededRandom(SEED);
  const pairs = items.flatMap((one) =>
    items.filter((other) => other !== one).map((other) => [one, other] as const),
  );
  return pairs
    .map((pair) => ({ pair, place: random.fraction() }))
    .sort((a, b) => a.place - b.place)
    .slice(0, PAIRS)
    .map(({ pair }) => pair);
}
