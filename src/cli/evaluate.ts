/** `readback evaluate`: asks a data set's questions, measures the answers, and says whether they are good enough. */
import { readFile } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { openEvaluating } from "../compose/evaluating.js";
import { COMMAND_DEPS } from "../compose/knowledge.js";
import { createModels } from "../compose/models.js";
import { loadConfig } from "../config/load.js";
import type { Config } from "../config/schema.js";
import { type ComparedReport, compare, comparedSchema } from "../evaluation/compare.js";
import type { DataSet } from "../evaluation/data-set.js";
import type { EvaluatedRun, Evaluations, RunRequest } from "../evaluation/evaluations.js";
import { gateProblem } from "../evaluation/gate.js";
import { readDataSetFile } from "../evaluation/read-data-set.js";
import { reportHtml } from "../evaluation/report/html.js";
import { comparisonTable, resultTable } from "../evaluation/report/table.js";
import { reportJson } from "../evaluation/report-json.js";
import { METRICS, type MetricName } from "../evaluation/score.js";
import { writePrivateFile } from "../lib/private-files.js";
import { EvaluationProgress } from "./evaluation-progress.js";
import { names } from "./names.js";
import { complain, say, sayJson } from "./output.js";

interface EvaluateFlags {
  readonly documents?: string;
  readonly network?: string;
  readonly metrics?: readonly MetricName[];
  readonly category?: readonly string[];
  readonly ids?: readonly string[];
  readonly limit?: number;
  readonly minScore?: number;
  readonly report?: string;
  readonly json?: true;
  readonly junit?: string;
  readonly resume?: true;
  readonly compare?: readonly string[];
  readonly draft?: string;
  readonly out?: string;
}

export function evaluateCommand(signal: AbortSignal): Command {
  return new Command("evaluate")
    .argument("[dataset]", "the data set: JSON lines, such as examples/golden.jsonl")
    .option(
      "--documents <folder>",
      "ask a temporary index of these documents; unless given, of those that the data set names in its first line, " +
        "and where it names none, the configured knowledge",
    )
    .option("--network <name>", "network of the rows that name none")
    .option("--metrics <names>", `with commas between them, of ${METRICS.join(", ")}`, metricNames)
    .option("--category <names>", "only rows of these categories, with commas between them", names)
    .option("--ids <ids>", "only these rows, with commas between them", names)
    .option("--limit <rows>", "only so many rows", wholeNumber)
    .option(
      "--min-score <score>",
      "end with exit code 1 when the global score is below this; a row that could not be scored does that anyway",
      share,
    )
    .option("--report <file.html>", "where the report is written (default: evaluation.html)")
    .option("--junit <file.xml>", "write the rows as JUnit XML as well")
    .option("--json", "print the whole result as JSON, as --compare reads it")
    .option("--resume", "go on with the last run of the same questions that was interrupted")
    .option("--compare <old.json new.json...>", "compare two results that --json printed, and ask nothing")
    .option(
      "--draft <folder>",
      "draft a data set from these documents for a person to correct, and ask nothing; with a configured model, by " +
        "its questions too",
    )
    .option("--out <file.jsonl>", "where --draft writes it (default: standard output)")
    .action((dataset: string | undefined, flags: EvaluateFlags) => run(dataset, flags, signal));
}

const REPORT_FILE = "evaluation.html";

async function run(path: string | undefined, flags: EvaluateFlags, signal: AbortSignal): Promise<void> {
  if (flags.compare !== undefined) return printComparison(flags.compare, flags.json === true);
  if (flags.draft !== undefined)
    return (await import("./evaluate-draft.js")).draft(flags.draft, flags.out, signal);
  if (path === undefined) throw new Error("name a data set, such as examples/golden.jsonl");
  const { config } = loadConfig();
  const dataSet = await readDataSet(path, config);
  const documents = flags.documents ?? (dataSet.documents && resolve(dirname(path), dataSet.documents));
  const network = dataSet.network ?? flags.network;
  const request = requestOf(path, dataSet, flags);
  const evaluated = await askedOf(config, documents, network, request, flags.resume === true, signal);
  await tell(evaluated, flags);
}

async function readDataSet(path: string, config: Config): Promise<DataSet> {
  try {
    return readDataSetFile(path, await readFile(path, "utf8"), config.evaluation);
  } catch (error) {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function requestOf(path: string, dataSet: DataSet, flags: EvaluateFlags): RunRequest {
  const { network, metrics, category, ids, limit } = flags;
  return {
    dataSet,
    name: dataSet.name ?? basename(path),
    ...(network !== undefined && { network }),
    ...(metrics && { metrics }),
    ...(category && { categories: category }),
    ...(ids && { ids }),
    ...(limit !== undefined && { limit }),
  };
}

/** Asks the documents, or the configured knowledge where there are none. */
async function askedOf(
  config: Config,
  documents: string | undefined,
  network: string | undefined,
  request: RunRequest,
  resume: boolean,
  signal: AbortSignal,
): Promise<EvaluatedRun> {
  const work = (asked: Config) => evaluate(config, asked, request, resume, signal);
  if (documents === undefined) return work(config);
  if (network === undefined)
    throw new Error(
      "the documents have to belong to a network: name it in the data set's first line, or with --network",
    );
  const { withDocuments } = await import("../compose/asked-documents.js");
  return withDocuments(config, documents, network, signal, work);
}

/** Asks with `asked`; the runs themselves are kept in the configured data folder, so that they can be resumed. */
async function evaluate(
  config: Config,
  asked: Config,
  request: RunRequest,
  resume: boolean,
  signal: AbortSignal,
): Promise<EvaluatedRun> {
  const { withAnswerer } = await import("../compose/asked-documents.js");
  return withAnswerer(asked, async ({ answerer, knowledge, texts }) => {
    const progress = new EvaluationProgress();
    const evaluating = await openEvaluating(
      config,
      {
        origin: "cli",
        answerer,
        prompts: texts.prompts,
        embedder: knowledge.modelEmbedder,
        judge: createModels(asked, COMMAND_DEPS).judge,
        onRow: ({ status }) => progress.note(status),
      },
      COMMAND_DEPS,
    );
    try {
      return await toTheEnd(evaluating.evaluations, request, resume, progress, signal);
    } finally {
      progress.clear();
      await evaluating.close();
    }
  });
}

async function toTheEnd(
  evaluations: Evaluations,
  request: RunRequest,
  resume: boolean,
  progress: EvaluationProgress,
  signal: AbortSignal,
): Promise<EvaluatedRun> {
  const earlier = resume ? await evaluations.unfinished(request) : undefined;
  if (resume && earlier === undefined) complain("There is no such run to resume; this is a new one.");
  const { id, rows } = earlier ?? (await evaluations.create(request));
  progress.start(rows.pending + rows.answered + rows.done + rows.failed, rows.done + rows.failed);
  await evaluations.work(id, signal);
  const run = await evaluations.run(id);
  if (run === undefined) throw new Error(`the run ${id} is gone: somebody removed it`);
  return evaluations.report(run);
}

/** Prints the result, writes the files that were asked for, and sets the exit code. */
async function tell(evaluated: EvaluatedRun, flags: EvaluateFlags): Promise<void> {
  const { report = REPORT_FILE, junit, json, minScore } = flags;
  await writePrivateFile(report, reportHtml(evaluated));
  if (junit !== undefined) {
    const { junitXml } = await import("../evaluation/junit.js");
    await writePrivateFile(junit, junitXml(evaluated, minScore));
  }
  if (json === true) sayJson(reportJson(evaluated));
  else say(...resultTable(evaluated).split("\n"), "", `Report: ${report}`);
  const problem = gateProblem(evaluated, minScore);
  if (problem === undefined) return;
  complain(`readback: ${problem}`);
  process.exitCode = 1;
}

async function printComparison(paths: readonly string[], json: boolean): Promise<void> {
  const [older, newer, ...more] = paths;
  if (older === undefined || newer === undefined || more.length > 0)
    throw new Error("--compare takes two files: the old result, then the new one");
  const comparison = compare(await readResult(older), await readResult(newer));
  if (json) sayJson(comparison);
  else say(...comparisonTable(comparison).split("\n"));
}

async function readResult(path: string): Promise<ComparedReport> {
  const parsed = comparedSchema.safeParse(parseJson(path, await readFile(path, "utf8")));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(
    `${path} is no result of readback evaluate --json: ${issue!.path.join(".")}: ${issue!.message}`,
  );
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not JSON: ${String(error)}`, { cause: error });
  }
}

function metricNames(text: string): readonly MetricName[] {
  const asked = names(text);
  const known = METRICS.filter((metric) => asked.includes(metric));
  const unknown = asked.find((name) => !known.some((metric) => metric === name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(`There is no "${unknown}", but ${METRICS.join(", ")}.`);
  return known;
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError("Expected a whole number from 1 on.");
  return Number(text);
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError("Expected a number from 0 to 1, such as 0.8.");
  return value;
}
