/**
 * Fits the two models of `src/grounding/answerability/closest.ts` and writes them: `npm run build && node dist/bench/train-closest.js`.
 * They are fitted on the handbook's question lists and on `bench/training`; how well they do on a trade that they were not
 * fitted on is printed and written beside them. The same data give the same file.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withAnswerer, withDocuments } from "../src/compose/asked-documents.js";
import { loadConfig } from "../src/config/load.js";
import type { Passage } from "../src/domain/passage.js";
import { askRow } from "../src/evaluation/ask-row.js";
import type { DataSetRow } from "../src/evaluation/data-set.js";
import { readDataSetFile } from "../src/evaluation/read-data-set.js";
import { plainText, spansOf } from "../src/evaluation/wording.js";
import {
  bestOf,
  SEEN,
  SEEN_OF_BEST,
  type UnitSeen,
  unitsSeen,
} from "../src/grounding/answerability/closest.js";
import { type LogisticModel, probabilityOf } from "../src/lib/logistic.js";
import { shippedPath } from "../src/lib/shipped-files.js";
import { handbook } from "./support/answerability-data.js";
import { auroc, type Example, fitLogistic } from "./support/logistic.js";

const RIDGE = 3;
const ROWS_MAX = 1_000;
const FOUND_MAX = 5;
const NETWORK = "bench";
/** Shorter texts are in many quotes. */
const QUOTED_CHARS_MIN = 9;

const TRAINING = fileURLToPath(new URL("../../bench/training", import.meta.url));
const HANDBOOK = fileURLToPath(new URL("../../examples/handbook", import.meta.url));
const HANDBOOK_LISTS = fileURLToPath(
  new URL("../../src/extractive/extractive.handbook.json", import.meta.url),
);
const TRADES = readdirSync(TRAINING, { withFileTypes: true })
  .filter((one) => one.isDirectory())
  .map(({ name }) => [name, name === "handbook" ? HANDBOOK : join(TRAINING, name, "documents")] as const)
  .sort();

/** A question with what can be seen of every unit that was found. */
interface Asked {
  readonly trade: string | undefined;
  readonly units: readonly UnitSeen[];
  readonly isRight: ReadonlySet<UnitSeen["unit"]>;
}

const lists = await ofHandbookLists();
const asked: Asked[] = [];
for (const [trade, documents] of TRADES) asked.push(...(await ofTrade(trade, documents)));

const held = TRADES.flatMap(([trade]) => {
  const models = fitted([...lists, ...asked.filter((one) => one.trade !== trade)]);
  return asked.filter((one) => one.trade === trade).flatMap((one) => chosen(one, models));
});
const { answer, choice } = fitted([...lists, ...asked]);
const file = {
  fitted_on: `${lists.length} questions of the handbook's lists and ${asked.length} of bench/training, ridge ${RIDGE}`,
  on_trades_left_out: summaryOf(held),
  choice: rounded(choice, SEEN),
  answer: rounded(answer, SEEN_OF_BEST),
};
writeFileSync(shippedPath("models/closest.json"), `${JSON.stringify(file, undefined, 2)}\n`);
console.log(file.fitted_on);
for (const line of file.on_trades_left_out) console.log(line);

/** The unit that is chosen, whether it is right, and how likely the model takes it for an answer. */
interface Chosen {
  readonly example: Example;
  readonly probability: number;
}

function chosen({ isRight, units }: Asked, { answer, choice }: Models): Chosen[] {
  const best = bestOf(units, choice);
  if (best === undefined) return [];
  const example: Example = { features: best.seen, label: isRight.has(best.unit) ? 1 : 0 };
  return [{ example, probability: probabilityOf(best.seen, answer) }];
}

interface Models {
  readonly choice: LogisticModel;
  readonly answer: LogisticModel;
}

function fitted(all: readonly Asked[]): Models {
  const choosable = all.filter(({ isRight }) => isRight.size > 0);
  const units = choosable.flatMap(({ isRight, units }) =>
    units.map(({ seen, unit }): Example => ({ features: seen, label: isRight.has(unit) ? 1 : 0 })),
  );
  const choice = fitLogistic(units, RIDGE);
  const bests = all.flatMap((one) => chosen(one, { choice, answer: choice }).map(({ example }) => example));
  return { choice, answer: fitLogistic(bests, RIDGE) };
}

function summaryOf(all: readonly Chosen[]): string[] {
  const labels = all.map(({ example }) => example.label);
  const right = labels.filter((label) => label === 1).length;
  const area = auroc(
    all.map(({ probability }) => probability),
    labels,
  );
  const at = [0.8, 0.7, 0.6, 0.5, 0.3, 0.2].map((min) => {
    const over = all.filter(({ probability }) => probability >= min);
    const rightOver = over.filter(({ example }) => example.label === 1).length;
    return `from ${min} on: ${rightOver} right, ${over.length - rightOver} wrong`;
  });
  return [`chosen rightly ${right} of ${all.length}, AUROC ${area.toFixed(3)}`, ...at];
}

async function ofHandbookLists(): Promise<readonly Asked[]> {
  const { answerable } = JSON.parse(readFileSync(HANDBOOK_LISTS, "utf8")) as {
    readonly answerable: readonly { readonly question: string; readonly expected: readonly string[] }[];
  };
  const expected = new Map(answerable.map((one) => [one.question, plainText(one.expected[0]!)]));
  const all: Asked[] = [];
  for (const { passages, question } of (await handbook()).found) {
    const words = expected.get(question);
    all.push(
      await askedOf(undefined, [question], passages, (text) => words !== undefined && text.includes(words)),
    );
  }
  return all;
}

async function ofTrade(trade: string, documents: string): Promise<readonly Asked[]> {
  const path = join(TRAINING, trade, "questions.jsonl");
  const { rows } = readDataSetFile(path, readFileSync(path, "utf8"), { rowsMax: ROWS_MAX });
  const { signal } = new AbortController();
  return withDocuments(loadConfig({}).config, documents, NETWORK, signal, (opened) =>
    withAnswerer(opened, async ({ answerer }) => {
      const all: Asked[] = [];
      for (const row of rows) {
        const { answer } = await askRow(row, NETWORK, answerer, signal);
        const passages = (answer?.passages ?? []).slice(0, FOUND_MAX);
        all.push(await askedOf(trade, row.turns, passages, (text) => answers(row, text)));
      }
      return all;
    }),
  );
}

/** Whether a unit says all that is expected, or is of the passage that the row quotes. */
function answers({ expected: { key, mustSay } }: DataSetRow, text: string): boolean {
  if (key?.answerable !== true) return false;
  const quote = plainText(key.source?.quote ?? "");
  const isQuoted =
    text.length >= QUOTED_CHARS_MIN && quote !== "" && (quote.includes(text) || text.includes(quote));
  return (
    isQuoted || mustSay.every((group) => group.some((wording) => spansOf(text, wording, "begun").length > 0))
  );
}

async function askedOf(
  trade: string | undefined,
  turns: readonly string[],
  passages: readonly Passage[],
  isAnswer: (plain: string) => boolean,
): Promise<Asked> {
  const units = await unitsSeen(turns.at(-1)!, turns.at(-2), passages);
  const right = units.filter(({ unit }) => isAnswer(plainText(unit.units[unit.index]!.text)));
  return { trade, units, isRight: new Set(right.map(({ unit }) => unit)) };
}

function rounded({ bias, features }: LogisticModel, names: readonly string[]) {
  const short = (value: number) => Number(value.toFixed(4));
  return {
    bias: short(bias),
    features: features.map(({ deviation, mean, weight }, i) => ({
      feature: names[i],
      mean: short(mean),
      deviation: short(deviation),
      weight: short(weight),
    })),
  };
}
