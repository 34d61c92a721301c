/**
 * A stand-in for ELSER, the learned sparse encoder behind `semantic_text`: text becomes weighted stems, and each stem
 * also brings the other words for its meaning at half its weight. Deterministic, and enough to find a paraphrase that
 * shares no word with the passage; it claims nothing about the real model's ranking.
 */
import { analyze } from "../../../src/lib/english-analyzer.js";

/** Weight of each stem. */
export type SparseVector = ReadonlyMap<string, number>;

/** What a word of the same meaning weighs, as a part of the written word's weight. */
const MEANING_WEIGHT = 0.5;

const SAME_MEANING = [
  "stop halt cease quit",
  "begin start commence launch",
  "machine equipment device apparatus machinery",
  "repair fix mend service maintenance",
  "vehicle car truck lorry forklift",
  "fall slip trip stumble",
  "supervisor manager boss foreman lead",
  "sick ill unwell",
  "injury hurt wound harm injured",
  "clean wash rinse scrub",
  "buy purchase acquire",
  "vacation holiday leave absence",
  "pay salary wage wages money",
  "fire blaze flame burning",
  "exit escape evacuate evacuation leave",
  "boots footwear shoes",
  "helmet hardhat headgear",
  "goggles glasses eyewear eye",
  "broken faulty defective damaged defect",
  "lockout isolation isolate tagout deenergize",
  "electricity power current voltage electric electrical",
  "liquid fluid water",
  "danger hazard risk peril",
  "allow permit authorize let",
  "forbid prohibit ban",
  "refund reimburse reimbursement return",
  "customer client shopper guest",
  "fast quick rapid speed velocity",
  "hot heat warm temperature",
  "cold freezing chill frost",
  "doctor physician medic",
  "valve tap cock",
  "pressure force load strain",
  "check inspect examine inspection verify",
  "remove dismantle detach",
  "attach fasten mount install",
  "tighten torque screw",
  "near close beside adjacent",
  "large big huge",
  "small little tiny",
  "employee worker staff personnel crew",
  "document paper file record",
  "phone telephone call ring",
  "password passcode pin code",
  "trash garbage waste rubbish",
  "shop store outlet",
  "cost price fee charge",
  "chemical acid substance",
  "spill leak leakage",
  "noise loud sound hearing",
  "ladder steps stairs",
  "gloves handwear mitts",
].map((group) => [...new Set(group.split(" ").flatMap((word) => analyze(word)))]);

const MEANINGS: ReadonlyMap<string, readonly string[]> = new Map(
  SAME_MEANING.flat().map((stem) => [
    stem,
    [...new Set(SAME_MEANING.filter((group) => group.includes(stem)).flat())].filter(
      (other) => other !== stem,
    ),
  ]),
);

/** The sparse vector of `text`. */
export function encode(text: string): SparseVector {
  const counts = new Map<string, number>();
  for (const stem of analyze(text)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const vector = new Map<string, number>();
  for (const [stem, count] of counts) {
    const weight = 1 + Math.log(count);
    raise(vector, stem, weight);
    for (const other of MEANINGS.get(stem) ?? []) raise(vector, other, weight * MEANING_WEIGHT);
  }
  return vector;
}

function raise(vector: Map<string, number>, stem: string, weight: number): void {
  vector.set(stem, Math.max(vector.get(stem) ?? 0, weight));
}

/** How well two vectors agree; 0 when they share nothing. */
export function dot(one: SparseVector, other: SparseVector): number {
  let sum = 0;
  for (const [stem, weight] of one) sum += weight * (other.get(stem) ?? 0);
  return sum;
}

/** Most words of a chunk, as in the default strategy `sentence`. */
const CHUNK_WORDS_MAX = 250;

const sentences = new Intl.Segmenter("en", { granularity: "sentence" });

/** The chunks that a `semantic_text` value is encoded by: whole sentences, as many as fit. */
export function chunksOf(text: string): string[] {
  const chunks: string[] = [];
  let words = 0;
  for (const { segment } of sentences.segment(text)) {
    const more = segment.split(/\s+/).filter((word) => word !== "").length;
    if (chunks.length === 0 || words + more > CHUNK_WORDS_MAX) {
      chunks.push(segment);
      words = more;
    } else {
      chunks.push(chunks.pop()! + segment);
      words += more;
    }
  }
  return chunks;
}
