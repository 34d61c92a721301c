/**
 * Scores as Lucene's BM25 gives them (`BM25Similarity` with the factor k1 + 1 that Elasticsearch keeps), and their
 * explanation in Lucene's shape.
 * Formula: boost · (k1 + 1) · idf · tf with idf = ln(1 + (N − n + 0.5) / (n + 0.5)) and
 * tf = freq / (freq + k1 · (1 − b + b · dl / avgdl)).
 */

/** Lucene's account of a score. */
export interface Explanation {
  readonly value: number;
  readonly description: string;
  readonly details: readonly Explanation[];
}

export interface TermStatistics {
  readonly field: string;
  readonly term: string;
  /** Documents with the term, and with the field. */
  readonly documentFrequency: number;
  readonly documentCount: number;
  /** Terms of the field in all documents. */
  readonly totalLength: number;
  readonly boost: number;
}

export interface TermOccurrence {
  readonly frequency: number;
  /** Terms of the field in this document. */
  readonly length: number;
}

const K1 = 1.2;
const B = 0.75;

export function bm25(statistics: TermStatistics, occurrence: TermOccurrence): number {
  const { idf, tf } = parts(statistics, occurrence);
  return Math.fround(statistics.boost * (K1 + 1) * idf * tf);
}

export function explainBm25(
  statistics: TermStatistics,
  occurrence: TermOccurrence,
  place: number,
): Explanation {
  const { idf, tf, length, averageLength } = parts(statistics, occurrence);
  const value = bm25(statistics, occurrence);
  const approximate = occurrence.length >= EXACT_BELOW ? " (approximate)" : "";
  return node(
    value,
    `weight(${statistics.field}:${statistics.term} in ${place}) [PerFieldSimilarity], result of:`,
    [
      node(value, `score(freq=${occurrence.frequency.toFixed(1)}), computed as boost * idf * tf from:`, [
        node(statistics.boost * (K1 + 1), "boost"),
        node(idf, "idf, computed as log(1 + (N - n + 0.5) / (n + 0.5)) from:", [
          node(statistics.documentFrequency, "n, number of documents containing term"),
          node(statistics.documentCount, "N, total number of documents with field"),
        ]),
        node(tf, "tf, computed as freq / (freq + k1 * (1 - b + b * dl / avgdl)) from:", [
          node(occurrence.frequency, "freq, occurrences of term within document"),
          node(K1, "k1, term saturation parameter"),
          node(B, "b, length normalization parameter"),
          node(length, `dl, length of field${approximate}`),
          node(averageLength, "avgdl, average length of field"),
        ]),
      ]),
    ],
  );
}

export function node(value: number, description: string, details: readonly Explanation[] = []): Explanation {
  return { value: Math.fround(value), description, details };
}

function parts(
  { documentFrequency, documentCount, totalLength }: TermStatistics,
  { frequency, length: exact }: TermOccurrence,
): { idf: number; tf: number; length: number; averageLength: number } {
  const idf = Math.log(1 + (documentCount - documentFrequency + 0.5) / (documentFrequency + 0.5));
  const averageLength = totalLength / documentCount;
  const length = storedLength(exact);
  const tf = frequency / (frequency + K1 * (1 - B + (B * length) / averageLength));
  return { idf, tf, length, averageLength };
}

/** Lengths below this are stored as they are: 24 values on their own, then 16 without loss. */
const EXACT_BELOW = 40;

const OFFSET = 24;

/**
 * A field's length as Lucene keeps it, in one byte: four significant bits of what is above 24 (`SmallFloat`,
 * `intToByte4` and back).
 */
export function storedLength(length: number): number {
  if (length < EXACT_BELOW) return length;
  const above = length - OFFSET;
  const shift = Math.max(0, Math.floor(Math.log2(above)) - 3);
  return OFFSET + Math.floor(above / 2 ** shift) * 2 ** shift;
}
