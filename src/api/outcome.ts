/** How an answer ended, for doors that tell the answer and little else. */
import type { Answer } from "../domain/answer.js";
import type { AnswerReport } from "../domain/answer-report.js";
import { Rejection } from "./rejection.js";

/** The answer. Throws `Rejection` with the reason where there is none. */
export function answerIn({ answer, failure }: AnswerReport): Answer {
  if (failure !== undefined)
    throw new Rejection(failure.isOverload ? "overloaded" : failure.code, failure.error);
  if (answer !== undefined) return answer;
  throw new Rejection("assistant_unavailable", "The answer broke off. Try again in a moment.");
}

/** A document that the answer rests on. */
export interface CitedSource {
  readonly title: string;
  readonly source_file: string;
  readonly page?: number;
  readonly revision?: string;
}

/** Where what was said comes from, each place once, in the order in which it was said. */
export function sourcesOf({ claims, passages }: Answer): readonly CitedSource[] {
  const byChunk = new Map(passages.map((passage) => [passage.chunkId, passage]));
  const said = claims.filter((claim) => claim.said);
  const sources = new Map<string, CitedSource>();
  for (const { evidence } of said) {
    const passage = byChunk.get(evidence[0]?.source ?? "");
    if (passage === undefined) continue;
    const { documentId, page, revision, sourceFile, title } = passage;
    const source = {
      title,
      source_file: sourceFile,
      ...(page === undefined ? {} : { page }),
      ...(revision === undefined ? {} : { revision }),
    };
    sources.set(`${documentId}\u0000${page ?? ""}`, source);
  }
  return [...sources.values()];
}
