/**
 * Whether a search brings what answers a question of the yardstick (bench/answers, half a, every trade by itself): the
 * passage that its row quotes, among the first and first of all.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Passage } from "../../src/domain/passage.js";
import { openFolderSource } from "../../src/ingest/folder-source.js";
import { ingest } from "../../src/ingest/ingest.js";
import { systemClock } from "../../src/lib/clock.js";
import { EmbeddedEngine } from "../../src/retrieval/embedded/embedded-engine.js";
import type { Embedder } from "../../src/retrieval/embedding/port.js";
import type { LegName } from "../../src/retrieval/engine.js";
import { KnowledgeRetrieval } from "../../src/retrieval/knowledge-retrieval.js";
import { retrievalOptions } from "../../src/retrieval/options.js";
import { createTelemetry } from "../../src/telemetry/events.js";
import { defaultsOf, ingestDefaults } from "../../test/support/default-options.js";
import { ingestDeps } from "../../test/support/ingest-deps.js";

const YARDSTICK = fileURLToPath(new URL("../../../bench/answers/", import.meta.url));
const NO_ABORT = new AbortController().signal;
const BATCH_SIZE = 64;
/** A passage is the one that is quoted when it has this share of the quote's words: tables are read row by row. */
const QUOTED_SHARE_MIN = 0.9;

interface Row {
  readonly turns: readonly string[];
  readonly answerable: boolean;
  readonly source: { readonly document: string; readonly quote: string };
}

/** By way of ranking, for each answerable question: the place of the quoted passage from 0; infinity where it is not. */
export type Places = Readonly<Record<string, readonly number[]>>;

/** With words alone, and with `embedder` beside them. */
export async function placesOfSources(embedder: Embedder): Promise<Places> {
  const ways: Readonly<Record<string, readonly LegName[]>> = {
    words: ["lexical"],
    fused: ["lexical", "vector"],
  };
  const places: Record<string, number[]> = { words: [], fused: [] };
  for (const trade of readdirSync(YARDSTICK, { withFileTypes: true })) {
    if (!trade.isDirectory()) continue;
    await withTrade(trade.name, embedder, async (engine, rows) => {
      for (const [way, legs] of Object.entries(ways)) {
        const retrieval = retrievalOf(engine, legs, embedder);
        for (const row of rows) places[way]!.push(await placeOf(row, trade.name, retrieval));
      }
    });
  }
  return places;
}

async function withTrade(
  trade: string,
  embedder: Embedder,
  work: (engine: EmbeddedEngine, rows: readonly Row[]) => Promise<void>,
): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), "readback-yardstick-"));
  const engine = new EmbeddedEngine({
    clock: systemClock,
    telemetry: createTelemetry([]),
    directory,
    options: { searchQueueLengthMax: 16, searchProcesses: 1 },
  });
  try {
    const options = ingestDefaults();
    const source = await openFolderSource(join(YARDSTICK, trade, "documents"));
    const deps = ingestDeps(directory, options, { embedding: { embedder, batchSize: BATCH_SIZE } });
    await ingest({ source, network: trade, options }, deps, () => {}, NO_ABORT);
    const lines = readFileSync(join(YARDSTICK, trade, "a.jsonl"), "utf8")
      .trim()
      .split("\n");
    await work(
      engine,
      lines.map((line) => JSON.parse(line) as Row).filter(({ answerable }) => answerable),
    );
  } finally {
    await engine.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

function retrievalOf(
  engine: EmbeddedEngine,
  legs: readonly LegName[],
  embedder: Embedder,
): KnowledgeRetrieval {
  const telemetry = createTelemetry([]);
  const options = defaultsOf(retrievalOptions);
  const embedding = { embedder, queryTimeoutMs: 10_000 };
  return new KnowledgeRetrieval({ clock: systemClock, telemetry, engine, legs, embedding, options });
}

/** A question that follows others is searched for together with them. */
async function placeOf(
  { turns, source }: Row,
  network: string,
  retrieval: KnowledgeRetrieval,
): Promise<number> {
  const access = { network, username: "benchmark", groups: [], kiosk: false };
  const { resultsMax: limit } = defaultsOf(retrievalOptions);
  const found = await retrieval.search({ query: turns.join("\n"), access, limit }, NO_ABORT);
  const place = found.findIndex((passage) => isQuoted(passage, source));
  return place < 0 ? Number.POSITIVE_INFINITY : place;
}

function isQuoted({ sourceFile, headings, text }: Passage, { document, quote }: Row["source"]): boolean {
  if (!sourceFile.endsWith(document)) return false;
  const there = new Set(wordsOf([...headings, text].join("\n")));
  const words = wordsOf(quote);
  return words.filter((word) => there.has(word)).length >= words.length * QUOTED_SHARE_MIN;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
