/**
 * Whether answers rest on the documents that they should rest on. Evidence precision: expected documents among those
 * that the evidence of what was said comes from / all of these. Evidence recall: expected documents that the evidence
 * comes from / expected documents.
 */
import type { Answer } from "../../domain/answer.js";
import type { Passage } from "../../domain/passage.js";
import { plainText } from "../wording.js";

export interface EvidenceScores {
  /** `undefined` when nothing that was said has evidence. */
  readonly precision: number | undefined;
  readonly recall: number;
}

/** `expected`: names of files, at least one; see `isNamed`. */
export function evidenceScores(answer: Answer, expected: readonly string[]): EvidenceScores {
  const used = [...new Set(evidenceFiles(answer))];
  const right = used.filter((file) => expected.some((name) => isNamed(file, name)));
  const found = expected.filter((name) => used.some((file) => isNamed(file, name)));
  return {
    precision: used.length === 0 ? undefined : right.length / used.length,
    recall: found.length / expected.length,
  };
}

/** The files that the evidence of what was said stands in. */
export function evidenceFiles({ claims, passages }: Answer): string[] {
  const fileOf = new Map(passages.map(({ chunkId, sourceFile }) => [chunkId, sourceFile]));
  return claims
    .filter(({ said, verdict }) => said && verdict === "supported")
    .flatMap(({ evidence }) => evidence.slice(0, 1))
    .flatMap(({ source }) => fileOf.get(source) ?? []);
}

/** Whether a file below the ingested folder is the one that a data set names: its path, its name, or that without its ending. */
export function isNamed(file: string, name: string): boolean {
  const base = file.slice(file.lastIndexOf("/") + 1);
  const stem = base.replace(/\.[^.]+$/, "");
  return [file, base, stem].includes(name);
}

/** How many of a quote's pairs of words one passage has to hold: readers change marks and cut long ones. */
const QUOTE_SHARE_MIN = 0.8;

/** Whether one of the passages holds what is quoted from a document, but for small differences in how it is written. */
export function quoteIsFound(
  passages: readonly Pick<Passage, "headings" | "text">[],
  quote: string,
): boolean {
  const sought = wordPairs(quote);
  return passages.some(({ headings, text }) => {
    const there = wordPairs([...headings, text].join("\n"));
    const held = [...sought].filter((pair) => there.has(pair)).length;
    return held >= QUOTE_SHARE_MIN * sought.size;
  });
}

function wordPairs(text: string): ReadonlySet<string> {
  const words = plainText(text).split(" ");
  return new Set(words.length === 1 ? words : words.slice(1).map((word, i) => `${words[i]} ${word}`));
}
