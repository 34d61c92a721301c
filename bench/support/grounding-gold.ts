/** The data of the grounding benchmark: gold sentences with their passages, and summaries with their documents. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type PreparedEvidence, prepareEvidence } from "../../src/grounding/evidence.js";
import { splitSentences } from "../../src/lib/sentence-end.js";

const DATA = fileURLToPath(new URL("../../../bench/data/grounding/", import.meta.url));

export interface GoldSentence {
  readonly text: string;
  readonly question: string;
  /** Sentences before it in its answer. */
  readonly said: readonly string[];
  readonly passage: GoldPassage;
}

export interface GoldPassage {
  readonly id: string;
  readonly text: string;
  readonly evidence: PreparedEvidence;
  /** Which half of the data it belongs to: figures are tuned on 0 and reported on 1. */
  readonly half: 0 | 1;
}

export interface Summary {
  readonly text: string;
  readonly consistent: boolean;
}

export interface SummarizedDocument {
  readonly id: string;
  readonly half: 0 | 1;
  readonly evidence: PreparedEvidence;
  readonly summaries: readonly Summary[];
}

/** Shorter pieces are fragments of a list. */
const SENTENCE_WORDS_MIN = 4;

export function readGold(): GoldSentence[] {
  return readLines<{ id: string; question: string; title: string; text: string; answers: string[] }>(
    "clapnq.jsonl",
  ).flatMap(({ id, question, title, text: raw, answers }) => {
    const text = joined(raw);
    const passage: GoldPassage = {
      id,
      text,
      evidence: prepareEvidence([{ type: "passage", source: id, title, text }]),
      half: halfOf(id),
    };
    return answers.flatMap((answer) => {
      const sentences = splitSentences(joined(answer)).map((sentence) => sentence.trim());
      return sentences
        .map((sentence, i) => ({ text: sentence, question, said: sentences.slice(0, i), passage }))
        .filter((one) => one.text.split(/\s+/).length >= SENTENCE_WORDS_MIN);
    });
  });
}

export function readSummaries(): SummarizedDocument[] {
  return readLines<{ id: string; text: string; summaries: Summary[] }>("summedits.jsonl").map(
    ({ id, text, summaries }) => ({
      id,
      half: halfOf(id),
      evidence: prepareEvidence([{ type: "passage", source: id, text }]),
      summaries,
    }),
  );
}

function readLines<T>(name: string): T[] {
  return readFileSync(`${DATA}${name}`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}

/** What a tokenizer set apart, as people write it: `Canada 's`, `( 25 mi )`, "``". */
function joined(text: string): string {
  return text
    .replace(/``|''/g, '"')
    .replace(/ ([.,;:!?)%])/g, "$1")
    .replace(/\( /g, "(")
    .replace(/ (n't|'s|'re)\b/g, "$1")
    .replace(/\r/g, "")
    .replace(/ - /g, "-")
    .replace(/([$£€]) (?=\d)/g, "$1");
}

function halfOf(id: string): 0 | 1 {
  return (hash(id) % 2) as 0 | 1;
}

/** Stable across runs, so that each sentence gets the same edit every time. */
export function hash(text: string): number {
  let value = 7;
  for (let i = 0; i < text.length; i++) value = (value * 31 + text.charCodeAt(i)) >>> 0;
  return value;
}
