/**
 * A data set for retrieval in BEIR form: `corpus.jsonl` with `_id`, `title` and `text`, `queries.jsonl` with `_id` and
 * `text`, `qrels/test.tsv` with the columns query-id, corpus-id and score under a header. N. Thakur and others: "BEIR: A
 * Heterogenous Benchmark for Zero-shot Evaluation of Information Retrieval Models", 2021.
 */
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { z } from "zod";

export interface BenchmarkData {
  readonly corpus: readonly CorpusDocument[];
  /** The queries that something is relevant to, in the order of their file. */
  readonly queries: readonly JudgedQuery[];
  /** Queries of the file that nothing is judged relevant to: they are left out. */
  readonly unjudgedQueries: number;
}

export interface CorpusDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface JudgedQuery {
  readonly id: string;
  readonly text: string;
  /** Relevance by document; 0 and less is not relevant. */
  readonly judgements: ReadonlyMap<string, number>;
}

/** The data set cannot be used; the message names the file, the line and what to do. */
export class DataSetError extends Error {
  override readonly name = "DataSetError";
}

/** Reads a folder. Rejects with `DataSetError`. */
export async function readDataSet(folder: string): Promise<BenchmarkData> {
  const corpus = await readCorpus(join(folder, "corpus.jsonl"));
  const queries = await readQueries(join(folder, "queries.jsonl"));
  const known = {
    queries: new Set(queries.map(({ id }) => id)),
    documents: new Set(corpus.map(({ id }) => id)),
  };
  const file = join(folder, "qrels", "test.tsv");
  const judgements = await readJudgements(file, known);
  const judged = queries
    .map((query) => ({ ...query, judgements: judgements.get(query.id) ?? new Map<string, number>() }))
    .filter((query) => [...query.judgements.values()].some((relevance) => relevance > 0));
  if (judged.length === 0)
    throw new DataSetError(`${file} judges nothing relevant, so there is nothing to measure.`);
  return { corpus, queries: judged, unjudgedQueries: queries.length - judged.length };
}

const id = z.string().min(1);
const corpusLine = z.object({ _id: id, title: z.string().optional(), text: z.string() });
const queryLine = z.object({ _id: id, text: z.string() });

async function readCorpus(file: string): Promise<CorpusDocument[]> {
  const rows = await readJsonLines(file, corpusLine);
  return rows.map(({ _id, title = "", text }) => ({ id: _id, title, text }));
}

async function readQueries(file: string): Promise<{ readonly id: string; readonly text: string }[]> {
  return (await readJsonLines(file, queryLine)).map(({ _id, text }) => ({ id: _id, text }));
}

/** One object a line; blank lines count for nothing. An id may come once. */
async function readJsonLines<T extends { readonly _id: string }>(
  file: string,
  shape: z.ZodType<T>,
): Promise<T[]> {
  const rows = new Map<string, T>();
  for await (const [number, line] of linesOf(file)) {
    const parsed = shape.safeParse(jsonOf(line, `${file}:${number}`));
    if (!parsed.success) throw new DataSetError(`${file}:${number}: ${problemOf(parsed.error)}`);
    const { _id } = parsed.data;
    if (rows.has(_id))
      throw new DataSetError(`${file}:${number}: the id ${JSON.stringify(_id)} is there twice.`);
    rows.set(_id, parsed.data);
  }
  if (rows.size === 0) throw new DataSetError(`${file} is empty.`);
  return [...rows.values()];
}

function jsonOf(line: string, place: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new DataSetError(`${place}: this is no JSON: ${(error as Error).message}`, { cause: error });
  }
}

function problemOf(error: z.ZodError): string {
  const { path, message } = error.issues[0]!;
  return `${path.length === 0 ? "the line" : path.join(".")}: ${message}.`;
}

const HEADER = "query-id\tcorpus-id\tscore";

async function readJudgements(
  file: string,
  known: { readonly queries: ReadonlySet<string>; readonly documents: ReadonlySet<string> },
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const judgements = new Map<string, Map<string, number>>();
  let header: string | undefined;
  for await (const [number, line] of linesOf(file)) {
    const place = `${file}:${number}`;
    if (header === undefined) {
      header = line;
      if (line !== HEADER)
        throw new DataSetError(
          `${place}: the first line has to be the header query-id, corpus-id, score, with tabs.`,
        );
      continue;
    }
    const [queryId, documentId, score, ...rest] = line.split("\t");
    if (score === undefined || rest.length > 0 || !/^-?\d+$/.test(score.trim()))
      throw new DataSetError(
        `${place}: expected a query's id, a document's id and a whole number, with tabs.`,
      );
    if (!known.queries.has(queryId!))
      throw new DataSetError(`${place}: queries.jsonl has no query ${JSON.stringify(queryId)}.`);
    if (!known.documents.has(documentId!))
      throw new DataSetError(`${place}: corpus.jsonl has no document ${JSON.stringify(documentId)}.`);
    const ofQuery = judgements.get(queryId!) ?? new Map<string, number>();
    if (ofQuery.has(documentId!)) throw new DataSetError(`${place}: this pair is judged twice.`);
    judgements.set(queryId!, ofQuery.set(documentId!, Number(score)));
  }
  if (header === undefined) throw new DataSetError(`${file} is empty.`);
  return judgements;
}

/** The lines that are not blank, with their numbers from 1. */
async function* linesOf(file: string): AsyncGenerator<[number: number, line: string]> {
  const input = createReadStream(file, "utf8");
  let number = 0;
  try {
    for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      number++;
      const text = number === 1 ? line.replace(/^\ufeff/, "") : line;
      if (text.trim() !== "") yield [number, text];
    }
  } catch (error) {
    if (!(error instanceof Error && "syscall" in error)) throw error;
    const message =
      `${file} cannot be read (${"code" in error ? String(error.code) : error.message}). ` +
      "A data set in BEIR form is a folder with corpus.jsonl, queries.jsonl and qrels/test.tsv.";
    throw new DataSetError(message, { cause: error });
  } finally {
    input.destroy();
  }
}
