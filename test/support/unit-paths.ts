/** What each path makes of one figure said where another stands: passages, quotes, readings in three shapes, conflicts. */

import { checkSentence } from "../../src/grounding/check/check-sentence.js";
import { quotedInSteps } from "../../src/grounding/check/quotes.js";
import { conflictInSteps } from "../../src/grounding/conflict.js";
import { type EvidenceText, prepareEvidence } from "../../src/grounding/evidence.js";
import { claimsIn } from "../../src/grounding/readings/claims.js";
import { SiteFacts } from "../../src/grounding/readings/facts.js";
import { ReadingsCheck, worst } from "../../src/grounding/readings/readings.js";
import { atOnce } from "../../src/lib/steps.js";

/** `different` for a figure that is contradicted, `unknown` for one that nothing decides. */
export type UnitComparison = "same" | "different" | "unknown";

export interface FigurePair {
  /** What is measured: "pressure". */
  readonly subject: string;
  readonly said: string;
  readonly known: string;
}

type Path = (pair: FigurePair) => UnitComparison;

const CONTEXT = { question: "", said: [] };

const FOUND: Readonly<Record<string, UnitComparison>> = { supported: "same", contradicted: "different" };

/** So many English words that the language of the figure does not make it the language of the sentence. */
const sentenceOf = (subject: string, figure: string) =>
  `For all of the work that is done on line 3 of the plant, the ${subject} is ${figure}.`;

function passage(source: string, text: string): EvidenceText {
  return { type: "passage", source, title: "Line 3", headings: ["Figures"], text };
}

function fromReading(subject: string, said: string, result: unknown): UnitComparison {
  const site = new SiteFacts(() => 0);
  atOnce(site.addTool({ tool: "site_line", result, ageMs: 0 }));
  const claims = claimsIn(`The ${subject} is ${said}.`, "");
  return FOUND[worst(atOnce(new ReadingsCheck(site, "").claims(claims, [])))] ?? "unknown";
}

/** Every path that compares figures. A reading with the unit beside its number takes figures of one number only. */
export const PATHS: Readonly<Record<string, Path>> = {
  passage({ subject, said, known }) {
    const evidence = prepareEvidence([passage("a", sentenceOf(subject, known))]);
    return FOUND[checkSentence(sentenceOf(subject, said), evidence, CONTEXT).verdict] ?? "unknown";
  },
  quote({ subject, said, known }) {
    const quote = sentenceOf(subject, known);
    const claim = { text: sentenceOf(subject, said), source: "a", quote };
    return (
      FOUND[atOnce(quotedInSteps(claim, prepareEvidence([passage("a", quote)]), CONTEXT)).verdict] ??
      "unknown"
    );
  },
  reading: ({ subject, said, known }) => fromReading(subject, said, { [subject]: known }),
  "reading with a unit beside it"({ subject, said, known }) {
    const [, value, unit] = /^(\S+) (?!\d)((?:(?! \d).)+)$/.exec(known) ?? [];
    if (Number.isNaN(Number(value))) return fromReading(subject, said, { [subject]: known });
    return fromReading(subject, said, { [subject]: { value: Number(value), unit } });
  },
  snapshot: ({ subject, said, known }) => fromReading(subject, said, `${subject}: ${known}`),
  conflict({ subject, said, known }) {
    const sentence = sentenceOf(subject, said);
    const evidence = prepareEvidence([
      passage("a", `${sentence} Read it each hour.`),
      passage("b", `${sentenceOf(subject, known)} Read it each hour.`),
    ]);
    const check = checkSentence(sentence, evidence, CONTEXT);
    if (check.verdict !== "supported") return "unknown";
    return atOnce(conflictInSteps(sentence, check, evidence)) === undefined ? "same" : "different";
  },
};

/** Which paths, in which direction, find something else than `expected`. */
export function misses(
  { subject, said, known }: FigurePair,
  expected: "same" | "different" | "not the same",
): string[] {
  return Object.entries(PATHS).flatMap(([name, path]) =>
    [
      { subject, said, known },
      { subject, said: known, known: said },
    ]
      .map((pair) => ({ pair, found: path(pair) }))
      .filter(({ found }) => (expected === "not the same" ? found === "same" : found !== expected))
      .map(({ pair, found }) => `${name}: ${pair.said} where ${pair.known} stands is ${found}`),
  );
}
