/**
 * `readback guide rehearse`: an author goes through a guide at a terminal, as its worker, its site and its colleague. What
 * is said, and what is understood, is as somebody is led by voice.
 */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { loadTexts } from "../compose/answering.js";
import { loadConfig } from "../config/load.js";
import { stepAt } from "../guide/run/places.js";
import type { Effect, GuideRun, OperatedOutcome, RunAction, Stepped } from "../guide/run/run.js";
import { beginRun, stepRun } from "../guide/run/stepper.js";
import { type GuideIndex, indexGuide, stepById } from "../guide/schema/graph.js";
import type { Guide } from "../guide/schema/guide.js";
import { orderOf } from "../guide/speech/orders.js";
import { sentencesOf } from "../guide/speech/sayings.js";
import { systemClock } from "../lib/clock.js";
import type { Locale } from "../locale/locale.js";
import { isOver } from "../store/guide-runs.js";
import { say } from "./output.js";

const WORKER = "you";

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
    const { by, ...action } = typed(line.trim(), index, stepped.run);
    stepped = stepRun(index, stepped.run, { ...action, atMs: systemClock.now(), by });
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

function tell(index: GuideIndex, { effects, run, says }: Stepped, locale: Locale): void {
  say(
    ...says.map((saying) => sentencesOf(index, run, saying, locale).join(" / ")),
    ...effects.map((effect) => `  [${effectText(index, effect)}]`),
  );
}

/** Who does what is typed. */
type Typed = RunAction & { readonly by: string };

const OUTCOMES: readonly OperatedOutcome[] = ["verified", "refused", "failed", "unknown"];

/** What a typed line does: what it would do if it were said, or what the site or a colleague does. */
function typed(line: string, index: GuideIndex, run: GuideRun): Typed {
  const by = WORKER;
  const [word = "", ...others] = line.split(" ");
  const rest = others.join(" ");
  if (line === "") return { type: "next", by };
  if (line === "?") return { type: "commands", by };
  if (word === "second") {
    const step = stepAt(index, run.place);
    const groups = step?.kind === "hold_point" && step.group ? [step.group] : [];
    return { type: "second", groups, by: rest || "colleague" };
  }
  if (run.asks?.type === "reading" && (word === "fits" || word === "misfits"))
    return { type: "reading", said: rest, fits: word === "fits", by: "site" };
  if (run.asks?.type === "reading" && line === "unreadable")
    return { type: "reading", fits: false, by: "site" };
  const outcome = OUTCOMES.find((one) => one === line);
  if (outcome !== undefined && run.asks?.type === "operation")
    return { type: "operated", outcome, by: "site" };
  const order = orderOf(line, index, run);
  if (order.type === "act") return { ...order.action, by };
  return order.type === "hand_over" ? { type: "hand_over", to: order.to, by } : { type: "noise", by };
}

function effectText(index: GuideIndex, effect: Effect): string {
  if (effect.type === "call_help") return "help is called";
  const step = stepById(index, effect.step);
  if (step?.kind === "check")
    return `the site is asked for ${step.signal} of ${step.resource}: type fits TEXT, misfits TEXT or unreadable`;
  return step?.kind === "operate"
    ? `${step.action} is proposed for ${step.resource}: type ${OUTCOMES.join(", ")}`
    : effect.type;
}
