/** Questions in other words than the documents', asked of the embedded engine with and without the shipped vectors. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultsOf } from "../../../test/support/default-options.js";
import { RecordedEvents } from "../../../test/support/events.js";
import { systemClock } from "../../lib/clock.js";
import { document, NO_ABORT, OPEN, reader } from "../conformance.test-util.js";
import { EmbeddedEngine } from "../embedded/embedded-engine.js";
import { openEmbeddedWriter } from "../embedded/embedded-writer.js";
import type { LegName } from "../engine.js";
import { KnowledgeRetrieval } from "../knowledge-retrieval.js";
import { retrievalOptions } from "../options.js";
import { embeddedText } from "./embedded-text.js";
import { StaticEmbedder } from "./static.js";

/** By title, in places that have nothing else to do with each other. */
const TEXTS: Readonly<Record<string, string>> = {
  "Splashes of chemicals": "Rinse the eye with running water for 15 minutes and hold the lids apart.",
  "Battery store": "Acid is kept in the yellow cabinet. Staff count their drums on Friday.",
  "Opening hours": "The counter is open from Monday to Friday, 8:00 to 17:30.",
  "Night shift": "When you leave, close the shutter and do the round of the yard.",
  Forecourt: "No smoking and no open flame within 15 m of a vehicle that takes on petrol.",
  "Vehicle log": "Drivers write the mileage into the log after fueling.",
  Agar: "Sterilise it in the autoclave at 121 °C for 20 minutes before it is poured.",
  "Car pool": "The auto may be taken home for the weekend.",
  Printer: "Clear a paper jam from behind, then press Resume.",
  Holidays: "Ask for leave two weeks ahead, in writing.",
};

const embedder = new StaticEmbedder();
const access = reader("plant");

describe("a question in other words", () => {
  const directory = mkdtempSync(join(tmpdir(), "readback-"));
  const events = new RecordedEvents();
  const engine = new EmbeddedEngine({
    clock: systemClock,
    telemetry: events,
    directory,
    options: { searchQueueLengthMax: 16, searchProcesses: 1 },
  });
  beforeAll(async () => {
    await store("plant", true);
    await store("earlier", false);
  });
  afterAll(async () => {
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  });

  async function store(network: string, withVectors: boolean): Promise<void> {
    const writer = await openEmbeddedWriter(directory, network);
    for (const [title, text] of Object.entries(TEXTS)) {
      const [vector] = await embedder.embed([embeddedText(title, [], text)], NO_ABORT);
      const one = document(title, [text], { access: OPEN });
      const chunks = one.chunks.map((chunk) => ({ ...chunk, ...(withVectors && { vector: vector! }) }));
      await writer.put({ ...one, chunks });
    }
    await writer.commit();
    await writer.close();
  }

  async function titles(legs: readonly LegName[], query: string, network = "plant"): Promise<string[]> {
    const options = defaultsOf(retrievalOptions);
    const embedding = { embedder, queryTimeoutMs: 1_500 };
    const deps = { clock: systemClock, telemetry: events, engine, legs, embedding, options };
    const found = await new KnowledgeRetrieval(deps).search(
      { query, access: { ...access, network }, limit: 5 },
      NO_ABORT,
    );
    return found.map(({ title }) => title);
  }

  it.each([
    ["somebody got acid in their eyes", "Splashes of chemicals"],
    ["when do you close", "Opening hours"],
    ["where do smokers stand while somebody is fueling", "Forecourt"],
    ["how long are the plates auto-claved", "Agar"],
  ])("%j finds its passage", async (question, title) => {
    const words = await titles(["lexical"], question);
    const fused = await titles(["lexical", "vector"], question);
    expect([words[0] === title, fused.slice(0, 2).includes(title)], `${words} / ${fused}`).toEqual([
      false,
      true,
    ]);
  });

  it("that is about nothing here finds nothing", async () => {
    expect(await titles(["lexical", "vector"], "quantum physics lecture")).toEqual([]);
  });

  it("in a language that the vectors do not know is left to the words", async () => {
    const question = "Wie entferne ich einen Papierstau im Printer?";
    expect(await titles(["lexical", "vector"], question)).toEqual(await titles(["lexical"], question));
  });

  it("is answered by words where the index has no vectors yet, and that is told", async () => {
    expect(await titles(["lexical", "vector"], "paper jam", "earlier")).toEqual(["Printer"]);
    expect(events.of("leg_failed")).toMatchObject([
      { leg: "vector", error: expect.stringContaining("Ingest all documents again") },
    ]);
  });
});
