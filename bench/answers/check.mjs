// Checks the rows of this folder against their documents, and shows by example how `expect` and `forbid` are meant.
// Run: node bench/answers/check.mjs [--remarks]. Nothing of half b is ever printed but its ids.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const trades = ["lab", "machines", "oncall", "site"];
const smallNumbers = "zero one two three four five six seven eight nine ten".split(" ");
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
const numberWords = new Set(
  (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen " +
    "eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand"
  ).split(" "),
);

/**
 * Lower case; a minus before a number becomes a word; digits part from letters; what is neither letter, digit nor
 * decimal point becomes a space.
 */
export function reduce(text) {
  return text
    .normalize("NFKC")
    .replace(/<[^>]*>/g, " ")
    .toLowerCase()
    .replace(/[’‘`']/g, "")
    .replace(/(^|[^\p{L}\p{N}])[-−–](?=\p{N})/gu, "$1minus ")
    .replace(/(\d),(?=\d{3}(?!\d))/g, "$1")
    .replace(/(\d)(?=\p{L})/gu, "$1 ")
    .replace(/(?<!\d)\.|\.(?!\d)/g, " ")
    .replace(/[^\p{L}\p{N}.]+/gu, " ")
    .trim();
}

/**
 * An alternative begins at the beginning of a word. Its last word may go on in the answer ("clean" in "cleaning");
 * a word of less than four letters only by an s ("bags"), a number or a number word not at all.
 */
export function says(answer, alternative) {
  const wanted = reduce(alternative);
  const last = wanted.split(" ").at(-1) ?? "";
  const number = /^[\d.]+$/.test(last) || numberWords.has(last);
  const end = number ? "(?![\\p{L}\\p{N}]|\\.\\d)" : last.length < 4 ? "s?(?![\\p{L}\\p{N}])" : "";
  const escaped = wanted.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\p{N}.])${escaped}${end}`, "u").test(reduce(answer));
}

/** With partial_ok three items are enough where the answer also tells how many there are. */
export function satisfies(answer, row) {
  if (row.forbid.some((one) => says(answer, one))) return false;
  const met = row.expect.filter((group) => group.some((one) => says(answer, one))).length;
  if (met === row.expect.length) return true;
  const announced = (count) => says(answer, String(count)) || says(answer, smallNumbers[count]);
  return row.partial_ok && met >= 3 && row.items.some(announced);
}

function check() {
  const problems = [];
  const remarks = [];
  const ids = new Set();
  let rows = 0;
  for (const trade of trades) {
    const documents = readdirSync(join(here, trade, "documents"));
    for (const needed of ["SOURCE.md", "LICENSE"])
      if (!existsSync(join(here, trade, needed))) problems.push(`${trade}: no ${needed}`);
    for (const half of ["a", "b"]) {
      const counts = {};
      for (const line of readFileSync(join(here, trade, `${half}.jsonl`), "utf8").split("\n")) {
        if (line === "") continue;
        const row = JSON.parse(line);
        const say = (what) => problems.push(`${row.id}: ${what}`);
        rows += 1;
        counts[row.kind] = (counts[row.kind] ?? 0) + 1;
        if (ids.has(row.id)) say("this id is there twice");
        ids.add(row.id);
        if (!Array.isArray(row.turns) || row.turns.length < 1 || row.turns.length > 3)
          say("one to three turns are wanted");
        if ((row.kind === "follow_up") !== row.turns.length > 1)
          say("several turns belong to follow_up, and only there");
        if (row.answerable !== (row.kind !== "near_unanswerable")) say("answerable does not fit the kind");
        if (row.answerable !== row.expect.length > 0) say("expect does not fit answerable");
        if (row.partial_ok !== Array.isArray(row.items)) say("items belongs to partial_ok");
        if (!row.answerable && row.forbid.length === 0) say("an unanswerable row needs tempting values");
        for (const flag of ["answerable", "partial_ok", "hurts"])
          if (typeof row[flag] !== "boolean") say(`${flag} is no boolean`);
        if (!documents.includes(row.source.document)) {
          say("no such document");
          continue;
        }
        const text = readFileSync(join(here, trade, "documents", row.source.document), "utf8");
        if (!text.includes(row.source.quote)) say("the quote is not literally in its document");
        if (!text.includes(row.source.heading)) say("the heading is not in its document");
        for (const group of row.expect) {
          if (!group.some((one) => says(row.source.quote, one)))
            remarks.push(
              half === "a"
                ? `${row.id}: the quote alone does not say any of ${JSON.stringify(group)}`
                : `${row.id}: the quote alone lacks a group`,
            );
          for (const one of group) if (reduce(one) === "") say("an alternative is empty once it is reduced");
          for (const bad of row.forbid)
            if (group.every((one) => says(one, bad))) say("a forbidden value makes a group impossible");
        }
      }
      for (const [kind, count] of Object.entries(perHalf[half])) {
        if (counts[kind] !== count)
          problems.push(`${trade}/${half}: ${counts[kind] ?? 0} of ${kind}, not ${count}`);
      }
    }
  }
  if (process.argv.includes("--remarks")) for (const remark of remarks) console.log(remark);
  for (const problem of problems) console.error(problem);
  console.log(
    `${rows} rows, ${problems.length} problems, ${remarks.length} groups that the quote alone does not fulfil`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) check();
