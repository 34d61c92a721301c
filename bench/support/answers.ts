/**
 * The questions of `bench/answers`, asked: a folder for each trade with its `documents`, and two halves of questions,
 * `a.jsonl` and `b.jsonl`. Half b is never looked at, so that nobody tunes on it: nothing of its rows leaves this module
 * but figures.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Asking, withAnswerer, withDocuments } from "../../src/compose/asked-documents.js";
import { COMMAND_DEPS } from "../../src/compose/knowledge.js";
import type { Config } from "../../src/config/schema.js";
import type { Answer, AnswerClaim } from "../../src/domain/answer.js";
import type { AnswerReport } from "../../src/domain/answer-report.js";
import { askRow } from "../../src/evaluation/ask-row.js";
import type { DataSetRow } from "../../src/evaluation/data-set.js";
import { type Mark, type Marked, type MarkedRow, marked, markText } from "../../src/evaluation/marking.js";
import { quoteIsFound } from "../../src/evaluation/metrics/evidence.js";
import { readDataSetFile } from "../../src/evaluation/read-data-set.js";
import type { KnowledgeDocument } from "../../src/retrieval/writer.js";
import { normalizedBm25 } from "./bm25.js";
import { slowClock } from "./slow-clock.js";

export const HALVES = ["a", "b"] as const;
export type Half = (typeof HALVES)[number];

const QUESTIONS = fileURLToPath(new URL("../../../bench/answers", import.meta.url));
const NETWORK = "bench";
const ROWS_MAX = 1_000;
/** Passages of a search that an answer is made of. */
const FOUND_MAX = 5;

export interface AskedRow extends MarkedRow {
  readonly trade: string;
  /** Whether the search found what the row quotes; undefined where it quotes nothing. */
  readonly found: boolean | undefined;
  /** What a yes to the question back came to; undefined where nothing was offered. */
  readonly accepted: Mark | undefined;
  /** As it was told; undefined where the turn failed. */
  readonly confidence: number | undefined;
  /** How likely there is an answer, by that confidence. */
  readonly sure: number | undefined;
  /** The best passage's score by BM25 over the trade's passages, by the weight of the question. */
  readonly bm25: number;
  /** Answered without the model, though there is one: it failed. */
  readonly degraded: boolean;
  /** What was asked and said: of half a only. Whoever sees rows of half b tunes on them, and it measures nothing any more. */
  readonly told?: {
    readonly id: string;
    readonly turns: readonly string[];
    readonly answer: string;
    readonly outcome: string;
    readonly fault: string;
    /** Each sentence of the draft with what came of checking it, the withheld ones too. */
    readonly claims: readonly AnswerClaim[];
    /** How long the last turn took, in milliseconds. */
    readonly ms: number | undefined;
  };
}

export interface AskingOptions {
  /** Of each trade, so many rows at the most. */
  readonly rows?: number | undefined;
  /** Every limit of time is so many times as long: for a model on a slow machine. */
  readonly slower?: number | undefined;
}

/** The trades that have questions. */
export function tradesOf(half: Half, folder = QUESTIONS): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((trade) => existsSync(join(folder, trade, `${half}.jsonl`)))
    .sort();
}

/** Asks every row of a half, one after the other, in an index of the trade's documents. */
export async function askTrade(
  trade: string,
  half: Half,
  config: Config,
  folder = QUESTIONS,
  { rows: rowsMax = ROWS_MAX, slower = 1 }: AskingOptions = {},
): Promise<readonly AskedRow[]> {
  const file = join(folder, trade, `${half}.jsonl`);
  const { rows: all } = readDataSetFile(file, readFileSync(file, "utf8"), { rowsMax: ROWS_MAX });
  const rows = all.slice(0, rowsMax);
  const deps = { ...COMMAND_DEPS, clock: slowClock(COMMAND_DEPS.clock, slower) };
  const { signal } = new AbortController();
  const documents = join(folder, trade, "documents");
  return withDocuments(config, documents, NETWORK, signal, (asked, ingested) => {
    const bm25 = bm25Of(ingested, rows);
    const asking = async ({ answerer }: Asking) => {
      const results: AskedRow[] = [];
      for (const [i, row] of rows.entries()) {
        const report = await askRow(row, NETWORK, answerer, signal);
        const { answer } = report;
        const { category, expected } = row;
        const mark = marked(expected, report);
        if (mark === undefined || expected.key === undefined)
          throw new Error(`${file}: row ${i + 1} does not say whether it is answerable`);
        const { answerable, source } = expected.key;
        const isOffer = answer?.outcome === "ambiguous" && answerable;
        const withYes = { ...row, turns: [...row.turns, "yes"] };
        const accepted = isOffer
          ? marked(expected, await askRow(withYes, NETWORK, answerer, signal))
          : undefined;
        results.push({
          trade,
          accepted: accepted?.mark,
          category,
          answerable,
          marked: half === "a" ? mark : { ...mark, lacks: [], forbidden: [] },
          found:
            !answerable || source?.quote === undefined
              ? undefined
              : quoteIsFound(answer?.passages.slice(0, FOUND_MAX) ?? [], source.quote),
          confidence: answer?.confidence,
          sure: answer && sureOf(answer),
          bm25: bm25[i]!,
          degraded: answer?.degraded ?? true,
          ...(half === "a" && { told: toldOf(row, report, mark) }),
        });
      }
      return results;
    };
    return withAnswerer(asked, asking, deps);
  });
}

function toldOf(
  { expected, id, turns }: DataSetRow,
  report: AnswerReport,
  mark: Marked,
): NonNullable<AskedRow["told"]> {
  const { answer, failure, timingsMs } = report;
  return {
    id,
    turns,
    answer: answer?.text ?? failure?.error ?? "",
    outcome: answer?.outcome ?? failure?.code ?? "",
    fault: markText(mark, expected),
    claims: answer?.claims ?? [],
    ms: timingsMs.total,
  };
}

/** Where nothing was said of the documents, the confidence is that they hold no answer. */
function sureOf({ claims, confidence }: Answer): number {
  return claims.some(({ said }) => said) ? confidence : 1 - confidence;
}

/** A follow-up is searched with what was asked before it. */
function bm25Of(documents: readonly KnowledgeDocument[], rows: readonly DataSetRow[]): readonly number[] {
  const corpus = documents.flatMap(({ chunks, title }) =>
    chunks.map(({ chunkId, headings, text }) => ({
      id: chunkId,
      title: [title, ...headings].join(" "),
      text,
    })),
  );
  return normalizedBm25(
    corpus,
    rows.map(({ turns }) => turns.join(" ")),
  );
}
