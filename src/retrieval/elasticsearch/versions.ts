/** Documents that are written over the version that was read, or not at all, and what is no failure then. */
import { ElasticsearchProblem } from "./client.js";
import type { ProblemKind } from "./problem-text.js";

/** A state of a stored document, to be changed only if it is still that one. */
export interface Version {
  readonly seqNo: number;
  readonly primaryTerm: number;
}

/** As an answer tells it that has `seq_no_primary_term`, or is to a write. */
export function versionOf(told: { readonly _seq_no?: number; readonly _primary_term?: number }): Version {
  return { seqNo: told._seq_no!, primaryTerm: told._primary_term! };
}

/** The condition of a write. */
export function over({ seqNo, primaryTerm }: Version) {
  return { if_seq_no: seqNo, if_primary_term: primaryTerm };
}

type Expected = (problem: ElasticsearchProblem) => boolean;

export function anyOf(...kinds: readonly ProblemKind[]): Expected {
  return ({ kind }) => kinds.includes(kind);
}

/** The index is there, and the document is not in it. */
export const noDocument: Expected = ({ kind, type }) =>
  kind === "missing" && type !== "index_not_found_exception";

/** What a call comes to; `undefined` where it fails with a problem that is expected. */
export async function unless<T>(expected: Expected, call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ElasticsearchProblem && expected(error)) return undefined;
    throw error;
  }
}
