/** `readback benchmark-retrieval`: how good search is on a data set with judgements, leg by leg and fused. */
import { Command, InvalidArgumentError } from "commander";
import { type Knowledge, openKnowledge } from "../compose/knowledge.js";
import { loadConfig } from "../config/load.js";
import type { Config } from "../config/schema.js";
import { systemClock } from "../lib/clock.js";
import { benchmark } from "../retrieval/benchmark/benchmark.js";
import { readDataSet } from "../retrieval/benchmark/data-set.js";
import { reportTable, reportValue } from "../retrieval/benchmark/report.js";
import type { LegName } from "../retrieval/engine.js";
import { ProgressLine, say, sayJson } from "./output.js";
import { inTemporaryIndex } from "./temporary-index.js";

interface BenchmarkRetrievalOptions {
  readonly legs?: readonly LegName[];
  readonly network?: string;
  readonly json?: true;
}

const LEGS: readonly LegName[] = ["lexical", "semantic", "vector"];

export function benchmarkRetrievalCommand(signal: AbortSignal): Command {
  return new Command("benchmark-retrieval")
    .argument("<folder>", "the data set: corpus.jsonl, queries.jsonl and qrels/test.tsv")
    .option(
      "--legs <names>",
      `ways of ranking, with commas between them, of ${LEGS.join(", ")}; all that the engine has unless given`,
      legNames,
    )
    .option(
      "--network <name>",
      "measure the configured engine, with the data set as this network, which must hold nothing; " +
        "unless given, a temporary embedded index is made",
    )
    .option("--json", "print JSON")
    .action((folder: string, options: BenchmarkRetrievalOptions) => run(folder, options, signal));
}

async function run(
  folder: string,
  { legs, network, json }: BenchmarkRetrievalOptions,
  signal: AbortSignal,
): Promise<void> {
  const dataSet = await readDataSet(folder);
  const { config } = loadConfig();
  const measured = { ...config, retrieval: { ...config.retrieval, ...(legs && { legs }) } };
  const progress = new ProgressLine();
  const measure = async (knowledge: Knowledge, name: string): Promise<void> => {
    try {
      const deps = depsOf(knowledge, measured);
      const report = await benchmark(
        dataSet,
        name,
        deps,
        ({ doing, done, total }) => progress.show(`${doing}: ${done}/${total}`),
        signal,
      );
      progress.clear();
      if (json) sayJson(reportValue(report));
      else say(...reportTable(report).split("\n"));
    } finally {
      progress.clear();
      await knowledge.close();
    }
  };
  if (network !== undefined) await measure(await openKnowledge(measured), network);
  else await inTemporaryIndex(measured, async (asked) => measure(await openKnowledge(asked), "benchmark"));
}

function depsOf(knowledge: Knowledge, config: Config): Parameters<typeof benchmark>[2] {
  const { engine, embedder, openWriter } = knowledge;
  const { legs = engine.legs.filter((leg) => leg !== "vector" || embedder !== undefined) } = config.retrieval;
  const { batchSize, queryTimeoutMs } = config.embedding;
  return {
    clock: systemClock,
    engine,
    openWriter,
    legs,
    embedding: embedder && { embedder, batchSize, queryTimeoutMs },
    options: config.retrieval,
  };
}

function legNames(text: string): readonly LegName[] {
  const names = [...new Set(text.split(",").map((name) => name.trim()))];
  const known = names.filter((name): name is LegName => LEGS.some((leg) => leg === name));
  if (known.length < names.length) throw new InvalidArgumentError(`There are ${LEGS.join(", ")}.`);
  return known;
}
