/**
 * The router on the utterances that its classifier was not trained on: how often each layer is right, what would need a
 * language model, and what a decision takes, against multinomial naive Bayes on words, which learns from the same
 * utterances in the same run (A. McCallum, K. Nigam, 1998), and against the rules alone; and on the lists of commands:
 *
 *     node dist/bench/main.js router
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { systemClock } from "../src/lib/clock.js";
import { loadPrompts } from "../src/llm/prompts.js";
import { RouteClassifier } from "../src/routing/classifier.js";
import { needsModel, type RoutedRow, routeAll, share } from "../src/routing/evaluate.js";
import { isHeldOut, type LabelledUtterance, parseLabelled } from "../src/routing/labelled-data.js";
import { utterance } from "../src/routing/normalized-message.js";
import { routingOptions } from "../src/routing/options.js";
import { Router } from "../src/routing/router.js";
import { ruledCapability } from "../src/routing/rules.js";
import { trainClassifier } from "../src/routing/train.js";
import { COMMAND_LISTS, runCommandList } from "./support/command-lists.js";
import { percentile } from "./support/stats.js";

const DATA = fileURLToPath(new URL("../../bench/data/routes/labelled.jsonl", import.meta.url));
const LISTS = new URL("../../test/conformance/", import.meta.url);

/** Each utterance is timed so often; the first rounds warm up. */
const ROUNDS = 20;
const WARM_UP_ROUNDS = 5;

/** Prints the tables: the utterances that were held out, and the commands in six languages. */
export async function run(): Promise<void> {
  const rows = parseLabelled(readFileSync(DATA, "utf8"), DATA);
  const [learned, heldOut] = [false, true].map((held) => rows.filter(({ text }) => isHeldOut(text) === held));
  if (learned === undefined || heldOut === undefined) return;
  const classifier = new RouteClassifier(trainClassifier(learned));
  const { routes, confidence_min, ask_below } = routingOptions.parse({});
  const prompts = await loadPrompts();
  const deps = { clock: systemClock, telemetry: { emit: () => undefined }, prompts, classifier };
  const router = new Router({ routes, confidenceMin: confidence_min, askBelow: ask_below }, deps);
  const routed = await routeAll(heldOut, router, new AbortController().signal);
  console.log(`\nRouter: ${learned.length} utterances to learn from, ${heldOut.length} held out`);
  printLayers(routed, confidence_min);
  printRoutes(routed);
  const bayes = naiveBayes(learned);
  console.log("\n  without rules, or with nothing else, on the same held-out utterances");
  const alone: readonly (readonly [string, (text: string) => string | undefined])[] = [
    ["classifier alone", (text) => classifier.guesses(utterance(text).core)[0]?.route],
    ["naive Bayes on words", bayes],
    ["rules alone", (text) => ruledCapability(text, utterance(text))],
  ];
  for (const [name, decide] of alone) {
    const right = share(heldOut, ({ text, route }) => decide(text) === route);
    console.log(`  ${name.padEnd(26)} right ${percent(right)}   ${await micros(heldOut, decide)}`);
  }
  const whole = await micros(heldOut, (text) =>
    routeAll([{ text, route: "" }], router, new AbortController().signal),
  );
  console.log(
    `  ${"router, all but the model".padEnd(26)} right ${percent(share(routed, ({ right }) => right))}   ${whole}`,
  );
  await printCommands(router);
}

async function printCommands(router: Router): Promise<void> {
  console.log("\n  commands, and questions that look like them: route right, and all arguments too");
  for (const list of COMMAND_LISTS) {
    const results = await runCommandList(list, LISTS, router);
    const [routed, whole] = [
      share(results, ({ isRouted }) => isRouted),
      share(results, ({ isWhole }) => isWhole),
    ];
    console.log(
      `  ${list.padEnd(20)} route  ${percent(routed)}   arguments ${percent(whole)}  (${results.length})`,
    );
  }
}

function printLayers(routed: readonly RoutedRow[], confidenceMin: number): void {
  const needing = routed.filter((row) => needsModel(row, confidenceMin));
  const parts: readonly (readonly [string, readonly RoutedRow[]])[] = [
    ["rule", routed.filter(({ layer }) => layer === "rule")],
    ["classifier", routed.filter((row) => row.layer === "classifier" && !needing.includes(row))],
    ["left to the model", needing],
    ["all without a model", routed.filter((row) => !needing.includes(row))],
  ];
  for (const [name, rows] of parts) {
    const of = percent(rows.length / routed.length);
    console.log(
      `  ${name.padEnd(20)} decides ${of}   right ${percent(share(rows, ({ right }) => right))}  (${rows.length})`,
    );
  }
}

function printRoutes(routed: readonly RoutedRow[]): void {
  for (const name of [...new Set(routed.map(({ row }) => row.route))]) {
    const rows = routed.filter(({ row }) => row.route === name);
    const taken = routed.filter(({ route }) => route === name);
    const [recall, precision] = [rows, taken].map((some) => percent(share(some, ({ right }) => right)));
    console.log(`  ${name.padEnd(20)} recall  ${recall}   precision ${precision}  (${rows.length})`);
  }
}

/** Multinomial naive Bayes with add-one smoothing. */
function naiveBayes(rows: readonly LabelledUtterance[]): (text: string) => string | undefined {
  const words = (text: string) => utterance(text).text.split(" ");
  const counts = new Map<string, Map<string, number>>();
  const vocabulary = new Set<string>();
  for (const { text, route } of rows) {
    const count = counts.get(route) ?? new Map<string, number>();
    counts.set(route, count);
    for (const word of words(text)) {
      count.set(word, (count.get(word) ?? 0) + 1);
      vocabulary.add(word);
    }
  }
  const models = [...counts].map(([route, count]) => ({
    route,
    count,
    prior: Math.log(share(rows, (row) => row.route === route)),
    total: [...count.values()].reduce((sum, one) => sum + one, 0) + vocabulary.size,
  }));
  return (text) => {
    const scored = models.map(({ route, count, prior, total }) => ({
      route,
      score: words(text).reduce((sum, word) => sum + Math.log(((count.get(word) ?? 0) + 1) / total), prior),
    }));
    return scored.sort((a, b) => b.score - a.score)[0]?.route;
  };
}

/** What one decision takes, awaited or not. */
async function micros(
  rows: readonly LabelledUtterance[],
  decide: (text: string) => unknown,
): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    for (const { text } of rows) {
      const startNs = process.hrtime.bigint();
      await decide(text);
      if (round >= WARM_UP_ROUNDS) times.push(Number(process.hrtime.bigint() - startNs) / 1e3);
    }
  }
  return timesText(times);
}

function timesText(times: readonly number[]): string {
  const sorted = Float64Array.from(times).sort();
  return `p50 ${percentile(sorted, 0.5).toFixed(1).padStart(6)} µs   p95 ${percentile(sorted, 0.95).toFixed(1).padStart(6)} µs`;
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1).padStart(5)}%`;
}
