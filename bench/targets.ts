/**
 * Which resource is meant: utterances with a recogniser's errors on 200 resources, 20 of which the speaker may not know
 * of, written by somebody who had seen no rule. `npm run bench -- targets [--half a|b|c|d] [--verbose]`. Beside Readback's
 * resolver fuse.js, with the threshold that does best on half a. A turn comes to a resolver when no command of another
 * kind ("stop", "thanks") is what was said; both get the words of the command's argument where a template finds one.
 */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Resource } from "../src/domain/resource.js";
import type { Access } from "../src/domain/user.js";
import { languageOfQuestion } from "../src/grounding/language.js";
import { columns } from "../src/lib/columns.js";
import { atOnce } from "../src/lib/steps.js";
import { Commands } from "../src/locale/commands/commands.js";
import { loadGrammars } from "../src/locale/commands/load.js";
import { type KnownResources, Registry } from "../src/operate/targets/registry.js";
import { figures, summarize } from "./support/stats.js";
import {
  fuseContestant,
  readbackContestant,
  type TargetAnswer,
  type TargetContestant,
  type TargetTask,
} from "./support/target-contestants.js";

const FOLDER = new URL("../../bench/targets/", import.meta.url);
const THRESHOLDS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6];
const NAMES_MAX = 2_000;
/** Of the time that a resolver adds to a reading, in milliseconds. */
const ADDED_AIM_MS = 50;

interface Row {
  readonly id: string;
  readonly text: string;
  readonly before?: readonly string[];
  readonly expect: {
    readonly type: TargetAnswer["type"];
    readonly id?: string;
    readonly ids?: readonly string[];
  };
}

export function run(): Promise<void> {
  return runWith([]);
}

export async function runWith(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { half: { type: "string", default: "a" }, verbose: { type: "boolean", default: false } },
  });
  if (!isList(values.half)) throw new Error(`--half is a, b, c or d, not ${values.half}`);
  const { known } = plant();
  const grammars = await loadGrammars();
  const commands = atOnce(new Commands(grammars).with("equipment", known.names(NAMES_MAX)));
  const tasksOf = (rows: readonly Row[]) => rows.map((row) => taskOf(row, commands));
  const rows = rowsOf(values.half);
  const tasks = tasksOf(rows);
  const rowsA = rowsOf("a");
  const tasksA = values.half === "a" ? tasks : tasksOf(rowsA);
  const fuses = THRESHOLDS.map((threshold) => fuseContestant(known.all, threshold));
  const rightOf = (fuse: TargetContestant) => measure(fuse, rowsA, tasksA).right;
  const fuse = fuses.map((one) => ({ one, right: rightOf(one) })).sort((a, b) => b.right - a.right)[0]!.one;
  const readback = readbackContestant(known, grammars);
  console.log(
    `Targets, half ${values.half}: ${rows.length} utterances, ${known.all.length} resources to be known`,
  );
  // The index of names is made once for all that an access may know of.
  readback.resolve(tasks[0]!);
  const results = [readback, fuse].map((one) => measure(one, rows, tasks));
  if (values.verbose) for (const line of results[0]!.faults) console.log(line);
  print(results);
}

/** The resources, and those that somebody without a grant may know of. */
function plant(): { readonly known: KnownResources } {
  const access: Access = { network: "plant", username: "worker", groups: [], kiosk: false };
  const listed = JSON.parse(readFileSync(new URL("resources.json", FOLDER), "utf8")) as (Omit<
    Resource,
    "access" | "paths"
  > & {
    readonly restricted?: boolean;
  })[];
  const resources = listed.map(({ restricted, ...resource }) => ({
    ...resource,
    paths: [],
    access: {
      network: "plant",
      visibility: restricted === true ? ("restricted" as const) : ("network" as const),
      allowedUsers: [],
      allowedGroups: [],
    },
  }));
  return { known: Registry.EMPTY.with("plant", resources).knownTo(access) };
}

type List = "a" | "b" | "c" | "d";

function isList(name: string): name is List {
  return ["a", "b", "c", "d"].includes(name);
}

function rowsOf(half: List): readonly Row[] {
  const text = readFileSync(new URL(`utterances-${half}.jsonl`, FOLDER), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
}

/** Intents that speak of no resource. */
const APART: ReadonlySet<string> = new Set([
  ..."slower repeat source introduce account guide_list guide_start guide_write guide_move stop never_mind yes no".split(
    " ",
  ),
  ..."greeting thanks goodbye shorter meaning translate rephrase ask".split(" "),
]);

function taskOf({ before = [], text }: Row, commands: Commands): TargetTask & { readonly isApart: boolean } {
  const found = commands.of(commands.hear(text));
  const target = found.find(({ intent }) => intent === "check" || intent === "operate")?.slots.target?.text;
  const isApart = target === undefined && found[0] !== undefined && APART.has(found[0].intent);
  return { text, before, target, language: languageOfQuestion(text) ?? "en", isApart };
}

interface Result {
  readonly name: string;
  readonly right: number;
  readonly wrong: number;
  readonly asked: number;
  readonly unknown: number;
  readonly presses: number;
  readonly ms: readonly number[];
  readonly faults: readonly string[];
}

function measure(
  { name, resolve }: TargetContestant,
  rows: readonly Row[],
  tasks: readonly (TargetTask & { readonly isApart: boolean })[],
): Result {
  const ms: number[] = [];
  const faults: string[] = [];
  let [right, wrong, asked, unknown] = [0, 0, 0, 0];
  for (const [i, row] of rows.entries()) {
    const task = tasks[i]!;
    const startMs = performance.now();
    const answer: TargetAnswer = task.isApart ? { type: "none", ids: [] } : resolve(task);
    ms.push(performance.now() - startMs);
    const mark = markOf(answer, row);
    if (mark === "right") right += 1;
    if (mark === "WRONG") wrong += 1;
    if (answer.type === "ask") asked += 1;
    if (answer.type === "unknown") unknown += 1;
    if (mark !== "right")
      faults.push(
        `  ${mark} ${row.id} ${task.language} "${row.text}" [${task.target ?? ""}]: ` +
          `${told(row.expect.type, row.expect.ids ?? [row.expect.id ?? ""])} but ${told(answer.type, answer.ids)}`,
      );
  }
  return { name, right, wrong, asked, unknown, presses: 1 + asked / rows.length, ms, faults };
}

function told(type: string, ids: readonly string[]): string {
  return `${type} ${ids
    .slice(0, 6)
    .map((id) => id.split("/").at(-1))
    .join(" ")}`;
}

/** Wrong is whatever would read something that was not meant. */
function markOf(answer: TargetAnswer, { expect }: Row): "right" | "WRONG" | "other" {
  const meant = new Set(expect.id === undefined ? (expect.ids ?? []) : [expect.id]);
  if (answer.type === "one" || answer.type === "several") {
    const isActed = expect.type === "one" || expect.type === "several";
    if (!isActed || answer.ids.some((id) => !meant.has(id))) return "WRONG";
    return answer.ids.length === meant.size ? "right" : "other";
  }
  if (answer.type !== expect.type) return "other";
  // An empty list of an ask stands for any two or more.
  if (answer.type !== "ask") return "right";
  const isSame = answer.ids.length === meant.size && answer.ids.every((id) => meant.has(id));
  return isSame || (meant.size === 0 && answer.ids.length > 1) ? "right" : "other";
}

function print(results: readonly Result[]): void {
  const rows = results.map(({ asked, ms, name, presses, right, unknown, wrong }) => {
    const of = (value: number) => `${value} (${((100 * value) / ms.length).toFixed(1)} %)`;
    return [name, of(right), of(wrong), of(asked), of(unknown), presses.toFixed(2), figures(summarize(ms))];
  });
  const head = ["", "right", "wrong target", "asked back", "unknown", "presses a task", "ms an utterance"];
  for (const line of columns([head, ...rows])) console.log(`  ${line}`);
  const { ms, wrong } = results[0]!;
  const isMet = wrong === 0 && summarize(ms).p99 < ADDED_AIM_MS;
  console.log(`  aim: no wrong target, p99 under ${ADDED_AIM_MS} ms: ${isMet ? "met" : "MISSED"}\n`);
}
