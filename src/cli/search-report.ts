/**
 * What a search returned and what it did not, with the reasons, as lines for an operator. Candidates are what the engine
 * would rank if everything could be read; each has exactly one fate.
 */
import type { Passage } from "../domain/passage.js";
import type { Access } from "../domain/user.js";
import type { LegName } from "../retrieval/engine.js";
import type { InspectedChunk, TermScore } from "../retrieval/inspector.js";
import { describeDecision, describeReader } from "./reasons.js";

export type ChunkFate =
  | { readonly type: "returned"; readonly rank: number }
  /** Another passage that says the same was returned in its place. */
  | { readonly type: "duplicate"; readonly of: string }
  | { readonly type: "withheld" }
  | { readonly type: "superseded"; readonly by: string }
  | { readonly type: "below_the_limit" };

/** What became of a candidate; the reader's permission comes before everything else. */
export function fateOf(candidate: InspectedChunk, returned: readonly Passage[]): ChunkFate {
  if (!candidate.decision.readable) return { type: "withheld" };
  if (candidate.supersededBy !== undefined) return { type: "superseded", by: candidate.supersededBy };
  const rank = returned.findIndex(({ chunkId }) => chunkId === candidate.chunkId);
  if (rank >= 0) return { type: "returned", rank: rank + 1 };
  const standsFor = returned.find(({ alsoIn }) =>
    alsoIn.some(({ chunkId }) => chunkId === candidate.chunkId),
  );
  return standsFor === undefined ? { type: "below_the_limit" } : { type: "duplicate", of: standsFor.chunkId };
}

/** What one way of ranking says; one that could not be asked says why, and takes none of the others along. */
export type LegView =
  | { readonly type: "ranked"; readonly candidates: readonly InspectedChunk[] }
  | { readonly type: "unavailable"; readonly error: string };

export interface SearchExplanation {
  readonly query: string;
  readonly access: Access;
  readonly returned: readonly Passage[];
  readonly legs: ReadonlyMap<LegName, LegView>;
}

export function searchReport({ query, access, returned, legs }: SearchExplanation): readonly string[] {
  const lines = [`${describeReader(access)} in ${access.network} asks: ${query}`, ""];
  if (returned.length === 0) lines.push("Nothing is returned.");
  returned.forEach((passage, index) => {
    lines.push(...returnedLines(passage, index + 1));
  });
  for (const [leg, view] of legs) {
    if (view.type === "unavailable") {
      lines.push("", `The leg ${leg} could not be asked: ${view.error}`);
      continue;
    }
    lines.push("", `What the leg ${leg} ranks, if everything could be read:`);
    if (view.candidates.length === 0) lines.push("  nothing");
    for (const [index, candidate] of view.candidates.entries())
      lines.push(...candidateLines(candidate, index + 1, access, returned));
  }
  return lines;
}

function returnedLines(passage: Passage, rank: number): string[] {
  const { score, title, revision, headings, page, sourceFile, supersedes, alsoIn } = passage;
  return [
    `${String(rank).padStart(2)}. ${score.toFixed(4)}  ${placeOf(title, revision, headings, page)}  [${sourceFile}]`,
    ...(supersedes.length === 0 ? [] : [`      replaces revision ${supersedes.join(", ")}`]),
    ...alsoIn.map((other) => `      the same is in ${other.title}  [${other.chunkId}]`),
    `      ${firstLine(passage.highlights[0] ?? passage.text)}`,
  ];
}

function candidateLines(
  candidate: InspectedChunk,
  rank: number,
  access: Access,
  returned: readonly Passage[],
): string[] {
  const { score, title, revision, headings, page, decision, terms } = candidate;
  return [
    `${String(rank).padStart(3)}. ${score.toFixed(4)}  ${placeOf(title, revision, headings, page)}`,
    `      ${fateText(fateOf(candidate, returned))}; ${describeDecision(decision, access)}`,
    ...(terms.length === 0 ? [] : [`      ${terms.map(termText).join(", ")}`]),
  ];
}

function fateText(fate: ChunkFate): string {
  switch (fate.type) {
    case "returned":
      return `returned as number ${fate.rank}`;
    case "duplicate":
      return `left out: ${fate.of} says the same and ranks higher`;
    case "withheld":
      return "WITHHELD";
    case "superseded":
      return `left out: superseded by ${fate.by}`;
    case "below_the_limit":
      return "left out: others rank higher";
  }
}

function termText({ term, frequency, idf, score }: TermScore): string {
  return `${term} ${score.toFixed(2)} (${frequency}×, idf ${idf.toFixed(2)})`;
}

function placeOf(
  title: string,
  revision: string | undefined,
  headings: readonly string[],
  page: number | undefined,
): string {
  return [
    title,
    ...(revision === undefined ? [] : [`revision ${revision}`]),
    ...headings,
    ...(page === undefined ? [] : [`page ${page}`]),
  ].join(" › ");
}

const LINE_CHARS_MAX = 100;

function firstLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= LINE_CHARS_MAX ? line : `${line.slice(0, LINE_CHARS_MAX - 1)}…`;
}
