/**
 * A scenario as its file writes it: who is there, what they say and when, what they expect, what happens to relays.
 * `docs/relay-sim.md` explains it for authors. Every scalar of the file is text; what is a number or a time becomes one
 * here, times in milliseconds.
 */
import { ERROR_CODES } from "@readback/protocol";
import { z } from "zod";

/** Users of one crew at the most. */
export const USERS_MAX = 10_000;

/** Beyond that the timers of the machine are too coarse. */
export const SPEED_MAX = 100;

const text = z.string({ error: "expected a text" }).min(1, "expected a text");
const name = text.max(256, "is longer than 256 characters");

const wholeNumber = text.regex(/^\d{1,9}$/, "expected a whole number").transform(Number);

const flag = z
  .enum(["true", "false"], { error: "expected true or false" })
  .transform((word) => word === "true");

const UNITS_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const DURATION = /^(\d{1,6}(?:\.\d{1,3})?) ?(ms|s|m|h)$/;

function parseDuration(written: string): number | undefined {
  const [, amount, unit] = DURATION.exec(written) ?? [];
  return amount === undefined || unit === undefined ? undefined : Number(amount) * UNITS_MS[unit]!;
}

const duration = text.transform((written, context) => {
  const ms = parseDuration(written);
  if (ms !== undefined) return ms;
  context.addIssue({ code: "custom", message: "expected a duration, such as 500ms, 40s or 10m" });
  return z.NEVER;
});

/** `40s`, or `40s to 90s`. */
const durations = text.transform((written, context) => {
  const [from, to = from, ...rest] = written.split(/(?:(?<! ) +)?(?:to|–) */).map(parseDuration);
  if (from !== undefined && to !== undefined && to >= from && rest.length === 0)
    return { fromMs: from, toMs: to };
  context.addIssue({
    code: "custom",
    message: "expected a duration or a range of them, such as 40s or 40s to 90s",
  });
  return z.NEVER;
});

const oneOrMany = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => (Array.isArray(value) ? value : [value]), z.array(item).min(1));

const OUTCOMES = ["voice", "text", "answer", "interrupted", "error", "done"] as const;

const expectation = z.strictObject({
  /** `answer` is voice or text; `done` is a reply to `get_chat` and the like. */
  outcome: oneOrMany(z.enum(OUTCOMES, { error: `expected one of ${OUTCOMES.join(", ")}` })).optional(),
  error: oneOrMany(z.enum(ERROR_CODES, { error: "expected a code of LT-110, such as chat_busy" })).optional(),
  first_sound: duration.optional(),
  finished: duration.optional(),
  /** `20 minutes | twenty minutes`: any of these. */
  says: oneOrMany(text).optional(),
  says_not: oneOrMany(text).optional(),
  understood: oneOrMany(text).optional(),
  /** Whether the answer asks back, which it should not unless this says so. */
  asks: flag.optional(),
});

const expected = z.union([z.strictObject({ any_of: z.array(expectation).min(1) }), expectation], {
  error: `expected any_of, or of: ${Object.keys(expectation.shape).join(", ")}`,
});

const SIMPLE = [
  ...(["release", "cancel", "get_chat", "close_chat", "suggested_questions", "summarize"] as const),
  /** Waits for what is said unasked. */
  "hear",
  /** Kills the service, and starts it again. */
  "kill_service",
] as const;

const pattern = text.transform((written, context) => {
  try {
    return new RegExp(written, "u");
  } catch (error) {
    context.addIssue({ code: "custom", message: (error as Error).message });
    return z.NEVER;
  }
});

const stepFields = {
  ask: text.optional(),
  say: text.optional(),
  /** A question out of this list, as text or spoken. */
  ask_from: name.optional(),
  say_from: name.optional(),
  /** An Ogg Opus file, relative to the scenario. */
  audio: text.optional(),
  /** The button is held for this long, and nothing is said. */
  press: duration.optional(),
  do: z.enum(SIMPLE, { error: `expected one of ${SIMPLE.join(", ")}` }).optional(),
  move: name.optional(),
  /** The user's relay loses its connection, and is back after so long. */
  cut_off: duration.optional(),
  /** Files of the service's data folder with what they hold from now on, such as faults. */
  write: z.record(text, z.string()).optional(),
  /** Such a file, or a folder with all that is in it. */
  remove: text.optional(),
  /** The time of day goes so much forward, or back. */
  set_clock: text
    .regex(/^[+-]/, "expected + or -, and a duration")
    .transform((written) => Number(`${written[0]}1`) * (parseDuration(written.slice(1)) ?? Number.NaN))
    .pipe(z.number({ error: "expected + or -, and a duration, such as +2h" }))
    .optional(),

  /** What the first group of a pattern finds in the answer, by the name in braces that stands for it in later texts. */
  keep: z.record(text.regex(/^\w+$/), pattern).optional(),
  at: duration.optional(),
  after: durations.optional(),
  after_start: durations.optional(),
  after_sound: durations.optional(),

  /** The button stays pressed. */
  hold: flag.optional(),
  answer: z.enum(["voice", "text"], { error: "expected voice or text" }).optional(),
  expect: expected.optional(),
};

const VERBS = [
  ...(["ask", "say", "ask_from", "say_from", "audio", "press", "do", "move", "write", "remove"] as const),
  ...(["cut_off", "set_clock"] as const),
] as const;
const WHENS = ["at", "after", "after_start", "after_sound"] as const;

const step = z.strictObject(stepFields).superRefine((value, context) => {
  const verbs = VERBS.filter((verb) => value[verb] !== undefined);
  if (verbs.length !== 1)
    context.addIssue({ code: "custom", message: `expected exactly one of ${VERBS.join(", ")}` });
  if (WHENS.filter((when) => value[when] !== undefined).length > 1)
    context.addIssue({ code: "custom", message: `expected at most one of ${WHENS.join(", ")}` });
});

const steps = z.array(step).min(1, "expected at least one step");

const activity = z.strictObject({
  /** How often compared to the others. */
  weight: wholeNumber.default(1),
  steps,
});

const crew = z.strictObject({
  /** Of one user; of several it is followed by a dash and a number. */
  name,
  count: wholeNumber
    .refine((count) => count > 0 && count <= USERS_MAX, `expected 1 to ${USERS_MAX}`)
    .default(1),
  network: name.optional(),
  groups: z.array(name).default([]),
  features: z.array(name).default([]),
  mode: name.optional(),
  language: name.optional(),
  /** Spread over these in turn. */
  relays: oneOrMany(name),
  from: duration.default(0),
  until: duration.optional(),
  /** What they do again and again, with a pause between one time and the next. */
  every: durations.optional(),
  does: z.array(activity).min(1).optional(),
  /** What they do once, in this order. */
  steps: steps.optional(),
  answer: z.enum(["voice", "text"], { error: "expected voice or text" }).default("voice"),
  expect: expected.optional(),
  /** All that has been called for each of them in the end, in order: `restart plant:lp2 verified`. */
  done: z.array(text).optional(),
});

const question = z.union(
  [
    text.transform((asked) => ({ ask: asked, expect: undefined })),
    z.strictObject({ ask: text, expect: expected.optional() }),
  ],
  { error: "expected a question, or a mapping with ask and expect" },
);

export const GARBAGE = [
  "noise",
  "huge_frame",
  "half_frame",
  "bad_json",
  "unknown_command",
  "bad_parameter",
  "identity_mismatch",
  "stray_audio",
] as const;

const RELAY_EVENTS = ["disconnect", "garbage", "stop_reading"] as const;

const relayEvent = z.strictObject({
  at: duration,
  relay: name,
  does: z.enum(RELAY_EVENTS, { error: `expected one of ${RELAY_EVENTS.join(", ")}` }),
  /** Again and again, up to the end or `until`. */
  every: durations.optional(),
  until: duration.optional(),
  /** How long it is away, or does not read. */
  for: duration.optional(),
  /** Where the users of a relay that is gone turn up, and within how long. */
  users_to: oneOrMany(name).optional(),
  within: duration.default(2_000),
  kinds: oneOrMany(z.enum(GARBAGE, { error: `expected one of ${GARBAGE.join(", ")}` })).optional(),
});

const relay = z.strictObject({
  audio: z.array(z.strictObject({ sample_rate: wholeNumber, frame_ms: wholeNumber })).optional(),
  acknowledgements: flag.optional(),
  announcements: flag.optional(),
  token: text.optional(),
});

/** A relay without anything to say about it: `hall:`. */
const relayOrNothing = z.preprocess((value) => (value === "" || value === null ? {} : value), relay);

export const scenarioSchema = z.strictObject({
  title: text,
  network: name.default("acme"),
  duration,
  /** How many times as fast as the clock on the wall. */
  speed: wholeNumber
    .refine((speed) => speed >= 1 && speed <= SPEED_MAX, `expected 1 to ${SPEED_MAX}`)
    .default(1),
  seed: wholeNumber.default(1),
  /** How long users wait for anything; by default as long as the service may take, from its queue to the last packet. */
  patience: duration.default(240_000),
  /** Folders by network, relative to the scenario: what the service that is started knows. */
  documents: z.record(name, text).default({}),
  /** Files of guides by networks, relative to the scenario. */
  guides: z.record(name, oneOrMany(text)).default({}),
  /** Settings of the service that is started, by names such as `chat.floor`. */
  settings: z.record(name, text).default({}),
  /** A file of settings whose sites it has, relative to the scenario; nothing is done to those that are locked out. */
  sites: z.strictObject({ file: text, locked_out: oneOrMany(text).default([]) }).optional(),
  /** `optional`: where speech cannot be recognised, a spoken question may fail with `transcription_unavailable`. */
  speech_recognition: z
    .enum(["required", "optional"], { error: "expected required or optional" })
    .default("required"),
  relays: z.record(name, relayOrNothing),
  questions: z.record(name, z.array(question).min(1)).default({}),
  users: z.array(crew).min(1, "expected at least one user"),
  timeline: z.array(relayEvent).default([]),
});

export type Scenario = z.infer<typeof scenarioSchema>;
export type Crew = Scenario["users"][number];
export type Step = z.infer<typeof step>;
export type StepExpectation = z.infer<typeof expected>;
export type Expectation = z.infer<typeof expectation>;
export type RelayEvent = Scenario["timeline"][number];
export type RelayShape = Scenario["relays"][string];
export type GarbageKind = (typeof GARBAGE)[number];
export type Durations = z.infer<typeof durations>;
