// Checks the rows of the training set against their documents.
// Run: node bench/training/check.mjs [--remarks].
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { RowCheck, satisfies, says } from "../check-rows.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const fields = "id kind turns answerable expect partial_ok items forbid hurts source note".split(" ");
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
/** Trades whose documents were written for this set, and how many rows of each kind each of them has. */
const written = [
  "brewery",
  "apiary",
  "ward",
  "station",
  "warehouse",
  "stage",
  "solar",
  "bakery",
  "helpdesk",
  "waterworks",
];
const ofWritten = {
  fact: 18,
  procedure: 8,
  list: 7,
  table: 6,
  contrast: 5,
  follow_up: 4,
  false_premise: 2,
  near_unanswerable: 10,
};

function rule(row, say, remark) {
  for (const field of Object.keys(row)) if (!fields.includes(field)) say(`${field} is no field`);
  const words = row.turns.join(" ").split(/\s+/).length;
  if (words < 5 || words > 25) say(`${words} words`);
  const example = row.expect.map((group) => group[0]).join(", ");
  if (row.answerable && !satisfies(example, row)) say("an answer of the first alternatives fails");
  if (row.answerable && satisfies("The documents do not say anything about this.", row))
    remark("a bare refusal would pass by the words alone");
  for (const one of row.forbid)
    if (row.expect.some((group) => group.some((other) => says(other, one))))
      say(`forbid ${JSON.stringify(one)} catches a right answer`);
}

const check = new RowCheck();
for (const name of ["boat", "trades", "office"]) {
  const documents = join(here, name, "documents");
  check.folder(name, join(here, name));
  const file = join(here, name, "questions.jsonl");
  check.file({ name, file, documents, counts: own, allAsked: true, rule });
}
for (const name of written) {
  const documents = join(here, name, "documents");
  const file = join(here, name, "questions.jsonl");
  check.file({ name, file, documents, counts: ofWritten, allAsked: true, rule });
}
const file = join(here, "handbook", "questions.jsonl");
const documents = join(here, "..", "..", "examples", "handbook");
check.file({ name: "handbook", file, documents, counts: handbook, rule });
check.print();
