/**
 * What is said is so, and what the documents say is said: questions on documents of several trades, fixed before the
 * first run, asked through the real turn. `npm run bench -- answers [--half a|b] [--trade T] [--mode offline|model]
 * [--rows N] [--slower N] [--json F] [--verbose]`. Offline, sentences of the documents are the answers; `model` takes
 * the model that the environment names (`OPENAI_BASE_URL`). Beside the marks: whether the search found the evidence, and
 * how well the confidence tells what can be answered, with BM25 as its peer.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { COMMAND_DEPS } from "../src/compose/knowledge.js";
import { createModels } from "../src/compose/models.js";
import { loadConfig } from "../src/config/load.js";
import type { Config } from "../src/config/schema.js";
import { MARK_COLUMNS, type Mark, markLines, marksOf } from "../src/evaluation/marking.js";
import { markJson, marksJson } from "../src/evaluation/report-json.js";
import { columns } from "../src/lib/columns.js";
import { type AskedRow, askTrade, HALVES, type Half, tradesOf } from "./support/answers.js";
import { type Labels, printAuroc, printGain } from "./support/auroc.js";
import { countOf } from "./support/count-option.js";
import { auroc, calibrationError } from "./support/logistic.js";

/** Of the half that nobody looks at. */
const AIMS = { rightMin: 0.7, wrongMax: 0.03, couldHurtMax: 0, answeredMax: 0.05 } as const;

export function run(): Promise<void> {
  return runWith([]);
}

export async function runWith(args: readonly string[]): Promise<void> {
  const { half, mode, json, rows: rowsMax, slower, trade, verbose } = optionsOf(args);
  const config = configOf(mode);
  const trades = tradesOf(half).filter((name) => trade === undefined || name === trade);
  if (trades.length === 0)
    throw new Error(`there are no questions${trade === undefined ? "" : ` on the trade ${trade}`}`);
  const rows: AskedRow[] = [];
  for (const name of trades)
    rows.push(...(await askTrade(name, half, config, undefined, { rows: rowsMax, slower })));
  console.log(`Answers, half ${half}, ${mode}`);
  if (verbose) for (const row of rows) printFault(row);
  for (const name of trades)
    printTable(
      name,
      rows.filter((row) => row.trade === name),
    );
  if (trades.length > 1) printTable("all trades", rows);
  if (mode === "model") printDegraded(rows);
  printAims(rows);
  printRefusal(refusalOf(rows));
  printCalibration(rows);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(jsonOf(half, mode, rows), undefined, 2)}\n`);
  console.log("");
}

type Mode = "offline" | "model";

function optionsOf(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      half: { type: "string", default: "a" },
      mode: { type: "string", default: "offline" },
      trade: { type: "string" },
      rows: { type: "string" },
      slower: { type: "string" },
      json: { type: "string" },
      verbose: { type: "boolean", default: false },
    },
  });
  const half = HALVES.find((one) => one === values.half);
  const mode = (["offline", "model"] as const).find((one) => one === values.mode);
  if (half === undefined) throw new Error(`--half is a or b, not ${values.half}`);
  if (mode === undefined) throw new Error(`--mode is offline or model, not ${values.mode}`);
  if (half === "b" && values.verbose)
    throw new Error(
      "half b is never looked at: --verbose shows questions and answers, so it is for half a only",
    );
  const rows = countOf("rows", values.rows);
  const slower = countOf("slower", values.slower);
  return { ...values, half, mode, rows, slower };
}

/** Offline, the environment has no say, so that everybody gets the same figures. */
function configOf(mode: Mode): Config {
  if (mode === "offline") return loadConfig({}).config;
  const { config } = loadConfig();
  if (createModels(config, COMMAND_DEPS).main === undefined)
    throw new Error("no model is configured: set OPENAI_BASE_URL, or OPENAI_API_KEY");
  return config;
}

/** What went wrong, question and answer. */
function printFault({ marked, told }: AskedRow): void {
  if (told === undefined || marked.mark === "right") return;
  const { id, turns, answer, fault } = told;
  console.log(`\n${id}${marked.couldHurt ? ", could hurt" : ""}: ${turns.join(" / ")}`);
  console.log(`  said: ${answer}\n  ${fault}`);
}

function printTable(name: string, rows: readonly AskedRow[]): void {
  const marks = marksOf(rows);
  const lines = markLines(marks).map((line) => {
    const of = rowsOf(line[0]!, rows);
    const accepted = (mark?: Mark) =>
      of.filter((row) => row.accepted !== undefined && (mark ?? row.accepted) === row.accepted);
    return [
      ...line,
      foundOf(of),
      `${accepted().length}`,
      `${accepted("right").length}`,
      `${accepted("wrong").length}`,
    ];
  });
  const head = [
    ...MARK_COLUMNS,
    "evidence found",
    "of the refused offered",
    "and right after a yes",
    "and wrong",
  ];
  console.log(["", name, ...columns([head, ...lines])].join("\n"));
}

/** An answer that the model had no part in says nothing of it. */
function printDegraded(rows: readonly AskedRow[]): void {
  console.log(
    `\nanswered without the model, since it failed: ${rows.filter(({ degraded }) => degraded).length} of ${rows.length}`,
  );
}

/** The rows that a line of the table is about. */
function rowsOf(line: string, rows: readonly AskedRow[]): readonly AskedRow[] {
  if (line === "all") return rows;
  if (line === "answerable") return rows.filter(({ answerable }) => answerable);
  if (line === "unanswerable") return rows.filter(({ answerable }) => !answerable);
  return rows.filter(({ category }) => category === line);
}

/** In how many of the answerable rows that quote their source the search found it. */
function foundOf(rows: readonly AskedRow[]): string {
  const known = rows.flatMap(({ found }) => (found === undefined ? [] : [found]));
  return `${known.filter((found) => found).length} of ${known.length}`;
}

function printAims(rows: readonly AskedRow[]): void {
  const { answerable, unanswerable, total } = marksOf(rows);
  const lines = [
    aim("answerable, right", answerable.right, answerable.rows, AIMS.rightMin, "at least"),
    aim("answerable, wrong", answerable.wrong, answerable.rows, AIMS.wrongMax, "at most"),
    aim("unanswerable, answered", unanswerable.wrong, unanswerable.rows, AIMS.answeredMax, "at most"),
    aim("wrong, could hurt", total.couldHurt, total.rows, AIMS.couldHurtMax, "at most"),
  ];
  console.log(["", ...columns(lines)].join("\n"));
}

function aim(
  name: string,
  count: number,
  of: number,
  limit: number,
  which: "at least" | "at most",
): string[] {
  const share = of === 0 ? 0 : count / of;
  const isMet = which === "at least" ? share >= limit : share <= limit;
  const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
  return [
    name,
    `${count} of ${of}`,
    percent(share),
    `aim ${which} ${percent(limit)}`,
    isMet ? "met" : "MISSED",
  ];
}

function printRefusal({ labels, sure, bm25 }: Refusal): void {
  if (new Set(labels).size < 2) return;
  console.log(
    `\nrefusal: ${labels.length} questions, ${labels.filter((label) => label === 1).length} answerable`,
  );
  printAuroc("confidence", sure, labels);
  printAuroc("BM25 by query weight", bm25, labels);
  printGain(sure, bm25, labels);
}

/** Whether what was told with a confidence of .8 is right eight times of ten, refusals included. */
function printCalibration(rows: readonly AskedRow[]): void {
  const told = rows.flatMap(({ confidence, marked }) =>
    confidence === undefined ? [] : [{ confidence, marked }],
  );
  const error = calibrationError(
    told.map(({ confidence }) => confidence),
    told.map(({ marked }) => (marked.mark === "right" ? 1 : 0)),
  );
  console.log(`calibration error of the confidence ${error.toFixed(3)}`);
}

interface Refusal {
  readonly labels: Labels;
  readonly sure: readonly number[];
  readonly bm25: readonly number[];
}

function refusalOf(rows: readonly AskedRow[]): Refusal {
  const known = rows.flatMap((row) => (row.sure === undefined ? [] : [{ ...row, sure: row.sure }]));
  return {
    labels: known.map(({ answerable }) => (answerable ? 1 : 0)),
    sure: known.map(({ sure }) => sure),
    bm25: known.map(({ bm25 }) => bm25),
  };
}

/** Half b gives its sums and nothing of its rows; see `AskedRow.told`. */
function jsonOf(half: Half, mode: Mode, rows: readonly AskedRow[]) {
  const trades = [...new Set(rows.map(({ trade }) => trade))];
  const sums = (of: readonly AskedRow[]) => ({
    ...marksJson(marksOf(of)),
    evidence_found: foundOf(of),
    offered: of.filter(({ accepted }) => accepted !== undefined).length,
    right_after_yes: of.filter(({ accepted }) => accepted === "right").length,
  });
  const { labels, sure, bm25 } = refusalOf(rows);
  return {
    half,
    mode,
    ...sums(rows),
    refusal: { confidence: auroc(sure, labels), bm25: auroc(bm25, labels) },
    trades: trades.map((trade) => ({ trade, ...sums(rows.filter((row) => row.trade === trade)) })),
    rows: rows.flatMap(({ category, degraded, found, marked, sure, told, trade }) =>
      told === undefined
        ? []
        : [{ trade, kind: category, ...told, ...markJson(marked), degraded, found, sure }],
    ),
  };
}
