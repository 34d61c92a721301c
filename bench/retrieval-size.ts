/**
 * The embedded engine at size, against SQLite's FTS5 and MiniSearch over the same chunks, with the same permission
 * filter and the 40 candidates that the pipeline asks for:
 *
 *     node dist/bench/retrieval-size.js [--sizes 20000,200000] [--engines embedded,fts5,minisearch]
 *
 * Each engine runs in a process of its own, and is filled in another than it is searched in, so that memory is what
 * searching takes. A search of the embedded engine includes the way to its thread and back, and the marked sentences;
 * the others do without. Chunks, access and queries: see support/chunk-corpus.ts.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { Child } from "./support/child.js";
import type { Engine, RetrievalCalls } from "./support/retrieval.child.js";
import { metered, percentile } from "./support/stats.js";

const LIMIT = 40;
const AIM_MS = 10;
const AIM_CHUNKS = 200_000;

/** MiniSearch takes half a second for a query of the larger size, and keeps everything in its heap. */
const MINISEARCH_CHUNKS_MAX = 20_000;

/** Rounds through all 300 queries, after a first one that nobody counts. Slow engines get one. */
const ROUNDS: Readonly<Record<Engine, number>> = { embedded: 3, fts5: 1, minisearch: 1 };
const UPDATES = 40;

export interface SizeOptions {
  readonly sizes: readonly number[];
  readonly engines: readonly Engine[];
}

const DEFAULTS: SizeOptions = { sizes: [20_000, 200_000], engines: ["embedded", "fts5", "minisearch"] };

interface Row {
  readonly engine: Engine;
  readonly chunkCount: number;
  readonly chunksPerSecond: number;
  readonly diskBytes: number;
  readonly residentBytes: number;
  /** Of the first search after opening, which loads what stays in memory. */
  readonly firstMs: number;
  readonly p50: number;
  readonly p95: number;
  /** Processor time of a search, all threads together. */
  readonly cpuMs: number;
  readonly replaceP50: number;
  readonly replaceP95: number;
  readonly searchAfterP50: number;
}

export async function run({ sizes, engines }: SizeOptions = DEFAULTS): Promise<void> {
  console.log(`Search at size: top ${LIMIT}, a quarter of the documents restricted; times in ms\n`);
  console.log(HEADINGS.map((heading) => heading.padStart(WIDTH)).join(""));
  const rows: Row[] = [];
  for (const chunkCount of sizes) {
    for (const engine of engines) {
      if (engine === "minisearch" && chunkCount > MINISEARCH_CHUNKS_MAX) continue;
      const row = await measure(engine, chunkCount);
      rows.push(row);
      console.log(line(row));
    }
  }
  compare(rows);
}

async function measure(engine: Engine, chunkCount: number): Promise<Row> {
  const directory = mkdtempSync(join(tmpdir(), "readback-bench-"));
  let child = start();
  try {
    await child.call("open", { engine, directory });
    const buildMs = await child.call("build", { chunkCount });
    const diskBytes = await child.call("diskBytes", { directory });
    if (engine !== "minisearch") {
      await child.call("close", undefined);
      await child.stop();
      child = start();
      await child.call("open", { engine, directory });
    }
    const [firstMs] = await child.call("search", { limit: LIMIT, rounds: 1 });
    const rounds = ROUNDS[engine];
    const { result, load } = await metered([child], async () => {
      const startMs = performance.now();
      const times = await child.call("search", { limit: LIMIT, rounds });
      return { times: times.sort(), elapsedMs: performance.now() - startMs };
    });
    const residentBytes = await child.call("residentBytes", undefined);
    const { replaceMs, searchMs } = await child.call("update", { times: UPDATES, chunkCount });
    await child.call("close", undefined);
    return {
      engine,
      chunkCount,
      chunksPerSecond: chunkCount / (buildMs / 1_000),
      diskBytes,
      residentBytes,
      firstMs: firstMs!,
      p50: percentile(result.times, 0.5),
      p95: percentile(result.times, 0.95),
      cpuMs: (load.own[0]! * result.elapsedMs) / result.times.length,
      replaceP50: percentile(replaceMs.sort(), 0.5),
      replaceP95: percentile(replaceMs, 0.95),
      searchAfterP50: percentile(searchMs.sort(), 0.5),
    };
  } finally {
    await child.stop();
    rmSync(directory, { recursive: true, force: true });
  }
}

function start(): Child<RetrievalCalls> {
  return new Child<RetrievalCalls>("retrieval.child", { execArgv: ["--expose-gc"] });
}

const WIDTH = 11;
const HEADINGS = [
  "engine",
  "chunks",
  "chunks/s",
  "disk MB",
  "memory MB",
  "first",
  "p50",
  "p95",
  "cpu",
  "update p50",
  "update p95",
  "next p50",
];

function line(row: Row): string {
  const mega = (bytes: number) => (bytes / 1e6).toFixed(0);
  const times = [
    row.firstMs,
    row.p50,
    row.p95,
    row.cpuMs,
    row.replaceP50,
    row.replaceP95,
    row.searchAfterP50,
  ];
  const cells = [
    row.engine,
    String(row.chunkCount),
    row.chunksPerSecond.toFixed(0),
    mega(row.diskBytes),
    mega(row.residentBytes),
    ...times.map((ms) => ms.toFixed(1)),
  ];
  return cells.map((cell) => cell.padStart(WIDTH)).join("");
}

function compare(rows: readonly Row[]): void {
  console.log();
  const ours = rows.filter(({ engine }) => engine === "embedded");
  for (const own of ours) {
    for (const other of rows) {
      if (other.chunkCount !== own.chunkCount || other.engine === "embedded") continue;
      const times = (ratio: number) => `${ratio.toFixed(1)} times`;
      console.log(
        `${own.chunkCount} chunks: ${other.engine} takes ${times(other.p50 / own.p50)} as long at p50, ` +
          `${times(other.p95 / own.p95)} at p95, ${times(other.replaceP50 / own.replaceP50)} for an update`,
      );
    }
  }
  const [small, large] = [ours[0], ours.at(-1)];
  if (small !== undefined && large !== undefined && small !== large) {
    const growth = (large.chunkCount / small.chunkCount).toFixed(1);
    console.log(
      `${growth} times the chunks cost ${(large.p50 / small.p50).toFixed(1)} times at p50, ` +
        `${(large.p95 / small.p95).toFixed(1)} times at p95`,
    );
  }
  const aimed = ours.find(({ chunkCount }) => chunkCount === AIM_CHUNKS);
  if (aimed !== undefined)
    console.log(`p95 under ${AIM_MS} ms at ${AIM_CHUNKS} chunks: ${aimed.p95 < AIM_MS ? "met" : "MISSED"}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { values } = parseArgs({
    options: { sizes: { type: "string" }, engines: { type: "string" } },
  });
  await run({
    sizes: values.sizes?.split(",").map(Number) ?? DEFAULTS.sizes,
    engines: (values.engines?.split(",") as Engine[] | undefined) ?? DEFAULTS.engines,
  });
}
