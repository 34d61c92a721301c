/**
 * Questions with the passages that the embedded engine finds for them, and whether these can hold the answer: ClapNQ's
 * answerable and unanswerable questions over one pool of all their passages, through the pipeline that answers turns
 * (by words and by the vectors that come with the service, five passages), and the handbook's question lists over the
 * handbook.
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
import { embeddedText } from "../../src/retrieval/embedding/embedded-text.js";
import { StaticEmbedder } from "../../src/retrieval/embedding/static.js";
import { KnowledgeRetrieval } from "../../src/retrieval/knowledge-retrieval.js";
import { createTelemetry } from "../../src/telemetry/events.js";
import { meaningOf } from "../../src/words/meaning/meaning.js";
import { withKnowledge } from "./knowledge.js";
import { NETWORK } from "./relay.js";

/** A question, what was found for it, and whether it can be answered. */
export interface FoundFor {
  readonly question: string;
  readonly isAnswerable: boolean;
  /** Questions that are held out together: a half of ClapNQ, or a list of the handbook, within which they resemble each other. */
  readonly part: string;
  readonly passages: readonly Passage[];
  /** The document that people found the answer in, where that is known. */
  readonly answeredBy?: string;
}

const CLAPNQ = fileURLToPath(new URL("../../../bench/data/clapnq", import.meta.url));
const HANDBOOK_QUESTIONS = fileURLToPath(
  new URL("../../../src/extractive/extractive.handbook.json", import.meta.url),
);

const RESULTS_MAX = 5;
const NO_ABORT = new AbortController().signal;

export interface Searched {
  /** What was searched; of the handbook, all passages that were found for anything. */
  readonly corpus: readonly CorpusDocument[];
  readonly found: readonly FoundFor[];
}

export async function clapNq(): Promise<Searched> {
  const { corpus, queries } = await readDataSet(CLAPNQ);
  const unanswerable = linesOf(join(CLAPNQ, "unanswerable.jsonl"));
  const folder = mkdtempSync(join(tmpdir(), "readback-answerability-"));
  try {
    await index(corpus, folder);
    const asked = [
      ...queries.map(({ judgements, text }, i) => {
        const [answeredBy] = judgements.keys();
        return { question: text, isAnswerable: true, part: halfOf(i), answeredBy: answeredBy! };
      }),
      ...unanswerable.map(({ text }, i) => ({ question: text, isAnswerable: false, part: halfOf(i) })),
    ];
    return { corpus, found: await search(asked, folder, NETWORK) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every second question. */
function halfOf(i: number): string {
  return `ClapNQ, half ${i % 2}`;
}

/** The questions that the offline answerer is held to; forbidden ones count as unanswerable. */
export async function handbook(): Promise<Searched> {
  const lists = JSON.parse(readFileSync(HANDBOOK_QUESTIONS, "utf8")) as Record<
    "answerable" | "unanswerable",
    readonly { readonly question: string; readonly round: number }[]
  >;
  const asked = [
    ...lists.answerable.map((one) => ({ ...one, isAnswerable: true })),
    ...lists.unanswerable.map((one) => ({ ...one, isAnswerable: false })),
  ].map(({ isAnswerable, question, round }) => ({ question, isAnswerable, part: `handbook, list ${round}` }));
  const found = await withKnowledge((dataDir) => search(asked, join(dataDir, "knowledge"), NETWORK));
  const passages = new Map(found.flatMap((one) => one.passages.map((passage) => [passage.chunkId, passage])));
  const corpus = [...passages.values()].map(({ chunkId, headings, text, title }) => {
    return { id: chunkId, title: [title, ...headings].join(" "), text };
  });
  return { corpus, found };
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
      chunks: [
        { chunkId: id, headings: [], kind: PROSE, text, vector: meaningOf(embeddedText(title, [], text)) },
      ],
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
    legs: ["lexical", "vector"],
    embedding: { embedder: new StaticEmbedder(), queryTimeoutMs: 10_000 },
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
