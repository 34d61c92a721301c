// Checks the rows of the training set against their documents.
// Run: node bench/training/check.mjs [--remarks]. How text is compared is the code of bench/answers/check.mjs.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { satisfies, says } from "../answers/check.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const own = {
  fact: 16,
  procedure: 8,
  list: 7,
  table: 5,
  contrast: 5,
  follow_up: 4,
  false_premise: 1,
  near_unanswerable: 4,
};
const handbook = {
  fact: 13,
  procedure: 6,
  list: 5,
  table: 4,
  contrast: 4,
  follow_up: 3,
  false_premise: 2,
  near_unanswerable: 3,
};
const sets = [
  { name: "boat", documents: join(here, "boat", "documents"), counts: own },
  { name: "trades", documents: join(here, "trades", "documents"), counts: own },
  { name: "office", documents: join(here, "office", "documents"), counts: own },
  { name: "handbook", documents: join(here, "..", "..", "examples", "handbook"), counts: handbook },
];
const fields = "id kind turns answerable expect partial_ok items forbid hurts source note".split(" ");
const problems = [];
const remarks = [];
const ids = new Set();
let rows = 0;

for (const { name, documents, counts } of sets) {
  const present = readdirSync(documents);
  if (name !== "handbook")
    for (const needed of ["SOURCE.md", "LICENSE"])
      if (!existsSync(join(here, name, needed))) problems.push(`${name}: no ${needed}`);
  const seen = {};
  const used = new Set();
  for (const line of readFileSync(join(here, name, "questions.jsonl"), "utf8").split("\n")) {
    if (line === "") continue;
    const row = JSON.parse(line);
    const say = (what) => problems.push(`${row.id}: ${what}`);
    rows += 1;
    seen[row.kind] = (seen[row.kind] ?? 0) + 1;
    used.add(row.source.document);
    if (ids.has(row.id)) say("this id is there twice");
    ids.add(row.id);
    for (const field of Object.keys(row)) if (!fields.includes(field)) say(`${field} is no field`);
    if ((row.kind === "follow_up") !== row.turns.length > 1)
      say("several turns belong to follow_up, and only there");
    const words = row.turns.join(" ").split(/\s+/).length;
    if (words < 5 || words > 25) say(`${words} words`);
    if (row.answerable !== (row.kind !== "near_unanswerable")) say("answerable does not fit the kind");
    if (row.answerable !== row.expect.length > 0) say("expect does not fit answerable");
    if (row.partial_ok !== Array.isArray(row.items)) say("items belongs to partial_ok");
    if (!row.answerable && row.forbid.length === 0) say("an unanswerable row needs tempting values");
    for (const flag of ["answerable", "partial_ok", "hurts"])
      if (typeof row[flag] !== "boolean") say(`${flag} is no boolean`);
    if (!present.includes(row.source.document)) {
      say("no such document");
      continue;
    }
    const text = readFileSync(join(documents, row.source.document), "utf8");
    if (!text.includes(row.source.quote)) say("the quote is not literally in its document");
    if (!text.includes(row.source.heading)) say("the heading is not in its document");
    const example = row.expect.map((group) => group[0]).join(", ");
    if (row.answerable && !satisfies(example, row)) say("an answer of the first alternatives fails");
    if (row.answerable && satisfies("The documents do not say anything about this.", row))
      remarks.push(`${row.id}: a bare refusal would pass by the words alone`);
    for (const group of row.expect)
      if (!group.some((one) => says(row.source.quote, one)))
        remarks.push(`${row.id}: the quote alone does not say any of ${JSON.stringify(group)}`);
    for (const one of row.forbid)
      if (row.expect.some((group) => group.some((other) => says(other, one))))
        say(`forbid ${JSON.stringify(one)} catches a right answer`);
  }
  for (const [kind, count] of Object.entries(counts))
    if (seen[kind] !== count) problems.push(`${name}: ${seen[kind] ?? 0} of ${kind}, not ${count}`);
  for (const document of present)
    if (name !== "handbook" && !used.has(document)) remarks.push(`${name}: no question on ${document}`);
}

if (process.argv.includes("--remarks")) for (const remark of remarks) console.log(`remark: ${remark}`);
for (const problem of problems) console.error(problem);
console.log(`${rows} rows, ${problems.length} problems, ${remarks.length} remarks`);
process.exitCode = problems.length > 0 ? 1 : 0;
