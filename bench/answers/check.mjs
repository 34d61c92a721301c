// Checks the rows of this folder against their documents.
// Run: node bench/answers/check.mjs [--remarks]. Nothing of half b is ever printed but its ids.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { RowCheck } from "../check-rows.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const perHalf = {
  a: {
    fact: 5,
    procedure: 3,
    list: 3,
    table: 2,
    contrast: 2,
    follow_up: 2,
    false_premise: 1,
    near_unanswerable: 2,
  },
  b: {
    fact: 5,
    procedure: 3,
    list: 2,
    table: 2,
    contrast: 2,
    follow_up: 2,
    false_premise: 2,
    near_unanswerable: 2,
  },
};

const check = new RowCheck();
for (const trade of ["lab", "machines", "oncall", "site", "fish", "track", "windfarm", "hotel"]) {
  const documents = join(here, trade, "documents");
  check.folder(trade, join(here, trade));
  for (const [half, counts] of Object.entries(perHalf)) {
    const file = join(here, trade, `${half}.jsonl`);
    check.file({ name: `${trade}/${half}`, file, documents, counts, isSecret: half === "b" });
  }
}
check.print();
