/** `readback routes`: what the router decided as training data, another classifier from it, and which of two is better. */
import { readFile } from "node:fs/promises";
import { Command } from "commander";
import { loadConfig } from "../config/load.js";
import { systemClock } from "../lib/clock.js";
import { writePrivateFile } from "../lib/private-files.js";
import { loadPrompts } from "../llm/prompts.js";
import { loadClassifier, parseModel, printModel, RouteClassifier } from "../routing/classifier.js";
import {
  compareRouted,
  needsModel,
  type RoutedRow,
  type RouterComparison,
  routeAll,
  share,
} from "../routing/evaluate.js";
import {
  isHeldOut,
  type LabelledUtterance,
  labelledLine,
  parseLabelled,
  teachable,
} from "../routing/labelled-data.js";
import { Router, type RouterOptions } from "../routing/router.js";
import { trainClassifier } from "../routing/train.js";
import { RouteLog } from "../store/route-log.js";
import { complain, say, sayJson, sayWritten } from "./output.js";

interface NetworkFlag {
  readonly network?: string;
}

export function routesCommand(signal: AbortSignal): Command {
  return new Command("routes")
    .addCommand(
      new Command("export")
        .description("What the router decided, as JSON lines; kept where routing.log_intents is set")
        .option("--out <file>", "write to this file; otherwise to standard output")
        .option("--network <name>", "this network's only; otherwise those of all networks")
        .action((options: NetworkFlag & { out?: string }) => exportRoutes(options)),
    )
    .addCommand(
      new Command("clear")
        .description("Delete what the router kept")
        .option("--network <name>", "this network's only; otherwise those of all networks")
        .action(({ network }: NetworkFlag) => withLog((log) => log.clear(network))),
    )
    .addCommand(
      new Command("train")
        .description("Train a classifier; one utterance in three is held out and tested with")
        .argument(
          "<file...>",
          "labelled utterances as JSON lines: text, route, and layer where it was no person",
        )
        .option("--out <file>", "where the classifier goes", "routes.json")
        .action((files: string[], { out }: { out: string }) => train(files, out, signal)),
    )
    .addCommand(
      new Command("compare")
        .description("Say which of two classifiers is better; exits with 1 when the second one is worse")
        .argument("<model-a>", "the classifier in use; `shipped` for the one that comes with the service")
        .argument("<model-b>", "the classifier that may take its place")
        .argument("<file>", "labelled utterances; those that either was trained on are left out")
        .option("--json", "print JSON")
        .action((a: string, b: string, file: string, { json }: { json?: true }) =>
          compare([a, b], file, json === true, signal),
        ),
    );
}

async function exportRoutes({ out, network }: NetworkFlag & { out?: string }): Promise<void> {
  const routes = await withLog((log) => log.list(network));
  const lines = routes.map(labelledLine);
  const text = lines.join("");
  if (out === undefined) sayWritten(text);
  else await writePrivateFile(out, text);
  if (out !== undefined || lines.length === 0) complain(`${lines.length} decisions exported.`);
  if (lines.length === 0 && !loadConfig().config.routing.logIntents)
    complain("None are kept: routing.log_intents is off (READBACK_ROUTING_LOG_INTENTS).");
}

async function train(files: readonly string[], out: string, signal: AbortSignal): Promise<void> {
  const all = (await Promise.all(files.map(readLabelled))).flat();
  const rows = teachable(all);
  const unused = all.length - rows.length;
  if (unused > 0) say(`${unused} rows left out: said twice, or labelled by the classifier itself.`);
  const model = trainClassifier(rows.filter(({ text }) => !isHeldOut(text)));
  const heldOut = rows.filter(({ text }) => isHeldOut(text));
  // What is tested is what the file holds, not what was computed.
  const content = printModel(model);
  const options = loadConfig().config.routing;
  const router = await routerWith(new RouteClassifier(parseModel(content)), options);
  const routed = await routeAll(heldOut, router, signal);
  await writePrivateFile(out, content);
  say(`Trained on ${model.trainedOn.length} utterances; written to ${out}.`);
  say(...heldOutText(routed, options.confidenceMin).split("\n"));
  say(`Compare it with the one in use (readback routes compare), then set routing.classifier_file.`);
}

function heldOutText(routed: readonly RoutedRow[], confidenceMin: number): string {
  if (routed.length === 0) return "No utterance was held out: there are too few to say how good it is.";
  const right = percent(share(routed, (row) => row.right));
  const model = percent(share(routed, (row) => needsModel(row, confidenceMin)));
  return `Of ${routed.length} held out, rules and classifier get ${right} right; ${model} would be put to the model.`;
}

async function compare(
  [nameA, nameB]: readonly [string, string],
  file: string,
  json: boolean,
  signal: AbortSignal,
): Promise<void> {
  const [a, b] = await Promise.all(
    [nameA, nameB].map((name) => loadClassifier(name === "shipped" ? undefined : name)),
  );
  const rows = await readLabelled(file);
  const unseen = rows.filter(({ text }) => !a!.knows(text) && !b!.knows(text));
  if (unseen.length === 0) throw new Error(`${file} holds nothing that neither classifier was trained on.`);
  const options = loadConfig().config.routing;
  const [first, second] = await Promise.all(
    [a!, b!].map(async (classifier) => routeAll(unseen, await routerWith(classifier, options), signal)),
  );
  const comparison = compareRouted(first!, second!, options.confidenceMin);
  if (json) sayJson({ ...comparison, left_out: rows.length - unseen.length });
  else say(...comparisonText(comparison, [nameA, nameB], rows.length - unseen.length).split("\n"));
  if (comparison.verdict === "worse") process.exitCode = 1;
}

const VERDICTS = {
  better: "The second is better.",
  not_shown: "The second is not shown to be better.",
  worse: "The second is worse: do not put it to use.",
} as const;

function comparisonText(
  comparison: RouterComparison,
  names: readonly [string, string],
  leftOut: number,
): string {
  const { rows, accuracy, needModel, byRoute, agreement, difference, verdict } = comparison;
  const width = Math.max(16, ...byRoute.map(({ route }) => route.length));
  const line = (name: string, count: string, [a, b]: readonly [string, string]) =>
    `${name.padEnd(width)} ${count.padStart(6)} ${a.padStart(8)} ${b.padStart(8)}`;
  const percents = ([a, b]: readonly [number, number]) => [percent(a), percent(b)] as const;
  return [
    `A: ${names[0]}`,
    `B: ${names[1]}`,
    ...(leftOut > 0 ? [`${leftOut} utterances left out: one of the two was trained on them.`] : []),
    line("", "rows", ["A", "B"]),
    ...byRoute.map(({ route, rows, accuracy }) => line(route, String(rows), percents(accuracy))),
    line("all", String(rows), percents(accuracy)),
    line("need the model", "", percents(needModel)),
    `They agree on ${percent(agreement)}.`,
    `B − A: ${points(difference.mean)} points, 95% interval ${points(difference.low)} to ${points(difference.high)}.`,
    VERDICTS[verdict],
  ].join("\n");
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)}%`;
}

function points(value: number): string {
  return (value * 100).toFixed(1);
}

async function routerWith(classifier: RouteClassifier, options: RouterOptions): Promise<Router> {
  const prompts = await loadPrompts(loadConfig().config.llm.promptsDir);
  return new Router(options, {
    clock: systemClock,
    telemetry: { emit: () => undefined },
    prompts,
    classifier,
  });
}

async function readLabelled(path: string): Promise<readonly LabelledUtterance[]> {
  return parseLabelled(await readFile(path, "utf8"), path);
}

async function withLog<T>(work: (log: RouteLog) => Promise<T>): Promise<T> {
  const telemetry = { emit: () => undefined };
  const log = new RouteLog(loadConfig().config.dataDir, { clock: systemClock, telemetry });
  try {
    return await work(log);
  } finally {
    await log.close();
  }
}
