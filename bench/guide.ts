/**
 * What it costs to be led: presses, seconds of speech and words per step, on the guides of the examples and on drafts from
 * the handbook, beside the same procedure read aloud by Ask without a model. And whether anything is passed wrongly: a
 * thousand runs of each guide in which anything at all is said. `npm run bench -- guide`. Aim: no step passed wrongly.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readDocuments, wholeSections, withAnswerer, withDocuments } from "../src/compose/asked-documents.js";
import { loadConfig } from "../src/config/load.js";
import type { Answerer, Conversation } from "../src/evaluation/answerer.js";
import { draftGuide } from "../src/guide/document/draft-guide.js";
import { stepAt } from "../src/guide/run/places.js";
import type { GuideRun, RunAction, RunEntry, Stepped } from "../src/guide/run/run.js";
import { beginRun, stepRun } from "../src/guide/run/stepper.js";
import { type GuideIndex, indexGuide, nextId, optionsOf } from "../src/guide/schema/graph.js";
import type { Guide } from "../src/guide/schema/guide.js";
import { fileValue, parseGuide } from "../src/guide/schema/read-guide.js";
import { sentencesOf } from "../src/guide/speech/sayings.js";
import { speechSeconds } from "../src/guide/validation/speech-length.js";
import { columns } from "../src/lib/columns.js";
import { isRecord } from "../src/lib/is-record.js";
import { seededRandom } from "../src/lib/random.js";
import { loadLocales } from "../src/locale/load.js";
import type { Locale } from "../src/locale/locale.js";

const EXAMPLES = fileURLToPath(new URL("../../examples", import.meta.url));
const NETWORK = "bench";
const HOUR_MS = 3_600_000;
/** Events of one run, and turns of one procedure that is read aloud. */
const EVENTS_MAX = 400;
const TURNS_MAX = 60;
const WILD_RUNS = 1_000;
const WILD_EVENTS = 60;

interface Cost {
  readonly presses: number;
  readonly words: number;
  readonly seconds: number;
}

export async function run(): Promise<void> {
  const { config } = loadConfig({});
  const locales = await loadLocales(config.locale);
  const { signal } = new AbortController();
  const handbook = join(EXAMPLES, "handbook");
  const documents = await readDocuments(wholeSections(config), handbook, signal);
  const drafts = documents.flatMap((document) => {
    const hasSteps = document.chunks.some(({ kind }) => kind.blockType === "procedure");
    return hasSteps ? [draftGuide(document)] : [];
  });
  const rows = [["guide", "steps", "presses", "words/step", "s/step", "passed wrongly"]];
  let wrong = 0;
  for (const guide of [...written(), ...drafts]) {
    const [cost, passed] = [led(guide, locales.of(guide.language)), passedWrongly(guide)];
    wrong += passed;
    rows.push([named(guide), ...costCells(guide, cost), `${passed}`]);
  }
  console.log(columns(rows).join("\n"));
  console.log(`\n${wrong} steps were passed wrongly, in ${WILD_RUNS} runs of each guide.\n`);
  if (wrong > 0) process.exitCode = 1;
  await withDocuments(config, handbook, NETWORK, signal, (asked) =>
    withAnswerer(asked, async ({ answerer }) => {
      const aloud = [["read aloud by Ask", "steps", "presses", "words/step", "s/step"]];
      for (const guide of drafts)
        aloud.push([guide.id, ...costCells(guide, await readAloud(guide, answerer, signal))]);
      console.log(columns(aloud).join("\n"));
    }),
  );
}

function named({ id, origin }: Guide): string {
  return origin === undefined ? id : `${id} (draft)`;
}

/** The guides of the examples, and not the shifts that play them. */
function written(): readonly Guide[] {
  const folder = join(EXAMPLES, "guides");
  const values = readdirSync(folder).map((file) => fileValue(readFileSync(join(folder, file), "utf8"), file));
  return values.flatMap((value) => (isRecord(value) && "readback_guide" in value ? [parseGuide(value)] : []));
}

/** Sections are said, but nobody has to say anything for them. */
function costCells(guide: Guide, { presses, seconds, words }: Cost): readonly string[] {
  const steps = guide.steps.filter(({ kind }) => kind !== "section" && kind !== "end").length;
  return [`${steps}`, `${presses}`, (words / steps).toFixed(1), (seconds / steps).toFixed(1)];
}

function heard(texts: readonly string[], language: string): Pick<Cost, "words" | "seconds"> {
  const words = texts.join(" ").split(/\s+/).filter(Boolean).length;
  return { words, seconds: texts.reduce((sum, text) => sum + speechSeconds(text, language), 0) };
}

/** A worker who does everything as the guide wants it, an hour a step, with one press for each thing that is said. */
function led(guide: Guide, locale: Locale): Cost {
  const index = indexGuide(guide);
  let stepped = beginRun(index, { atMs: 0, by: "ann" });
  let presses = 0;
  const texts = said(index, stepped, locale);
  for (let at = 1; at < EVENTS_MAX && stepped.run.status === "running"; at++) {
    const { run } = stepRun(index, stepped.run, { type: "heard", atMs: at * HOUR_MS, by: "ann" });
    const [action, by] = dutiful(index, run);
    if (by !== "site") presses += 1;
    stepped = stepRun(index, run, { ...action, atMs: at * HOUR_MS, by });
    texts.push(...said(index, stepped, locale));
  }
  if (stepped.run.status !== "done") throw new Error(`${guide.id} was not led to its end`);
  return { presses, ...heard(texts, guide.language) };
}

function said(index: GuideIndex, { run: now, says }: Stepped, locale: Locale): string[] {
  return says.flatMap((saying) => [...sentencesOf(index, now, saying, locale)]);
}

function dutiful(index: GuideIndex, { asks, place }: GuideRun): readonly [RunAction, string] {
  const step = stepAt(index, place);
  const by = (action: RunAction, who = "ann") => [action, who] as const;
  switch (asks?.type) {
    case "check_digit":
      return by({ type: "value", value: step!.checkDigit!.digits });
    case "reading":
      return by({ type: "reading", said: "as expected", fits: true }, "site");
    case "operation":
      return by({ type: "operated", outcome: "verified" }, "site");
    case undefined:
      break;
    default:
      return by({ type: "yes" });
  }
  if (step === undefined) return by({ type: "value", value: "one" });
  if (step.kind === "question") return by({ type: "answer", option: optionsOf(step)[0]!.id });
  if (step.kind === "hold_point")
    return by({ type: "second", groups: step.group ? [step.group] : [] }, "bob");
  if (step.kind !== "record") return by({ type: "next" });
  return by({ type: "value", value: step.valueType === "text" ? "as it is" : (step.min ?? step.max ?? 5) });
}

/** Anything at all, by whomever, at once or much later. */
const WILD: readonly RunAction[] = [
  ...(
    ["next", "next", "yes", "no", "back", "repeat", "failed", "pause", "resume", "resume", "help"] as const
  ).map((type) => ({ type })),
  { type: "noise" },
  { type: "value", value: 999 },
  { type: "value", value: "4711" },
  { type: "leave_out", left: "skipped", reason: "late" },
  { type: "leave_out", left: "does_not_apply", reason: "there is none" },
  { type: "second", groups: [] },
  { type: "reading", fits: false },
  { type: "reading", said: "other", fits: false },
  { type: "operated", outcome: "refused" },
];

/** Guarded steps and values that a run left without what they ask for, by what its record says. */
function passedWrongly(guide: Guide): number {
  const index = indexGuide(guide);
  const random = seededRandom(guide.id.length);
  const pick = <T>(of: readonly T[]) => of[Math.floor(random.fraction() * of.length)]!;
  let wrong = 0;
  for (let count = 0; count < WILD_RUNS; count++) {
    let atMs = 0;
    let { run: now } = beginRun(index, { atMs, by: "ann" });
    for (let event = 0; event < WILD_EVENTS; event++) {
      atMs += pick([500, HOUR_MS]);
      const jump = { type: "jump", step: pick(guide.steps).id } as const;
      const [action, by] = pick([
        [pick(WILD), pick(["ann", "bob"])],
        [jump, "ann"],
        dutiful(index, now),
      ] as const);
      const { run } = stepRun(index, now, { type: "heard", atMs, by: "ann" });
      now = stepRun(index, run, { ...action, atMs, by }).run;
    }
    wrong += wrongIn(index, now.log);
  }
  return wrong;
}

/** A place that was left for what follows it, though its own entries do not say that it was done. */
function wrongIn(index: GuideIndex, log: readonly RunEntry[]): number {
  const arrivals = log.flatMap(({ what }, at) => (what === "arrived" ? [at] : []));
  return arrivals.filter((from, i) => {
    const to = arrivals[i + 1];
    const step = index.steps.get(log[from]!.at);
    if (to === undefined || step === undefined) return false;
    const own = log.slice(from + 1, to).filter(({ at }) => at === step.id);
    const has = (...wanted: readonly RunEntry["what"][]) => own.findLast(({ what }) => wanted.includes(what));
    if (log[to]!.at !== nextId(index, step) || has("back", "jumped", "failed", "not_operated")) return false;
    if (step.kind === "hold_point") return (has("seconded")?.by ?? "ann") === "ann";
    if (step.critical !== true && step.kind !== "record") return false;
    if (step.kind === "record" && has("skipped", "does_not_apply")) return step.critical === true;
    const done = has("done", "verified", "recorded", "read", "operated", "answered");
    if (done === undefined) return has("out_of_range") === undefined;
    const isFast = done.atMs - log[from]!.atMs < (step.minSeconds ?? 0) * 1_000;
    return isFast && has("done_fast") === undefined && has("paused") === undefined;
  }).length;
}

/** The same document by Ask: each section asked for, and "continue" for as long as there is more. */
async function readAloud(guide: Guide, answerer: Answerer, signal: AbortSignal): Promise<Cost> {
  const texts: string[] = [];
  let presses = 0;
  const sections = guide.steps.flatMap((step) => (step.kind === "section" ? [step.title] : []));
  for (const section of sections.length > 0 ? sections : [placeIn(guide)]) {
    const speaker = { network: NETWORK, username: "ann", groups: [], features: [] };
    const conversation: Conversation = answerer(speaker);
    try {
      let text = `What are the steps of ${section} in ${guide.name}?`;
      for (let turn = 0; turn < TURNS_MAX; turn++) {
        presses += 1;
        const { answer } = await conversation.ask(text, signal);
        if (answer === undefined) break;
        texts.push(answer.text);
        if (!/Shall I go on\?|Say continue/.test(answer.text)) break;
        text = "continue";
      }
    } finally {
      await conversation.close();
    }
  }
  return { presses, ...heard(texts, guide.language) };
}

function placeIn({ steps }: Guide): string {
  return /^(.+), step \d+$/.exec(
    steps.find(({ source }) => /, step \d+$/.test(source?.place ?? ""))!.source!.place,
  )![1]!;
}
