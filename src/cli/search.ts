/** `readback search`: what a user would be given for a query, and why, down to the terms; for operators. */
import { Command, InvalidArgumentError } from "commander";
import { type Knowledge, openKnowledge } from "../compose/knowledge.js";
import { loadConfig } from "../config/load.js";
import type { Passage } from "../domain/passage.js";
import { EmbeddingUnavailable } from "../retrieval/embedding/port.js";
import type { LegName, LegRequest } from "../retrieval/engine.js";
import { SearchUnavailable } from "../retrieval/port.js";
import { say, sayJson } from "./output.js";
import { accessOf, type ReaderOptions, withReader } from "./reader-options.js";
import { fateOf, type LegView, type SearchExplanation, searchReport } from "./search-report.js";

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
  const knowledge = await openKnowledge(config);
  try {
    const access = await accessOf(options, knowledge.groups, signal);
    const limit = options.limit ?? config.retrieval.resultsMax;
    const returned = await knowledge.retrieval.search({ query, access, limit }, signal);
    const request = { query, access, limit: options.candidates };
    const views = knowledge.legs.map(
      async (leg) => [leg, await viewOf(leg, request, knowledge, signal)] as const,
    );
    const explained = { query, access, returned, legs: new Map(await Promise.all(views)) };
    if (options.json) sayJson(jsonOf(explained));
    else say(...searchReport(explained));
  } finally {
    await knowledge.close();
  }
}

async function viewOf(
  leg: LegName,
  request: Omit<LegRequest, "leg" | "vector">,
  { embedder, inspector }: Knowledge,
  signal: AbortSignal,
): Promise<LegView> {
  try {
    const [vector] = leg === "vector" ? await embedder!.embed([request.query], signal) : [];
    const asked = { ...request, leg, ...(vector === undefined ? {} : { vector }) };
    return { type: "ranked", candidates: await inspector.explain(asked, signal) };
  } catch (error) {
    if (!(error instanceof SearchUnavailable || error instanceof EmbeddingUnavailable)) throw error;
    return { type: "unavailable", error: error.message };
  }
}

function jsonOf({ query, access, returned, legs }: SearchExplanation): object {
  const views = [...legs].map(([leg, view]) => ({ leg, ...jsonOfView(view, returned) }));
  return { query, access, returned, legs: views };
}

function jsonOfView(view: LegView, returned: readonly Passage[]): object {
  if (view.type === "unavailable") return { error: view.error };
  const fates = view.candidates.map((candidate) => ({ ...candidate, fate: fateOf(candidate, returned) }));
  return { candidates: fates };
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > CANDIDATES_MAX)
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${CANDIDATES_MAX}.`);
  return value;
}
