/**
 * What operators may see of the stored knowledge: everything, with reasons. For commands only; no turn, and nobody but
 * the operator of the machine, gets at it. All methods reject with `SearchUnavailable`.
 */
import type { ChunkKind, DocumentAccess, PassageName } from "../domain/passage.js";
import type { AccessDecision } from "./access.js";
import type { LegRequest } from "./engine.js";

export interface DocumentSummary {
  readonly documentId: string;
  readonly path: string;
  readonly sourceFile: string;
  readonly title: string;
  readonly revision?: string;
  readonly access: DocumentAccess;
  readonly usesDefaultVisibility: boolean;
  readonly chunkCount: number;
  /** The document whose revision is the newest of this title; absent when this is it. */
  readonly supersededBy?: string;
}

/** The summary of what an engine keeps of a document; `newest` is the newest revision of its title, if it is newer. */
export function summaryOf(
  kept: Omit<DocumentSummary, "supersededBy" | "revision"> & { readonly revision?: string | undefined },
  newest: { readonly documentId: string } | undefined,
): DocumentSummary {
  const { documentId, path, sourceFile, title, revision, access, usesDefaultVisibility, chunkCount } = kept;
  return {
    documentId,
    path,
    sourceFile,
    title,
    ...(revision === undefined ? {} : { revision }),
    access,
    usesDefaultVisibility,
    chunkCount,
    ...(newest === undefined ? {} : { supersededBy: newest.documentId }),
  };
}

export interface DocumentDetail extends DocumentSummary {
  readonly chunks: readonly ChunkDetail[];
}

export interface ChunkDetail {
  readonly chunkId: string;
  readonly headings: readonly string[];
  readonly page?: number;
  readonly kind: ChunkKind;
  readonly text: string;
  /** Chunks of this network that say the same up to wording. */
  readonly nearDuplicates: readonly PassageName[];
}

/** What one term of a query added to a candidate's score. */
export interface TermScore {
  readonly term: string;
  readonly frequency: number;
  /** Inverse document frequency. */
  readonly idf: number;
  readonly score: number;
}

/** A chunk as it would rank if everything could be read, with what the rule says of this reader. */
export interface InspectedChunk extends PassageName {
  readonly revision?: string;
  readonly headings: readonly string[];
  readonly page?: number;
  readonly score: number;
  readonly decision: AccessDecision;
  /** A newer revision that this reader may read. */
  readonly supersededBy?: string;
  /** Empty for legs that do not score by terms. */
  readonly terms: readonly TermScore[];
}

export interface Inspector {
  /** Every document of the network, by `sourceFile`. */
  documents(network: string, signal: AbortSignal): Promise<readonly DocumentSummary[]>;
  document(network: string, documentId: string, signal: AbortSignal): Promise<DocumentDetail | undefined>;
  /** The best candidates of one leg, readable or not, best first. */
  explain(request: LegRequest, signal: AbortSignal): Promise<readonly InspectedChunk[]>;
}
