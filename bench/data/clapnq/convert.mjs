/**
 * ClapNQ's development set to BEIR form: `node convert.mjs <annotated_data/dev of ClapNQ> [<folder to write>]`. All
 * passages, those of the unanswerable questions too, make one pool, each passage once; the answerable questions are the
 * queries, and the passages that were annotated with an answer are relevant to them. The unanswerable questions go to
 * a file of their own.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [source, target = dirname(fileURLToPath(import.meta.url))] = process.argv.slice(2);
if (source === undefined) throw new Error("Say where ClapNQ's development set is.");

const read = (name) =>
  readFileSync(join(source, name), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
const answerable = read("clapnq_dev_answerable.jsonl");
const unanswerable = read("clapnq_dev_unanswerable.jsonl");

/** Passage ids by what the passage says. */
const pool = new Map();
const idOf = ({ title, text }) => {
  const key = JSON.stringify([title, text.trim()]);
  if (!pool.has(key)) pool.set(key, `p${String(pool.size + 1).padStart(4, "0")}`);
  return pool.get(key);
};

const judgements = [];
for (const { id, passages } of answerable) {
  for (const passage of passages) judgements.push([id, idOf(passage), 1]);
}
for (const { passages } of unanswerable) for (const passage of passages) idOf(passage);

const lines = (rows) => rows.map((row) => `${row}\n`).join("");
const corpus = [...pool].map(([key, _id]) => {
  const [title, text] = JSON.parse(key);
  return JSON.stringify({ _id, title, text });
});
const queries = answerable.map(({ id, input }) => JSON.stringify({ _id: id, text: input }));
const header = ["query-id", "corpus-id", "score"];
mkdirSync(join(target, "qrels"), { recursive: true });
writeFileSync(join(target, "corpus.jsonl"), lines(corpus));
writeFileSync(join(target, "queries.jsonl"), lines(queries));
writeFileSync(join(target, "qrels", "test.tsv"), lines([header, ...judgements].map((row) => row.join("\t"))));
const unanswered = unanswerable.map(({ id, input }) => JSON.stringify({ _id: id, text: input }));
writeFileSync(join(target, "unanswerable.jsonl"), lines(unanswered));
console.log(`${corpus.length} passages, ${queries.length} queries, ${judgements.length} judgements`);
