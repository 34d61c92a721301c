/**
 * What each term of a query added to a score, read from Lucene's explanation of a hit: a tree of numbers with a
 * sentence each, such as `weight(text:valv in 3) [PerFieldSimilarity], result of:` above `score(freq=2.0), computed as
 * boost * idf * tf from:` (Lucene's BM25Similarity). Pure.
 */
import type { TermScore } from "../inspector.js";
import type { estypes } from "./client.js";

const WEIGHT = /^weight\((?<field>[^:]+):(?<term>.+) in \d+\) \[/su;
const FREQUENCY = /^freq,|^phraseFreq/u;
const IDF = /^idf,/u;

/** Below that depth nothing of a query of ours is explained. */
const DEPTH_MAX = 32;

/** The terms by what they added, the most first; a term that was found in several fields once for each. */
export function termScores(explanation: estypes.ExplainExplanation | undefined): TermScore[] {
  const found: TermScore[] = [];
  if (explanation !== undefined) collect(explanation, found, 0);
  return found.sort((a, b) => b.score - a.score);
}

type ScoreExplanation = estypes.ExplainExplanation | estypes.ExplainExplanationDetail;

function collect(node: ScoreExplanation, found: TermScore[], depth: number): void {
  if (depth > DEPTH_MAX) return;
  const weight = WEIGHT.exec(node.description);
  if (weight === null) {
    for (const child of node.details ?? []) collect(child, found, depth + 1);
    return;
  }
  found.push({
    term: `${weight.groups!.field}:${weight.groups!.term}`,
    frequency: valueBelow(node, FREQUENCY, depth) ?? 1,
    idf: valueBelow(node, IDF, depth) ?? 0,
    score: node.value,
  });
}

function valueBelow(node: ScoreExplanation, description: RegExp, depth: number): number | undefined {
  if (depth > DEPTH_MAX) return undefined;
  for (const child of node.details ?? []) {
    const value = description.test(child.description)
      ? child.value
      : valueBelow(child, description, depth + 1);
    if (value !== undefined) return value;
  }
  return undefined;
}
