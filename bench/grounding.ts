/**
 * What the grounding checks catch: small edits of gold sentences, beside the known simple rules in the same run; what
 * they hold back of the unedited sentences; steps of the example handbook out of order; and summaries that were edited
 * by people (SummEdits). Part of `npm run bench`, or alone: `npm run bench -- grounding`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ReasonCode } from "../src/domain/answer.js";
import type { SentenceCheck } from "../src/grounding/check/check.js";
import { checkSentence } from "../src/grounding/check/check-sentence.js";
import { checkSteps } from "../src/grounding/check/steps.js";
import { prepareEvidence } from "../src/grounding/evidence.js";
import { chunkSections } from "../src/ingest/chunk.js";
import { parseMarkdown } from "../src/ingest/read/markdown.js";
import { splitSentences } from "../src/lib/sentence-end.js";
import { EDITS, type EditKind } from "./support/grounding-edits.js";
import {
  type GoldSentence,
  readGold,
  readSummaries,
  type SummarizedDocument,
} from "./support/grounding-gold.js";
import { SIMPLE_RULES, type SimpleRules } from "./support/grounding-rules.js";
import { percentile } from "./support/stats.js";

const HANDBOOK = fileURLToPath(new URL("../../examples/handbook/", import.meta.url));

/** What may be said of an unedited sentence at the most. */
const FALSE_ALARMS_MAX = 0.05;

/** The reasons that are each kind's own, and the simple rule for it with what it is known to reach. */
const KINDS: Readonly<
  Record<EditKind, { own: readonly ReasonCode[]; rule?: keyof SimpleRules; known?: string }>
> = {
  "number changed": { own: ["number_differs", "number_unknown"], rule: "numbers", known: "81 / 4.9" },
  "unit changed": { own: ["unit_differs", "number_differs", "number_unknown"], rule: "numbers" },
  "not inserted": { own: ["negation_differs", "modality_differs"], rule: "negation", known: "67 / 8.4" },
  "not removed": { own: ["negation_differs", "modality_differs"], rule: "negation", known: "67 / 8.4" },
  "antonym swapped": { own: ["opposite_state", "comparator_differs"], rule: "antonyms", known: "63 / 1.1" },
  "entity of the passage": { own: ["added", "other_subject", "roles_swapped"] },
  "entity of another": { own: ["added", "other_subject"] },
  "sentence of another": { own: ["words_not_found"] },
};

export async function run(): Promise<void> {
  const gold = readGold();
  console.log(
    `Grounding: ${gold.length} gold sentences of ClapNQ; looked at while the checks were written: half 0, not: half 1`,
  );
  for (const half of [0, 1] as const)
    printEdits(
      gold.filter(({ passage }) => passage.half === half),
      half,
    );
  printTimes(gold);
  printSteps();
  const documents = readSummaries();
  for (const half of [0, 1] as const)
    printSummaries(
      documents.filter((one) => one.half === half),
      half,
    );
  console.log("");
}

function check(sentence: string, { question, said, passage }: GoldSentence): SentenceCheck {
  return checkSentence(sentence, passage.evidence, { question, said });
}

const isCaught = ({ verdict }: SentenceCheck) => verdict !== "supported";
const isCaughtBy =
  (own: readonly ReasonCode[]) =>
  ({ reasons }: SentenceCheck) =>
    reasons.some(({ code }) => own.includes(code));

function printEdits(gold: readonly GoldSentence[], half: number): void {
  const unedited = gold.map((one) => check(one.text, one));
  const falseAlarms = share(unedited, isCaught);
  console.log(
    `\nhalf ${half}: false alarms over all ${percent(falseAlarms)} of ${gold.length} unedited sentences, aim at most ` +
      `${percent(FALSE_ALARMS_MAX)}: ${falseAlarms <= FALSE_ALARMS_MAX ? "met" : "MISSED"}`,
  );
  console.log(
    "kind                       n   caught   by its own reasons   their false alarms   rule catches   its false alarms   known",
  );
  for (const [kind, { own, rule, known = "" }] of Object.entries(KINDS) as [
    EditKind,
    (typeof KINDS)[EditKind],
  ][]) {
    const edited = gold.flatMap((one) => {
      const text = EDITS[kind](one, gold);
      return text === undefined ? [] : [{ one, text }];
    });
    const checks = edited.map(({ one, text }) => check(text, one));
    const simple = rule === undefined ? undefined : SIMPLE_RULES[rule];
    const cells = [
      percent(share(checks, isCaught)).padStart(8),
      percent(share(checks, isCaughtBy(own))).padStart(21),
      percent(share(unedited, isCaughtBy(own))).padStart(20),
      (simple === undefined
        ? ""
        : percent(share(edited, ({ one, text }) => simple(text, one.passage.text)))
      ).padStart(14),
      (simple === undefined
        ? ""
        : percent(share(gold, (one) => simple(one.text, one.passage.text)))
      ).padStart(18),
      known.padStart(11),
    ];
    console.log(`${kind.padEnd(22)}${String(edited.length).padStart(6)} ${cells.join(" ")}`);
  }
}

/**
 * The best of some rounds, so that what else the machine does counts little. Evidence is prepared once a turn: for the
 * first time, and again when the same passages are found for another question.
 */
function printTimes(gold: readonly GoldSentence[]): void {
  const passages = [...new Set(gold.map(({ passage }) => passage))];
  const turns = Array.from({ length: Math.floor(passages.length / PASSAGES_OF_TURN) }, (_, i) =>
    passages
      .slice(i * PASSAGES_OF_TURN, (i + 1) * PASSAGES_OF_TURN)
      .map(({ id, text }) => ({ type: "passage", source: id, text }) as const),
  );
  const sentences = bestTimes(gold, (one) => check(one.text, one));
  // More passages than are kept lie between two rounds.
  const first = bestTimes(turns, (texts) => prepareEvidence(texts));
  const again = turns.map((texts) => {
    prepareEvidence(texts);
    return bestTimes([texts], (one) => prepareEvidence(one))[0]!;
  });
  const words = passages.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0) / passages.length;
  console.log(
    `\nmicroseconds, best of ${ROUNDS}: check of a sentence ${figures(sentences)}; preparing ${PASSAGES_OF_TURN} passages ` +
      `of ${words.toFixed(0)} words for the first time ${figures(first)}, again ${figures(Float64Array.from(again))}`,
  );
}

const ROUNDS = 3;

function bestTimes<T>(items: readonly T[], work: (item: T) => void): Float64Array {
  const best = new Float64Array(items.length).fill(Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++)
    for (const [i, item] of items.entries()) {
      const startMs = performance.now();
      work(item);
      best[i] = Math.min(best[i]!, (performance.now() - startMs) * 1_000);
    }
  return best;
}

function figures(values: Float64Array): string {
  const sorted = values.toSorted();
  return `p50 ${percentile(sorted, 0.5).toFixed(0)}   p95 ${percentile(sorted, 0.95).toFixed(0)}`;
}

const PASSAGES_OF_TURN = 8;

/** The handbook's procedures, said as they stand, with two steps exchanged, and with one left out. */
function printSteps(): void {
  const counts = { procedures: 0, "false alarms": 0, pairs: 0, swapped: 0, inner: 0, dropped: 0 };
  for (const text of procedures()) {
    const evidence = prepareEvidence([{ type: "passage", source: "procedure", text }]);
    const steps = text.match(/^\d+\. .+$/gm) ?? [];
    const isBroken = (said: readonly string[]) => {
      const checks = said
        .flatMap((step) => splitSentences(step))
        .map((step) => checkSentence(step, evidence, { question: "", said: [] }));
      return checks.some(isCaught) || checkSteps(checks, evidence).problems.length > 0;
    };
    counts.procedures += 1;
    if (isBroken(steps)) counts["false alarms"] += 1;
    for (let i = 0; i + 1 < steps.length; i++) {
      counts.pairs += 1;
      const swapped = [...steps];
      [swapped[i], swapped[i + 1]] = [steps[i + 1]!, steps[i]!];
      if (isBroken(swapped)) counts.swapped += 1;
      if (i === 0) continue;
      counts.inner += 1;
      if (isBroken(steps.filter((_, at) => at !== i))) counts.dropped += 1;
    }
  }
  console.log(
    `\nsteps of the handbook: ${counts.procedures} procedures, false alarms ${counts["false alarms"]}; two neighbours exchanged: ` +
      `caught ${counts.swapped} of ${counts.pairs}; one in the middle left out: caught ${counts.dropped} of ${counts.inner}`,
  );
}

function procedures(): string[] {
  return readdirSync(HANDBOOK)
    .filter((name) => name.endsWith(".md"))
    .flatMap((name) => {
      const text = readFileSync(`${HANDBOOK}${name}`, "utf8").replace(/^---[\s\S]*?\n---\n/, "");
      return chunkSections(parseMarkdown(text), { tokensTarget: 400, overlapTokensMax: 0 });
    })
    .map(({ text }) => text)
    .filter((text) => (text.match(/^\d+\. /gm)?.length ?? 0) >= 3);
}

/** A summary is taken for consistent where each of its sentences is supported. */
function printSummaries(documents: readonly SummarizedDocument[], half: number): void {
  const judged = documents.flatMap(({ evidence, summaries }) =>
    summaries.map(({ text, consistent }) => ({
      consistent,
      passes: splitSentences(text).every(
        (one) => !isCaught(checkSentence(one.trim(), evidence, { question: "", said: [] })),
      ),
    })),
  );
  const passed = share(
    judged.filter(({ consistent }) => consistent),
    ({ passes }) => passes,
  );
  const held = share(
    judged.filter(({ consistent }) => !consistent),
    ({ passes }) => !passes,
  );
  console.log(
    `SummEdits, half ${half}, ${judged.length} summaries: balanced accuracy ${percent((passed + held) / 2)} ` +
      `(consistent ones passed ${percent(passed)}, inconsistent ones held back ${percent(held)}); chance is 50.0%`,
  );
}

function share<T>(values: readonly T[], is: (value: T) => boolean): number {
  return values.length === 0 ? Number.NaN : values.filter(is).length / values.length;
}

function percent(value: number): string {
  return Number.isNaN(value) ? "–" : `${(100 * value).toFixed(1)}%`;
}
