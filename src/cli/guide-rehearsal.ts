/**
 * `readback guide rehearse`: an author goes through a guide at a terminal, as its worker, its site and its colleague. The
 * steps are said in the guide's own words, all else in English.
 */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { stepAt } from "../guide/run/places.js";
import type { Effect, GuideRun, OperatedOutcome, RunAction, Saying, Stepped } from "../guide/run/run.js";
import { beginRun, stepRun } from "../guide/run/stepper.js";
import type { GuideIndex } from "../guide/schema/graph.js";
import { indexGuide, optionsOf, stepById, withVariables } from "../guide/schema/graph.js";
import type { Guide } from "../guide/schema/guide.js";
import { spokenParts } from "../guide/validation/speech-length.js";
import { systemClock } from "../lib/clock.js";
import { say } from "./output.js";

const WORKER = "you";

/** Reads one line after the other from standard input, until the run or the input is over. */
export async function rehearse(guide: Guide, input: NodeJS.ReadableStream = process.stdin): Promise<void> {
  const index = indexGuide(guide);
  let stepped = beginRun(index, { atMs: systemClock.now(), by: WORKER });
  say(`${guide.name}. Type ? for what can be typed.`);
  tell(index, stepped);
  const lines = createInterface({ input: Readable.from(input), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    if (isOver(stepped.run)) break;
    const { by, ...action } = typed(line.trim(), index, stepped.run);
    stepped = stepRun(index, stepped.run, { ...action, atMs: systemClock.now(), by });
    tell(index, stepped);
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

function isOver({ status }: GuideRun): boolean {
  return status === "done" || status === "quit";
}

function tell(index: GuideIndex, { effects, run, says }: Stepped): void {
  say(
    ...says.map((saying) => sentenceOf(index, run, saying)),
    ...effects.map((effect) => `  [${effectText(index, effect)}]`),
  );
}

/** Who does what is typed. */
type Typed = RunAction & { readonly by: string };

const PLAIN: Readonly<Record<string, RunAction["type"]>> = {
  "": "next",
  done: "next",
  "?": "commands",
  again: "repeat",
};
const BARE = [
  ...([
    "next",
    "back",
    "repeat",
    "slower",
    "values",
    "where",
    "left",
    "why",
    "options",
    "yes",
    "no",
    "failed",
  ] as const),
  ...(["pause", "resume", "quit", "help", "commands"] as const),
];
const OUTCOMES: readonly OperatedOutcome[] = ["verified", "refused", "failed", "unknown"];

/** What a typed line does: one word for most, and a word with what belongs to it for the rest. */
function typed(line: string, index: GuideIndex, run: GuideRun): Typed {
  const by = WORKER;
  const [word = "", ...others] = line.split(" ");
  const rest = others.join(" ");
  const bare = BARE.find((type) => type === (PLAIN[line] ?? line));
  const step = stepAt(index, run.place);
  const option = step && optionsOf(step).find(({ label }) => label.toLowerCase() === line.toLowerCase());
  if (option !== undefined && run.asks === undefined) return { type: "answer", option: option.id, by };
  if (bare !== undefined) return { type: bare, by } as Typed;
  if (word === "note") return { type: "note", text: rest, by };
  if (word === "skip")
    return { type: "leave_out", left: "skipped", ...(rest !== "" && { reason: rest }), by };
  if (word === "go") return { type: "jump", step: rest, by };
  if (word === "second")
    return {
      type: "second",
      groups: step?.kind === "hold_point" && step.group ? [step.group] : [],
      by: rest || "colleague",
    };
  if (word === "fits" || word === "misfits")
    return { type: "reading", said: rest, fits: word === "fits", by: "site" };
  if (line === "unreadable") return { type: "reading", fits: false, by: "site" };
  const outcome = OUTCOMES.find((one) => one === line);
  if (outcome !== undefined && run.asks?.type === "operation")
    return { type: "operated", outcome, by: "site" };
  if (run.asks?.type === "reason") return { type: "note", text: line, by };
  const isText =
    run.asks?.type === "check_digit" || run.asks?.type === "verification" || !/^-?\d+(?:\.\d+)?$/.test(line);
  const takesValue = run.asks !== undefined || step === undefined || step.kind === "record";
  return takesValue ? { type: "value", value: isText ? line : Number(line), by } : { type: "noise", by };
}

const TYPED: Readonly<Partial<Record<RunAction["type"], string>>> = {
  next: "done",
  answer: "the words of an option",
  value: "the value",
  leave_out: "skip REASON",
  jump: "go STEP",
  second: "second NAME",
  note: "note TEXT",
};

function effectText(index: GuideIndex, effect: Effect): string {
  if (effect.type === "call_help") return "help is called";
  const step = stepById(index, effect.step);
  if (step?.kind === "check")
    return `the site is asked for ${step.signal} of ${step.resource}: type fits TEXT, misfits TEXT or unreadable`;
  return step?.kind === "operate"
    ? `${step.action} is proposed for ${step.resource}: type ${OUTCOMES.join(", ")}`
    : effect.type;
}

/** One saying as a sentence. */
function sentenceOf(index: GuideIndex, run: GuideRun, saying: Saying): string {
  const step = "step" in saying && typeof saying.step === "string" ? stepById(index, saying.step) : undefined;
  const values = new Map(Object.entries(run.values).map(([name, value]) => [name, `${value}`]));
  const own = (text: string | undefined) => withVariables(text ?? step?.title ?? "", values);
  switch (saying.say) {
    case "step":
    case "options":
      return own(step && spokenParts(step).join(" / "));
    case "section":
    case "ended":
      return own(step?.text ?? step?.title);
    case "field":
      return index.guide.intake.find(({ name }) => name === saying.field)?.label ?? saying.field;
    case "check_digit":
      return `Read the digits on ${step?.checkDigit?.place}.`;
    case "wrong_digit":
      return `Those are not the digits on ${step?.checkDigit?.place}. You may be at the wrong place.`;
    case "verification":
      return own(step?.verificationPrompt);
    case "why":
      return own(step?.helpText ?? step?.source?.document ?? "Nothing is written on why.");
    case "readback":
      return `${saying.value}${saying.unit === undefined ? "" : ` ${saying.unit}`}?`;
    case "where":
      return `Step ${saying.number}${saying.of === undefined ? "" : ` of ${saying.of}`}.`;
    case "commands":
      return `You can type: ${saying.commands.map((one) => TYPED[one] ?? one).join(", ")}.`;
    case "too_fast":
      return "That was fast. Have you done all of it?";
    case "ask_reason":
      return "Why?";
    case "ask_quit":
      return "Shall the guide end here?";
    default:
      return [saying.say.replaceAll("_", " "), ...detailsOf(saying)].join(": ");
  }
}

/** What belongs to a saying, besides what it is. */
function detailsOf({ say: _, ...details }: Saying): readonly string[] {
  const told = Object.values(details).filter((one) => one !== undefined);
  return told.length === 0 ? [] : [told.join(", ")];
}
