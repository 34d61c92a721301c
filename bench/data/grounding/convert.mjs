// Makes `clapnq.jsonl` and `summedits.jsonl` of the published files: node convert.mjs <clapnq_dev_answerable.jsonl> <folder of summedits>
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [answerable, summedits] = process.argv.slice(2);
const lines = (rows) => `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`;

const questions = readFileSync(answerable, "utf8").trim().split("\n").map(JSON.parse);
writeFileSync(
  "clapnq.jsonl",
  lines(
    questions.map(({ id, input, passages, output }) => ({
      id,
      question: input,
      title: passages[0].title,
      text: passages[0].text,
      answers: output.map(({ answer }) => answer).filter((answer) => answer !== ""),
    })),
  ),
);

const rows = ["sales_call", "sales_email"].flatMap((domain) => {
  const byDocument = new Map();
  for (const { doc, summary, label, edit_types } of JSON.parse(
    readFileSync(join(summedits, `${domain}.json`), "utf8"),
  )) {
    if (!byDocument.has(doc))
      byDocument.set(doc, { id: `${domain}-${byDocument.size}`, text: doc.trim(), summaries: [] });
    byDocument.get(doc).summaries.push({ text: summary, consistent: label === 1, edits: edit_types });
  }
  return [...byDocument.values()];
});
writeFileSync("summedits.jsonl", lines(rows));
