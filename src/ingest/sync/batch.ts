/** The documents that go through the connector together, and what becomes of each. Pure. */
import type { Version } from "../../retrieval/elasticsearch/versions.js";

export interface BatchDocument {
  readonly metadataId: string;
  /** What the metadata were when the batch was made: changed since, the copy may be of an older content. */
  readonly version: Version;
  /** Of the object in the bucket. */
  readonly key: string;
}

export interface Batch {
  readonly id: string;
  readonly documents: readonly BatchDocument[];
}

/** A document whose chunks were written, with what is needed to find out whether they can be read. */
export interface CopiedDocument {
  readonly title: string;
  readonly revision?: string;
  readonly contentHash: string;
  readonly chunkCount: number;
  /** Of the ids of its chunks. */
  readonly chunksDigest: string;
}

/**
 * `lasting`: another attempt would bring the same, or was the last. `counted`: a failed attempt. `passing`: none, since
 * it says nothing of the document.
 */
export type Weight = "lasting" | "counted" | "passing";

/** What came of a document before its metadata are changed. */
export type Copy = {
  readonly metadataId: string;
} /** `version`: of the metadata once they tell of the title. */ & (
  | { readonly type: "copied"; readonly copy: CopiedDocument; readonly version: Version }
  | {
      readonly type: "failed";
      readonly reason: string;
      readonly weight: Weight;
      /** Once it has failed for good, what is stored of an earlier content goes. */
      readonly withdrawn: boolean;
      /** What it says of who may read it is not understood, or says less than its metadata. */
      readonly inDoubt?: boolean | undefined;
    }
  /** Somebody changed the metadata meanwhile, or it was not its turn: the next batch looks again. */
  | { readonly type: "changed" }
);

/** Failed attempts at a document; they count as long as its metadata stay the same. */
export interface Attempts {
  readonly seqNo: number;
  readonly count: number;
}

/** By metadata id. */
export type AttemptsById = Readonly<Record<string, Attempts>>;

/** How often a document is tried until it counts as failed. */
export const ATTEMPTS_MAX = 3;

/** Documents of which failed attempts are remembered; at that number no new ones are tried before these. */
export const RETRIED_MAX = 100;

export function attemptsAt(attempts: AttemptsById, { metadataId, version }: BatchDocument): number {
  const made = attempts[metadataId];
  return made !== undefined && made.seqNo === version.seqNo ? made.count : 0;
}

/**
 * The next batch out of what is pending, oldest first. A document that failed is tried alone from then on, so that it
 * cannot fail others; those and the new ones take turns.
 */
export function chooseBatch(
  pending: readonly BatchDocument[],
  attempts: AttemptsById,
  turn: number,
  batchSize: number,
): readonly BatchDocument[] {
  const fresh = pending.filter((document) => attemptsAt(attempts, document) === 0);
  const retried = pending
    .filter((document) => attemptsAt(attempts, document) > 0)
    .sort((a, b) => attemptsAt(attempts, a) - attemptsAt(attempts, b));
  const isTurnOfRetried = turn % 2 === 1 || retried.length >= RETRIED_MAX || fresh.length === 0;
  return retried.length > 0 && isTurnOfRetried ? retried.slice(0, 1) : fresh.slice(0, batchSize);
}

/** What failed for the last time lasts. */
export function weighed(copies: readonly Copy[], batch: Batch, attempts: AttemptsById): readonly Copy[] {
  const documents = new Map(batch.documents.map((document) => [document.metadataId, document]));
  return copies.map((copy) => {
    if (copy.type !== "failed" || copy.weight !== "counted") return copy;
    const document = documents.get(copy.metadataId);
    const made = document === undefined ? 0 : attemptsAt(attempts, document);
    return made + 1 >= ATTEMPTS_MAX ? { ...copy, weight: "lasting" } : copy;
  });
}

/** `settled`: synced, failed for good, or gone. `again`: a failed attempt. `postponed`: none. */
export interface UpdateResult {
  readonly metadataId: string;
  readonly result: "settled" | "again" | "postponed";
  /** Of the metadata as we left them. */
  readonly seqNo: number;
}

export function attemptsAfter(
  attempts: AttemptsById,
  batch: Batch,
  results: readonly UpdateResult[],
): AttemptsById {
  const after = new Map(Object.entries(attempts));
  const documents = new Map(batch.documents.map((document) => [document.metadataId, document]));
  for (const { metadataId, result, seqNo } of results) {
    const document = documents.get(metadataId);
    if (result === "settled") after.delete(metadataId);
    if (result !== "again" || document === undefined) continue;
    after.set(metadataId, { seqNo, count: attemptsAt(attempts, document) + 1 });
  }
  return Object.fromEntries(after);
}
