/**
 * `readback guide rehearse`: an author goes through a guide at a terminal, as its worker, its site and its colleague. What
 * is said, and what is understood, is as somebody is led by voice.
 */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { loadTexts } from "../compose/answering.js";
import { loadConfig } from "../config/load.js";
import { REHEARSED_OUTCOMES, rehearsedEvent, WORKER } from "../guide/rehearsed-event.js";
import { stepAt } from "../guide/run/places.js";
import type { GuideRun, Stepped } from "../guide/run/run.js";
import { beginRun, stepRun } from "../guide/run/stepper.js";
import { type GuideIndex, indexGuide } from "../guide/schema/graph.js";
import type { Guide } from "../guide/schema/guide.js";
import { sentencesOf } from "../guide/speech/sayings.js";
import { systemClock } from "../lib/clock.js";
import type { Locale } from "../locale/locale.js";
import { isOver } from "../store/guide-runs.js";
import { say } from "./output.js";

/** Reads one line after the other from standard input, until the run or the input is over. */
export async function rehearse(guide: Guide, input: NodeJS.ReadableStream = process.stdin): Promise<void> {
  const { locales } = await loadTexts(loadConfig().config);
  const locale = locales.of(guide.language);
  const index = indexGuide(guide);
  let stepped = beginRun(index, { atMs: systemClock.now(), by: WORKER });
  say(`${guide.name}. Type what you would say: an empty line is "done", ? tells what can be said.`);
  tell(index, stepped, locale);
  const lines = createInterface({ input: Readable.from(input), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    if (isOver(stepped.run)) break;
    const atMs = systemClock.now();
    const { run } = stepRun(index, stepped.run, { type: "heard", atMs, by: WORKER });
    stepped = stepRun(index, run, { ...rehearsedEvent(line.trim(), index, run), atMs });
    tell(index, stepped, locale);
    if (isOver(stepped.run)) break;
  }
  say("", "What the record has:");
  const { log } = stepped.run;
  say(
    ...log.map(
      ({ at, by, text, what }) =>
        `  ${[at, what, text, by === WORKER ? "" : `(${by})`].filter(Boolean).join(" ")}`,
    ),
  );
}

function tell(index: GuideIndex, { run, says }: Stepped, locale: Locale): void {
  say(...says.map((saying) => sentencesOf(index, run, saying, locale).join(" / ")), ...awaited(index, run));
}

/** What the site is to answer with. */
function awaited(index: GuideIndex, { asks, place }: GuideRun): readonly string[] {
  const step = stepAt(index, place);
  if (asks?.type === "reading" && step?.kind === "check")
    return [
      `  [the site is asked for ${step.signal} of ${step.resource}: type fits TEXT, misfits TEXT or unreadable]`,
    ];
  if (asks?.type !== "operation" || step?.kind !== "operate") return [];
  return [`  [${step.action} is proposed for ${step.resource}: type ${REHEARSED_OUTCOMES.join(", ")}]`];
}
