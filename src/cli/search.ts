/** `readback search`: what a user would be given for a query, and why, down to the terms; for operators. */
import { Command, InvalidArgumentError } from "commander";
import { openKnowledge } from "../compose/knowledge.js";
import { loadConfig } from "../config/load.js";
import { say, sayJson } from "./output.js";
import { accessOf, type ReaderOptions, withReader } from "./reader-options.js";
import { type Explained, fateOf, searchReport } from "./search-report.js";

interface SearchOptions extends ReaderOptions {
  readonly limit?: number;
  readonly candidates: number;
  readonly json?: true;
}

const CANDIDATES = 10;
const CANDIDATES_MAX = 1_000;

export function searchCommand(signal: AbortSignal): Command {
  const command = new Command("search")
    .argument("<query>", "what is looked for")
    .requiredOption("--network <name>", "the network whose documents are searched")
    .option("--limit <n>", "passages at the most; the configured number unless given", count)
    .option("--candidates <n>", "candidates that are explained for each way of ranking", count, CANDIDATES)
    .option("--json", "print JSON");
  return withReader(command).action((query: string, options: SearchOptions) =>
    search(query, options, signal),
  );
}

async function search(query: string, options: SearchOptions, signal: AbortSignal): Promise<void> {
  const { config } = loadConfig();
  const knowledge = openKnowledge(config);
  try {
    const access = await accessOf(options, knowledge.groups, signal);
    const limit = options.limit ?? config.retrieval.resultsMax;
    const returned = await knowledge.retrieval.search({ query, access, limit }, signal);
    const candidates = new Map(
      await Promise.all(
        knowledge.legs.map(
          async (leg) =>
            [
              leg,
              await knowledge.inspector.explain({ leg, query, access, limit: options.candidates }, signal),
            ] as const,
        ),
      ),
    );
    const explained = { query, access, returned, candidates };
    if (options.json) sayJson(jsonOf(explained));
    else say(...searchReport(explained));
  } finally {
    await knowledge.close();
  }
}

function jsonOf({ query, access, returned, candidates }: Explained): object {
  const legs = [...candidates].map(([leg, ranked]) => ({
    leg,
    candidates: ranked.map((candidate) => ({ ...candidate, fate: fateOf(candidate, returned) })),
  }));
  return { query, access, returned, legs };
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > CANDIDATES_MAX)
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${CANDIDATES_MAX}.`);
  return value;
}
