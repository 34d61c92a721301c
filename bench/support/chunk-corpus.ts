/**
 * Knowledge of any size out of ClapNQ: the sentences of its passages, shuffled into chunks of about 150 words, ten of
 * which make a document. A quarter of the documents is restricted to one of twenty groups. The same size gives the same
 * documents every time, and the queries are the questions of the data set.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DocumentAccess } from "../../src/domain/passage.js";
import type { Access } from "../../src/domain/user.js";
import { seededRandom } from "../../src/lib/random.js";
import { splitSentences } from "../../src/lib/sentence-end.js";

const DATA = new URL("../../../bench/data/clapnq/", import.meta.url);
const CHUNK_WORDS = 150;
const CHUNKS_PER_DOCUMENT = 10;
const RESTRICTED_SHARE = 0.25;
const GROUPS = 20;

export const NETWORK = "plant";

/** May read what the network may, and a twentieth of what is restricted. */
export const READER: Access = { network: NETWORK, username: "ann", groups: ["group7"], kiosk: false };

export interface CorpusDocument {
  readonly documentId: string;
  readonly title: string;
  readonly access: Omit<DocumentAccess, "network">;
  readonly texts: readonly string[];
}

export function* corpusDocuments(chunkCount: number): Iterable<CorpusDocument> {
  const passages = readLines("corpus.jsonl") as { title: string; text: string }[];
  const sentences = passages.flatMap(({ text }) => splitSentences(text).map((sentence) => sentence.trim()));
  const random = seededRandom(chunkCount);
  const any = <T>(values: readonly T[]): T => values[Math.floor(random.fraction() * values.length)]!;
  for (let first = 0; first < chunkCount; first += CHUNKS_PER_DOCUMENT) {
    const length = Math.min(CHUNKS_PER_DOCUMENT, chunkCount - first);
    const isRestricted = random.fraction() < RESTRICTED_SHARE;
    yield {
      documentId: `d${first / CHUNKS_PER_DOCUMENT}`,
      title: any(passages).title,
      access: {
        visibility: isRestricted ? "restricted" : "network",
        allowedUsers: [],
        allowedGroups: isRestricted ? [`group${Math.floor(random.fraction() * GROUPS)}`] : [],
      },
      texts: Array.from({ length }, () => chunkText(() => any(sentences))),
    };
  }
}

export function corpusQueries(): string[] {
  return (readLines("queries.jsonl") as { text: string }[]).map(({ text }) => text);
}

function chunkText(sentence: () => string): string {
  const parts: string[] = [];
  for (let words = 0; words < CHUNK_WORDS; words += parts.at(-1)!.split(" ").length) parts.push(sentence());
  return parts.join(" ");
}

function readLines(name: string): unknown[] {
  const text = readFileSync(fileURLToPath(new URL(name, DATA)), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);
}
