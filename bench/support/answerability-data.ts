/**
 * Questions with the passages that the embedded engine finds for them, and whether these can hold the answer: ClapNQ's
 * answerable and unanswerable questions over one pool of all their passages, through the pipeline that answers turns
 * (lexical leg, five passages), and the handbook's question lists over the handbook.
 */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Passage } from "../../src/domain/passage.js";
import { PROSE } from "../../src/domain/passage.js";
import { systemClock } from "../../src/lib/clock.js";
import { type CorpusDocument, readDataSet } from "../../src/retrieval/benchmark/data-set.js";
import { EmbeddedEngine } from "../../src/retrieval/embedded/embedded-engine.js";
import { openEmbeddedWriter } from "../../src/retrieval/embedded/embedded-writer.js";
import { KnowledgeRetrieval } from "../../src/retrieval/knowledge-retrieval.js";
import { createTelemetry } from "../../src/telemetry/events.js";
import { withKnowledge } from "./knowledge.js";
import { NETWORK } from "./relay.js";

/** A question, what was found for it, and whether it can be answered. */
export interface FoundFor {
  readonly question: string;
  readonly isAnswerable: boolean;
  /** Questions that were written together, where they are few enough to resemble each other; from 0. */
  readonly list?: number;
  readonly passages: readonly Passage[];
}

const CLAPNQ = fileURLToPath(new URL("../../../bench/data/clapnq", import.meta.url));
const HANDBOOK_QUESTIONS = fileURLToPath(
  new URL("../../../src/extractive/extractive.handbook.json", import.meta.url),
);

const RESULTS_MAX = 5;
const NO_ABORT = new AbortController().signal;

export interface ClapNq {
  readonly corpus: readonly CorpusDocument[];
  readonly found: readonly FoundFor[];
}

export async function clapNq(): Promise<ClapNq> {
  const { corpus, queries } = await readDataSet(CLAPNQ);
  const unanswerable = linesOf(join(CLAPNQ, "unanswerable.jsonl"));
  const folder = mkdtempSync(join(tmpdir(), "readback-answerability-"));
  try {
    await index(corpus, folder);
    const asked = [
      ...queries.map(({ text }) => ({ question: text, isAnswerable: true })),
      ...unanswerable.map(({ text }) => ({ question: text, isAnswerable: false })),
    ];
    return { corpus, found: await search(asked, folder, NETWORK) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The questions that the offline answerer is held to; forbidden ones count as unanswerable. */
export function handbook(): Promise<readonly FoundFor[]> {
  const lists = JSON.parse(readFileSync(HANDBOOK_QUESTIONS, "utf8")) as Record<
    "answerable" | "unanswerable",
    readonly { readonly question: string; readonly round: number }[]
  >;
  const asked = [
    ...lists.answerable.map(({ question, round }) => ({ question, isAnswerable: true, list: round - 1 })),
    ...lists.unanswerable.map(({ question, round }) => ({ question, isAnswerable: false, list: round - 1 })),
  ];
  return withKnowledge((dataDir) => search(asked, join(dataDir, "knowledge"), NETWORK));
}

function linesOf(file: string): readonly { readonly text: string }[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { readonly text: string });
}

async function index(corpus: readonly CorpusDocument[], folder: string): Promise<void> {
  const writer = await openEmbeddedWriter(folder, NETWORK);
  for (const { id, text, title } of corpus) {
    await writer.put({
      documentId: id,
      path: id,
      contentHash: createHash("sha256")
        .update(JSON.stringify([title, text]))
        .digest("hex"),
      title,
      sourceFile: id,
      access: { visibility: "network", allowedUsers: [], allowedGroups: [] },
      usesDefaultVisibility: false,
      chunks: [{ chunkId: id, headings: [], kind: PROSE, text }],
    });
  }
  await writer.commit();
  await writer.close();
}

async function search(
  asked: readonly Omit<FoundFor, "passages">[],
  directory: string,
  network: string,
): Promise<readonly FoundFor[]> {
  const engine = new EmbeddedEngine({
    clock: systemClock,
    telemetry: createTelemetry([]),
    directory,
    options: { searchQueueLengthMax: 16, searchProcesses: 2 },
  });
  const retrieval = new KnowledgeRetrieval({
    clock: systemClock,
    telemetry: { emit: () => {} },
    engine,
    legs: ["lexical"],
    options: {
      fusion: "scores",
      fusionConstant: 60,
      fusionCandidates: 40,
      fusionResults: 8,
      searchTimeoutMs: 20_000,
    },
  });
  const access = { network, username: "benchmark", groups: [], kiosk: false };
  try {
    const found: FoundFor[] = [];
    for (const one of asked) {
      const request = { query: one.question, access, limit: RESULTS_MAX };
      found.push({ ...one, passages: await retrieval.search(request, NO_ABORT) });
    }
    return found;
  } finally {
    await engine.close();
  }
}
