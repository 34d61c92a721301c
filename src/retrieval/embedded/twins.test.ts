import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { patience } from "../../../test/support/patience.js";
import { document } from "../conformance.test-util.js";
import { saysTheSame } from "../near-duplicates.js";
import { openEmbeddedWriter } from "./embedded-writer.js";
import { CANDIDATES_PER_BAND_MAX } from "./twin-finder.js";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "readback-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** Puts (or removes, where there are no texts) documents in one commit; returns the number of chunks with a twin. */
async function commit(network: string, changes: Readonly<Record<string, readonly string[] | undefined>>) {
  const writer = await openEmbeddedWriter(directory, network);
  for (const [id, texts] of Object.entries(changes)) {
    if (texts === undefined) await writer.remove(id);
    else await writer.put(document(id, texts));
  }
  const { nearDuplicateChunks } = await writer.commit();
  await writer.close();
  return nearDuplicateChunks;
}

const LONG =
  "Before you open the guard, press the red button, wait until the blade stands still, hang your lock on the " +
  "switch, and try to start the machine: it must not start.";

describe("chunks that say the same", () => {
  it("are counted in and across documents, and no others", async () => {
    expect(await commit("plant", { a: [LONG, "Oil the chain."], b: ["Oil the hinge."] })).toBe(0);
    expect(await commit("plant", { c: [LONG.toUpperCase()], d: [LONG.replace("must not", "must")] })).toBe(2);
    expect(await commit("plant", { e: ["Oil the hinge.", "oil the  hinge"] })).toBe(5);
  });

  it("are no longer counted when the other one goes or changes", async () => {
    expect(await commit("plant", { a: [LONG], b: [LONG], c: [LONG] })).toBe(3);
    expect(await commit("plant", { a: undefined })).toBe(2);
    expect(await commit("plant", { b: ["Something else."] })).toBe(0);
    expect(await commit("plant", { b: [LONG], c: undefined })).toBe(0);
  });

  it("stay counted in a crowd from which some go", async () => {
    const crowd = Object.fromEntries(
      Array.from({ length: CANDIDATES_PER_BAND_MAX * 3 }, (_, i) => [`d${i}`, [LONG]]),
    );
    expect(await commit("plant", crowd)).toBe(CANDIDATES_PER_BAND_MAX * 3);
    const gone = Object.keys(crowd).filter((_, i) => i % 2 === 0);
    expect(await commit("plant", Object.fromEntries(gone.map((id) => [id, undefined])))).toBe(
      (CANDIDATES_PER_BAND_MAX * 3) / 2,
    );
    const rest = Object.keys(crowd).filter((_, i) => i % 2 === 1);
    expect(await commit("plant", Object.fromEntries(rest.slice(1).map((id) => [id, undefined])))).toBe(0);
  });

  it("are as many as a comparison of all pairs finds, after any changes", {
    timeout: patience(60_000),
  }, async () => {
    const text = fc.constantFrom(
      LONG,
      `${LONG} `,
      LONG.toLowerCase(),
      "Oil the chain.",
      "oil the chain",
      "Wax it.",
    );
    const texts = fc.option(fc.array(text, { maxLength: 4 }), { nil: undefined });
    const changes = fc.dictionary(fc.constantFrom("a", "b", "c", "d"), texts, { maxKeys: 4 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 5 }), async (commits) => {
        const stored = new Map<string, readonly string[]>();
        const network = `run ${++run}`;
        for (const one of commits) {
          const count = await commit(network, one);
          for (const [id, texts] of Object.entries(one)) stored.set(id, texts ?? []);
          const all = [...stored.values()].flat();
          const twins = all.filter((a, i) => all.some((b, j) => i !== j && saysTheSame(a, b)));
          expect(count).toBe(twins.length);
        }
      }),
      { numRuns: 30 },
    );
  });
});
