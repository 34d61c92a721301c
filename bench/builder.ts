/**
 * What it takes to come from the first word to a draft that breaks no rule and holds all that was told: messages, and
 * seconds of people and of a model, for five procedures. By the fixed questions, by conversation with a model, and by one
 * prompt (`generate_full`). The model is scripted: it understands everything and writes at a pace that is given; once as
 * a careful one, once as one that breaks a rule in the first reply to each message. `npm run bench -- builder`. Aim: every
 * way ends in a valid draft, and no turn leaves the guide worse than it was.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GuideBuilder } from "../src/guide/builder/builder.js";
import type { BuilderSession } from "../src/guide/builder/session.js";
import { GuideLibrary } from "../src/guide/library/library.js";
import { textsOf } from "../src/guide/schema/graph.js";
import { idOf } from "../src/guide/schema/guide.js";
import { speechSeconds } from "../src/guide/validation/speech-length.js";
import { validateGuide } from "../src/guide/validation/validate.js";
import { systemClock } from "../src/lib/clock.js";
import { columns } from "../src/lib/columns.js";
import { seededRandom } from "../src/lib/random.js";
import type { LanguageModel, ModelEvent } from "../src/llm/port.js";
import { loadPrompts } from "../src/llm/prompts.js";
import { loadLocales } from "../src/locale/load.js";
import { MemoryGuideSessions } from "../src/store/guide-sessions.js";

/** Steps that somebody tells in one message. */
const STEPS_A_MESSAGE = 3;
/** The pace of the scripted model: until its first token, tokens of a second, and characters of a token. */
const FIRST_TOKEN_S = 0.7;
const TOKENS_PER_SECOND = 50;
const CHARS_PER_TOKEN = 4;
/** More than any session of these has. */
const MESSAGES_MAX = 100;

interface Told {
  readonly text: string;
  readonly warning?: string;
}

interface Procedure {
  readonly name: string;
  readonly purpose: string;
  readonly steps: readonly Told[];
}

const PROCEDURES: readonly Procedure[] = [
  {
    name: "Reset the cold store",
    purpose: "It brings the cold store back after an alarm, for the night shift.",
    steps: [
      { text: "Open the grey cabinet." },
      { text: "Press the reset button.", warning: "Warning: the fan starts by itself." },
      { text: "Wait until the lamp is green." },
      { text: "Close the cabinet." },
    ],
  },
  {
    name: "Clean the slicer",
    purpose: "It gets the slicer of the counter ready for the next day.",
    steps: [
      { text: "Pull the plug.", warning: "Warning: the blade turns on for some seconds." },
      { text: "Turn the dial to zero." },
      { text: "Put the glove on." },
      { text: "Take the blade guard off.", warning: "Caution: the edge is sharp." },
      { text: "Wipe the blade from the middle to the edge." },
      { text: "Put the guard back." },
      { text: "Write the time into the list." },
    ],
  },
  {
    name: "Change the label roll",
    purpose: "For whoever packs when the label printer is empty.",
    steps: [
      { text: "Press the pause key." },
      { text: "Open the lid." },
      { text: "Take the core out." },
      { text: "Put the new roll in with the labels up." },
      { text: "Close the lid until it clicks." },
    ],
  },
  {
    name: "Take over the forklift",
    purpose: "For drivers at the beginning of the shift.",
    steps: [
      { text: "Walk around the truck once." },
      { text: "Look at both forks." },
      { text: "Check the tyres." },
      { text: "Sit down." },
      { text: "Fasten the belt." },
      { text: "Try the horn." },
      { text: "Try the brake at walking pace.", warning: "Warning: keep the lane free of people." },
      { text: "Sign the card." },
    ],
  },
  {
    name: "Close the shop",
    purpose: "For whoever leaves last.",
    steps: [
      { text: "Walk through both aisles." },
      { text: "Lock the back door." },
      { text: "Count the till." },
      { text: "Put the bag into the safe." },
      { text: "Switch the lights off." },
      { text: "Turn the alarm on.", warning: "Caution: it is armed after thirty seconds." },
    ],
  },
];

/** What came of one way: how often somebody said something, and how long who took. */
interface Taken {
  readonly messages: number;
  readonly peopleS: number;
  readonly modelS: number;
  readonly ownMs: number;
  readonly valid: boolean;
}

/** Replies as it is told, at its pace; a careless one wants to take the end away first. */
class PacedModel implements LanguageModel {
  readonly name = "paced";
  seconds = 0;
  #reply: object = {};
  #slips = 0;

  constructor(private readonly isCareless: boolean) {}

  next(reply: object): void {
    this.#reply = reply;
    this.#slips = this.isCareless ? 1 : 0;
  }

  async complete(): Promise<never> {
    throw new Error("drafts are streamed");
  }

  async *stream(): AsyncIterable<ModelEvent> {
    const broken = { say: "Done.", patches: [{ op: "remove", id: "end" }] };
    const text = JSON.stringify(this.#slips-- > 0 ? { ...this.#reply, ...broken } : this.#reply);
    const tokens = text.length / CHARS_PER_TOKEN;
    this.seconds += FIRST_TOKEN_S + tokens / TOKENS_PER_SECOND;
    yield { type: "text", text };
    yield { type: "end", reason: "complete", usage: { inputTokens: 0, outputTokens: Math.round(tokens) } };
  }
}

/** One message, and what the scripted model makes of it. */
interface Line {
  readonly text: string;
  readonly reply: object;
}

export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "readback-bench-builder-"));
  try {
    const rows = [["procedure", "way", "messages", "people s", "model s", "own ms", "valid"]];
    let failed = 0;
    for (const procedure of PROCEDURES)
      for (const [way, lines, model] of waysOf(procedure)) {
        const taken = await takenBy(procedure, way, lines, model, folder);
        if (!taken.valid) failed += 1;
        const seconds = [taken.peopleS, taken.modelS].map((value) => value.toFixed(1));
        const cells = [`${taken.messages}`, ...seconds, taken.ownMs.toFixed(0), taken.valid ? "yes" : "no"];
        rows.push([procedure.name, way, ...cells]);
      }
    console.log(columns(rows).join("\n"));
    console.log(`\n${failed} of ${rows.length - 1} ways ended without a valid draft.`);
    if (failed > 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ONE_PROMPT = "one prompt";

function waysOf(
  procedure: Procedure,
): readonly (readonly [string, readonly Line[], PacedModel | undefined])[] {
  const whole = [wholeLine(procedure)];
  return [
    ["fixed questions", questionLines(procedure), undefined],
    ["conversation", modelLines(procedure), new PacedModel(false)],
    ["conversation, careless", modelLines(procedure), new PacedModel(true)],
    [ONE_PROMPT, whole, new PacedModel(false)],
    [`${ONE_PROMPT}, careless`, whole, new PacedModel(true)],
  ];
}

/** Three steps a message, with what is dangerous said before the step. */
function messagesOf({ steps }: Procedure): readonly (readonly Told[])[] {
  const count = Math.ceil(steps.length / STEPS_A_MESSAGE);
  return Array.from({ length: count }, (_, at) =>
    steps.slice(at * STEPS_A_MESSAGE, (at + 1) * STEPS_A_MESSAGE),
  );
}

function spoken(steps: readonly Told[]): string {
  return steps.flatMap(({ text, warning }) => (warning === undefined ? [text] : [warning, text])).join(" ");
}

function questionLines(procedure: Procedure): readonly Line[] {
  const told = messagesOf(procedure).map(spoken);
  return [procedure.purpose, "none", ...told].map((text) => ({ text, reply: {} }));
}

function modelLines(procedure: Procedure): readonly Line[] {
  const described = { op: "describe", describe: { description: procedure.purpose } };
  const asked = { say: "I have noted what it is for.", phase: "discovery", patches: [described] };
  return [
    { text: procedure.purpose, reply: asked },
    ...messagesOf(procedure).map((steps) => {
      const patches = steps.map((step) => ({ op: "add", step: stepOf(step) }));
      return { text: spoken(steps), reply: { say: "I have noted that.", patches } };
    }),
  ];
}

function wholeLine({ name, purpose, steps }: Procedure): Line {
  const all = [...steps.map(stepOf), { id: "end", kind: "end", title: name }];
  return {
    text: `${purpose} ${spoken(steps)}`,
    reply: { say: "Here it is.", patches: [{ op: "replace", steps: all }] },
  };
}

function stepOf({ text, warning }: Told): object {
  const title = text.replace(/\.$/, "");
  return { id: idOf(title), kind: "instruct", title, text, warning };
}

/** Says one line after the other until the draft is whole. Throws where a turn leaves the guide worse than it was. */
async function takenBy(
  procedure: Procedure,
  way: string,
  lines: readonly Line[],
  model: PacedModel | undefined,
  folder: string,
): Promise<Taken> {
  const builder = await builderWith(model, folder);
  const { signal } = new AbortController();
  const access = { network: "bench", username: "ann", groups: [], kiosk: false };
  const asked = { name: procedure.name, flowType: "procedural", language: "en" } as const;
  const startMs = performance.now();
  let session = await builder.create(asked, access, signal);
  let [messages, peopleS] = [0, 0];
  const action = way.startsWith(ONE_PROMPT) ? "generate_full" : "open_chat";
  for (const { reply, text } of lines) {
    peopleS += secondsOf(session.messages.at(-1)!.text) + secondsOf(text);
    model?.next(reply);
    messages += 1;
    ({ session } = await builder.say(
      { id: session.id, version: session.version, access, signal },
      { text, action },
    ));
    const findings = validateGuide(session.guide);
    if (findings.length > 0) throw new Error(`${procedure.name}, ${way}: ${findings[0]!.problem}`);
    if (isWhole(session, procedure)) break;
  }
  const ownMs = performance.now() - startMs;
  return { messages, peopleS, modelS: model?.seconds ?? 0, ownMs, valid: isWhole(session, procedure) };
}

function secondsOf(text: string): number {
  return speechSeconds(text, "en");
}

/** Whether all that was told is in it. */
function isWhole({ guide }: BuilderSession, { steps }: Procedure): boolean {
  const texts = guide.steps.flatMap(textsOf);
  return steps.every(({ text, warning }) => texts.includes(text) && texts.includes(warning ?? text));
}

async function builderWith(model: LanguageModel | undefined, folder: string): Promise<GuideBuilder> {
  const clock = systemClock;
  const prompts = await loadPrompts();
  return new GuideBuilder({
    clock,
    random: seededRandom(1),
    locales: await loadLocales(),
    library: await GuideLibrary.open(folder, async () => new Set()),
    sessions: new MemoryGuideSessions(),
    drafting: model && { clock, prompts, models: { full: model, light: model } },
    messagesMax: () => MESSAGES_MAX,
  });
}
