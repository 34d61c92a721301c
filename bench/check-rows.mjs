// The rows of a set of questions, held against the documents that they are about, and how `expect` and `forbid` are
// meant, by example. Each set has a `check.mjs` of its own, which says what it is made of.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const smallNumbers = "zero one two three four five six seven eight nine ten".split(" ");
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

/** What is wrong with the rows of several files, of which no two may have the same id. */
export class RowCheck {
  #problems = [];
  #remarks = [];
  #ids = new Set();
  #rows = 0;

  /** The folder of a trade says where its documents are from. */
  folder(name, path) {
    for (const needed of ["SOURCE.md", "LICENSE"])
      if (!existsSync(join(path, needed))) this.#problems.push(`${name}: no ${needed}`);
  }

  /**
   * `counts`: how many rows of each kind there have to be. `rule(row, say, remark)` says what else is wrong with a row.
   * Of a secret file nothing is told but ids. `allAsked`: there is to be a question on each document.
   */
  file({ name, file, documents, counts, allAsked = false, isSecret = false, rule = () => {} }) {
    const present = readdirSync(documents);
    const seen = {};
    const used = new Set();
    for (const line of readFileSync(file, "utf8").split("\n")) {
      if (line === "") continue;
      const row = JSON.parse(line);
      this.#rows += 1;
      seen[row.kind] = (seen[row.kind] ?? 0) + 1;
      used.add(row.source.document);
      const say = (what) => this.#problems.push(`${row.id}: ${what}`);
      const remark = (what) => this.#remarks.push(`${row.id}: ${isSecret ? "a remark" : what}`);
      if (this.#ids.has(row.id)) say("this id is there twice");
      this.#ids.add(row.id);
      checkRow(row, documents, present, say, remark);
      rule(row, say, remark);
    }
    for (const [kind, count] of Object.entries(counts))
      if (seen[kind] !== count) this.#problems.push(`${name}: ${seen[kind] ?? 0} of ${kind}, not ${count}`);
    for (const document of allAsked ? present : [])
      if (!used.has(document)) this.#remarks.push(`${name}: no question on ${document}`);
  }

  /** A process that finds a problem fails. */
  print() {
    if (process.argv.includes("--remarks"))
      for (const remark of this.#remarks) console.log(`remark: ${remark}`);
    for (const problem of this.#problems) console.error(problem);
    console.log(`${this.#rows} rows, ${this.#problems.length} problems, ${this.#remarks.length} remarks`);
    process.exitCode = this.#problems.length > 0 ? 1 : 0;
  }
}

function checkRow(row, documents, present, say, remark) {
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
  for (const group of row.expect) {
    if (!group.some((one) => says(row.source.quote, one)))
      remark(`the quote alone does not say any of ${JSON.stringify(group)}`);
    for (const one of group) if (reduce(one) === "") say("an alternative is empty once it is reduced");
    for (const bad of row.forbid)
      if (group.every((one) => says(one, bad))) say("a forbidden value makes a group impossible");
  }
  if (!present.includes(row.source.document)) {
    say("no such document");
    return;
  }
  const text = readFileSync(join(documents, row.source.document), "utf8");
  if (!text.includes(row.source.quote)) say("the quote is not literally in its document");
  if (!text.includes(row.source.heading)) say("the heading is not in its document");
}
