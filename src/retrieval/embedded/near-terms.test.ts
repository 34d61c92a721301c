/** A mistyped word finds what its nearest likes find, among what the reader may read and nothing else. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../lib/clock.js";
import { createTelemetry } from "../../telemetry/events.js";
import {
  document,
  type EngineUnderTest,
  NO_ABORT,
  reader,
  restricted,
  store,
} from "../conformance.test-util.js";
import { EmbeddedEngine } from "./embedded-engine.js";
import { openEmbeddedWriter } from "./embedded-writer.js";

const FIRE = document("fire", ["The fire extinguisher hangs beside the door.", "Leave by the green exit."]);
const PUMP = document("pump", ["The pump P417 runs at noon.", "Flush the channel of the pump."]);
const SECRET = restricted(["zoe"]);

describe("a mistyped word", () => {
  let underTest: EngineUnderTest;
  const base = mkdtempSync(join(tmpdir(), "readback-"));
  const directory = join(base, "knowledge");
  beforeAll(async () => {
    const engine = new EmbeddedEngine({
      clock: systemClock,
      telemetry: createTelemetry([]),
      directory,
      options: { searchQueueLengthMax: 256, searchProcesses: 1 },
    });
    underTest = {
      engine,
      inspector: engine,
      openWriter: (network) => openEmbeddedWriter(directory, network),
      dispose: () => engine.close(),
    };
    await store(underTest, "plain", [FIRE, PUMP]);
    await store(underTest, "with secrets", [
      FIRE,
      PUMP,
      // Known to others only: as it is asked, nearer to it than what is open, and as near.
      document("secret", ["The extingusher extinguishe extinguosher is hidden."], { access: SECRET }),
    ]);
  });
  afterAll(async () => {
    await underTest.dispose();
    rmSync(base, { recursive: true, force: true });
  });

  const search = (query: string, network = "plain", username = "ann") =>
    underTest.engine.search(
      { leg: "lexical", query, access: reader(network, { username }), limit: 10 },
      NO_ABORT,
    );

  it.each([
    ["extingusher", "fire#0"],
    ["Where is the fire extingusher?", "fire#0"],
    ["chanel", "pump#1"],
    ["grene exit", "fire#1"],
    ["flúsh", "pump#1"],
  ])("%s finds %s", async (query, chunkId) => {
    expect((await search(query))[0]).toMatchObject({ chunkId });
  });

  it.each(["fx", "P416", "gren417", "extraordinary"])(
    "%s finds nothing: it is too short, a number, or another word",
    async (query) => {
      expect(await search(query)).toEqual([]);
    },
  );

  it("counts for less than the word itself, and marks the sentence", async () => {
    const [exact] = await search("extinguisher");
    const [near] = await search("extingusher");
    expect(near!.score).toBeLessThan(exact!.score);
    expect(near!.highlights).toEqual(exact!.highlights);
  });

  it("does not change what exact words find", async () => {
    expect(await search("pump noon green")).toEqual(await search("green noon pump"));
    const scores = (await search("pump")).map(({ chunkId }) => chunkId);
    expect(scores.sort()).toEqual(["pump#0", "pump#1"]);
  });

  it.each(["extingusher", "Where is the fire extingusher?", "extinguisher"])(
    "%s gives the same where words that the reader may not read are as near or nearer",
    async (query) => {
      expect(await search(query, "with secrets")).toEqual(
        (await search(query)).map((passage) => ({
          ...passage,
          access: { ...passage.access, network: "with secrets" },
        })),
      );
      const found = await search(query, "with secrets", "zoe");
      expect(found.map(({ documentId }) => documentId)).toContain(
        query === "extinguisher" ? "fire" : "secret",
      );
    },
  );

  it("is explained by the term that it was taken for", async () => {
    const request = { leg: "lexical", query: "extingusher", access: reader("plain"), limit: 10 } as const;
    const [candidate] = await underTest.inspector.explain(request, NO_ABORT);
    expect(candidate).toMatchObject({ terms: [{ term: "extinguish" }] });
  });
});
