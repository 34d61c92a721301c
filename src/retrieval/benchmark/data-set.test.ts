import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DataSetError, readDataSet } from "./data-set.js";

const CORPUS =
  '{"_id":"d1","title":"Lockout","text":"Hang the lock."}\n{"_id":"d2","text":"Oil the chain."}\n';
const QUERIES = '{"_id":"q1","text":"lock"}\n\n{"_id":"q2","text":"chain"}\n{"_id":"q3","text":"no one"}\n';
const QRELS = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td2\t1\n";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "readback-"));
  mkdirSync(join(folder, "qrels"));
  write({});
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write({ corpus = CORPUS, queries = QUERIES, qrels = QRELS }): void {
  writeFileSync(join(folder, "corpus.jsonl"), corpus);
  writeFileSync(join(folder, "queries.jsonl"), queries);
  writeFileSync(join(folder, "qrels", "test.tsv"), qrels);
}

const EXPECTED = {
  corpus: [
    { id: "d1", title: "Lockout", text: "Hang the lock." },
    { id: "d2", title: "", text: "Oil the chain." },
  ],
  queries: [
    {
      id: "q1",
      text: "lock",
      judgements: new Map([
        ["d1", 2],
        ["d2", 0],
      ]),
    },
    { id: "q2", text: "chain", judgements: new Map([["d2", 1]]) },
  ],
  unjudgedQueries: 1,
};

describe("readDataSet", () => {
  it("reads documents, queries and judgements, and leaves out queries that nothing is relevant to", async () => {
    expect(await readDataSet(folder)).toEqual(EXPECTED);
  });

  it("takes a byte order mark, Windows line ends, fields that it does not know and a missing last line end", async () => {
    const windows = (text: string) => `\ufeff${text.trimEnd().replaceAll("\n", "\r\n")}`;
    write({
      corpus: windows(CORPUS.replace('"text"', '"metadata":{},"text"')),
      queries: windows(QUERIES),
      qrels: windows(QRELS),
    });
    expect(await readDataSet(folder)).toEqual(EXPECTED);
  });

  it.each([
    ["a line that is no JSON", { corpus: `${CORPUS}{"_id":"d3",\n` }, /corpus\.jsonl:3: this is no JSON/],
    ["a line that is no object", { queries: "7\n" }, /queries\.jsonl:1: the line: /],
    ["a document without text", { corpus: '{"_id":"d1"}\n' }, /corpus\.jsonl:1: text: /],
    ["an id that is a number", { queries: '{"_id":1,"text":"a"}\n' }, /queries\.jsonl:1: _id: /],
    ["an id that is empty", { corpus: '{"_id":"","text":"a"}\n' }, /corpus\.jsonl:1: _id: /],
    ["an id that is there twice", { corpus: CORPUS + CORPUS }, /corpus\.jsonl:3: the id "d1" is there twice/],
    ["an empty corpus", { corpus: "\n" }, /corpus\.jsonl is empty/],
    ["no header", { qrels: "q1\td1\t1\n" }, /test\.tsv:1: the first line has to be the header/],
    ["nothing but blank lines", { qrels: "\n" }, /test\.tsv is empty/],
    ["a header only", { qrels: QRELS.split("\n")[0]! }, /judges nothing relevant/],
    [
      "a query that nobody knows",
      { qrels: `${QRELS}q9\td1\t1\n` },
      /test\.tsv:5: queries\.jsonl has no query "q9"/,
    ],
    [
      "a document that nobody knows",
      { qrels: `${QRELS}q2\td9\t1\n` },
      /test\.tsv:5: corpus\.jsonl has no document "d9"/,
    ],
    ["a pair judged twice", { qrels: `${QRELS}q2\td2\t1\n` }, /test\.tsv:5: this pair is judged twice/],
    ["a score that is no number", { qrels: `${QRELS}q2\td1\tyes\n` }, /test\.tsv:5: expected/],
    ["spaces for tabs", { qrels: `${QRELS}q2 d1 1\n` }, /test\.tsv:5: expected/],
    ["a column too many", { qrels: `${QRELS}q2\td1\t1\t1\n` }, /test\.tsv:5: expected/],
  ])("refuses %s, and says where", async (_name, files, message) => {
    write(files);
    const error = await readDataSet(folder).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DataSetError);
    expect((error as Error).message).toMatch(message);
  });

  it.each(["corpus.jsonl", "queries.jsonl", "qrels/test.tsv"])("says so when %s is missing", async (name) => {
    rmSync(join(folder, name));
    const message = `${join(folder, name)} cannot be read (ENOENT). A data set in BEIR form is a folder with`;
    await expect(readDataSet(folder)).rejects.toThrow(message);
  });

  it("reads the data set that comes with the benchmarks", async () => {
    const clapnq = fileURLToPath(new URL("../../../bench/data/clapnq", import.meta.url));
    const { corpus, queries, unjudgedQueries } = await readDataSet(clapnq);
    expect([corpus.length, queries.length, unjudgedQueries]).toEqual([596, 300, 0]);
  });
});
