/** Service to relay, command to bytes and back ([LT-70] to [LT-79], [LT-107]). */
import { encodeCodecHeader, isPacketDuration, parseCodecHeader } from "./audio-format.js";
import {
  assertParses,
  type CommandInput,
  type CommandParser,
  type CommandRefusal,
  parseCommand,
  readIdentity,
} from "./command-payload.js";
import {
  type AudioEndCommand,
  CHAT_CLOSED_REASONS,
  type HelloReply,
  MESSAGE_KINDS,
  type ServiceCommand,
  type ServiceLimits,
  type StepCommand,
  type StepEvidence,
  TRANSCRIPTION_ROLES,
} from "./commands.js";
import { encodeJson, encodeJsonText } from "./encoder.js";
import type { JsonEnvelope, Route } from "./envelope.js";
import { EncodeError, ERROR_CODES } from "./errors.js";
import {
  HELLO_ON_MAX,
  MODE_BYTES_MAX,
  PACKET_DURATIONS_MS,
  PID_MAX,
  STEP_EVIDENCE_MAX,
  SUGGESTED_QUESTIONS_MAX,
} from "./limits.js";
import { bad, isJsonObject, Parameters } from "./parameters.js";
import { toWellFormed } from "./utf8.js";

/** The last millisecond of the year 9999: RFC 3339 has four digits for a year. */
const TIMESTAMP_MS_MAX = 253_402_300_799_999;
const UTC_TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/;

/** A service command and whom it is about. */
export interface ParsedServiceCommand {
  readonly type: "command";
  readonly command: ServiceCommand;
  readonly route: Route;
}

/**
 * A command as a frame for the user that `route` names: its network and username stand in the header and, except in
 * `keep_alive`, in the payload too. Unpaired surrogates in texts become U+FFFD. Throws EncodeError where a relay could
 * not take the frame.
 */
export function encodeServiceCommand(command: ServiceCommand, route: Route): Uint8Array {
  if (command.command === "keep_alive") {
    return command.json === undefined
      ? encodeJson({ command: "keep_alive" }, route)
      : encodeJsonText(command.json, route);
  }
  const { network, username } = route;
  const parameters = parametersOf(command);
  const payload = {
    command: command.command,
    network,
    username,
    ...parameters,
    request_id: command.requestId,
  };
  assertParses(payload, PARSERS);
  return encodeJson(payload, route);
}

/** For relays and clients: the command of a service's JSON frame. One that is refused may simply be ignored. */
export function parseServiceCommand(envelope: JsonEnvelope): ParsedServiceCommand | CommandRefusal {
  return parseCommand(envelope, PARSERS);
}

/** The payload besides command, user and request id; JSON leaves out what is undefined. */
function parametersOf(command: Exclude<ServiceCommand, { command: "keep_alive" }>): object {
  switch (command.command) {
    case "text_message":
      return { text: toWellFormed(command.text), kind: command.kind };
    case "summary":
      return { text: toWellFormed(command.text) };
    case "message":
      return {
        message_id: command.messageId,
        kind: command.kind,
        codec: command.codec,
        codec_header: encodeCodecHeader(command.codecHeader),
        duration: command.durationMs,
        first_pid: command.firstPacketId,
      };
    case "end_message":
      return {
        message_id: command.messageId,
        duration_ms: command.durationMs,
        interrupted: command.ending === "interrupted" ? true : undefined,
        moved: command.ending === "moved" ? true : undefined,
      };
    case "transcription":
      return {
        message_id: command.messageId,
        text: toWellFormed(command.text),
        role: command.role,
        heard: command.heard === undefined ? undefined : toWellFormed(command.heard),
      };
    case "ai_message_error":
      return { code: command.code, error: toWellFormed(command.error) };
    case "chat_closed":
      return { reason: command.reason };
    case "chat":
      return {
        chat_id: command.chatId,
        message_count: command.messageCount,
        last_update: formatTimestamp("last_update", command.lastUpdateMs),
        expires_at: formatTimestamp("expires_at", command.expiresAtMs),
        mode: command.mode,
        speaking: command.speaking,
      };
    case "step":
      return stepParameters(command);
    case "hello":
      return { version: command.version, limits: renamed(command.limits), on: command.on };
    case "suggested_questions":
      return { questions: command.questions.map(toWellFormed) };
  }
}

function stepParameters({ evidence, ms, ok, target, tool }: StepCommand): object {
  const entries = evidence.map(({ ageMs, signal, target: of, text, unit, value }) => ({
    target: toWellFormed(of),
    signal,
    value: typeof value === "string" ? toWellFormed(value) : value,
    unit,
    text: toWellFormed(text),
    age_ms: ageMs,
  }));
  return { tool, target: target === undefined ? undefined : toWellFormed(target), ok, ms, evidence: entries };
}

/** The limits by their names on the wire. */
const LIMIT_NAMES = {
  questionCharacters: "question_characters",
  questionTokens: "question_tokens",
  questionWords: "question_words",
  questionsWaiting: "questions_waiting",
  voiceMs: "voice_ms",
  idleMs: "idle_ms",
} as const satisfies Record<keyof ServiceLimits, string>;

const LIMIT_KEYS = Object.keys(LIMIT_NAMES) as (keyof ServiceLimits)[];

function renamed(limits: ServiceLimits): object {
  return Object.fromEntries(LIMIT_KEYS.map((key) => [LIMIT_NAMES[key], limits[key]]));
}

function formatTimestamp(name: string, timeMs: number): string {
  if (!(timeMs >= 0 && timeMs <= TIMESTAMP_MS_MAX)) {
    throw new EncodeError(
      "out_of_range",
      `${name} is ${timeMs}; expected milliseconds since 1970, before the year 10000`,
    );
  }
  return new Date(timeMs).toISOString();
}

type Parser = CommandParser<Omit<ParsedServiceCommand, "type">>;

const PARSERS: ReadonlyMap<string, Parser> = new Map<string, Parser>([
  ["text_message", aboutUser(parseTextMessage)],
  ["message", aboutUser(parseAudioMessage)],
  ["end_message", aboutUser(parseAudioEnd)],
  ["transcription", aboutUser(parseTranscription)],
  ["ai_message_error", parseAiMessageError],
  [
    "chat_closed",
    aboutUser((p) => ({ command: "chat_closed", reason: p.oneOf("reason", CHAT_CLOSED_REASONS) })),
  ],
  ["chat", aboutUser(parseChat)],
  ["step", aboutUser(parseStep)],
  [
    "keep_alive",
    ({ envelope }) => ({ command: { command: "keep_alive", json: envelope.payload }, route: envelope }),
  ],
  [
    "hello",
    ({ envelope: { network, username, connectionId }, parameters, requestId }) => ({
      command: { ...parseHello(parameters), requestId },
      route: { network, username, connectionId },
    }),
  ],
  ["suggested_questions", aboutUser(parseSuggestedQuestions)],
  ["summary", aboutUser((p) => ({ command: "summary", text: p.string("text") }))],
]);

type UserReply = Exclude<ServiceCommand, { command: "keep_alive" | "hello" }>;

/** A parser for a command that must say whom it is about. */
function aboutUser(parse: (parameters: Parameters) => UserReply): Parser {
  return (input) => {
    const route = { ...readIdentity(input), connectionId: input.envelope.connectionId };
    return { command: { ...parse(input.parameters), requestId: input.requestId }, route };
  };
}

function parseTextMessage(parameters: Parameters): UserReply {
  const kind = parameters.optionalOneOf("kind", ["answer", "announcement"], "answer");
  const text = parameters.string("text");
  return { command: "text_message", text, ...(kind === "announcement" ? { kind } : {}) };
}

function parseAudioMessage(parameters: Parameters): UserReply {
  const headerText = parameters.string("codec_header", "four bytes in base64");
  const codecHeader = parseCodecHeader(headerText);
  if (codecHeader === undefined) throw bad("codec_header", headerText, "four bytes in base64");
  const durationMs = parameters.integer("duration");
  if (!isPacketDuration(durationMs))
    throw bad("duration", durationMs, `one of ${PACKET_DURATIONS_MS.join(", ")}`);
  return {
    command: "message",
    messageId: parameters.integer("message_id"),
    kind: parameters.oneOf("kind", MESSAGE_KINDS),
    codec: parameters.oneOf("codec", ["opus"]),
    codecHeader,
    durationMs,
    firstPacketId: parameters.optionalInteger("first_pid", PID_MAX),
  };
}

function parseAudioEnd(parameters: Parameters): UserReply {
  return {
    command: "end_message",
    messageId: parameters.integer("message_id"),
    durationMs: parameters.integer("duration_ms"),
    ending: readEnding(parameters),
  };
}

function readEnding(parameters: Parameters): AudioEndCommand["ending"] {
  const moved = parameters.optionalBoolean("moved");
  if (parameters.optionalBoolean("interrupted")) return "interrupted";
  return moved ? "moved" : "complete";
}

function parseTranscription(parameters: Parameters): UserReply {
  return {
    command: "transcription",
    messageId: parameters.integer("message_id"),
    text: parameters.string("text"),
    role: parameters.oneOf("role", TRANSCRIPTION_ROLES),
    heard: parameters.optionalText("heard", "what was heard"),
  };
}

/** The one command whose user may be unknown: what it answers may not have said one validly. */
function parseAiMessageError(input: CommandInput): ReturnType<Parser> {
  const { parameters, requestId, envelope } = input;
  const network = envelope.network ?? parameters.optionalName("network");
  const username = envelope.username ?? parameters.optionalName("username");
  const identity = network === undefined || username === undefined ? {} : readIdentity(input);
  const command: ServiceCommand = {
    command: "ai_message_error",
    requestId,
    code: parameters.oneOf("code", ERROR_CODES),
    error: parameters.string("error"),
  };
  return { command, route: { ...identity, connectionId: envelope.connectionId } };
}

function parseChat(parameters: Parameters): UserReply {
  return {
    command: "chat",
    chatId: parameters.text("chat_id", "the id of a chat"),
    messageCount: parameters.integer("message_count"),
    lastUpdateMs: readTimestamp(parameters, "last_update"),
    expiresAtMs: readTimestamp(parameters, "expires_at"),
    mode: parameters.optionalName("mode", MODE_BYTES_MAX),
    speaking: parameters.boolean("speaking"),
  };
}

function readTimestamp(parameters: Parameters, name: string): number {
  const expected = "a time in UTC such as 2026-01-31T12:00:00.000Z";
  const text = parameters.string(name, expected);
  const timeMs = UTC_TIMESTAMP.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(timeMs)) throw bad(name, text, expected);
  return timeMs;
}

function parseStep(parameters: Parameters): UserReply {
  const expected = `a list of at most ${STEP_EVIDENCE_MAX} values`;
  return {
    command: "step",
    tool: parameters.text("tool", "the name of a tool"),
    target: parameters.optionalText("target", "the name of a thing"),
    ok: parameters.boolean("ok"),
    ms: parameters.integer("ms"),
    evidence: parameters.optionalList("evidence", STEP_EVIDENCE_MAX, expected, readEvidence),
  };
}

function readEvidence(entry: unknown, name: string): StepEvidence {
  if (!isJsonObject(entry)) throw bad(name, entry, "an object {target, signal, value, text, age_ms}");
  const parameters = new Parameters(entry);
  const value = parameters.raw("value");
  if (typeof value !== "number" && typeof value !== "boolean" && typeof value !== "string")
    throw bad(`${name}.value`, value, "a text, a number, or true or false");
  return {
    target: parameters.string("target"),
    signal: parameters.text("signal", "the name of a signal"),
    value,
    unit: parameters.raw("unit") === undefined ? undefined : parameters.string("unit"),
    text: parameters.string("text"),
    ageMs: parameters.integer("age_ms", Number.MAX_SAFE_INTEGER),
  };
}

function parseHello(parameters: Parameters): HelloReply {
  const limits = parameters.object("limits", "an object of integers");
  const on = parameters.optionalList("on", HELLO_ON_MAX, "a list of names", (entry, name) => {
    if (typeof entry !== "string") throw bad(name, entry, "a name");
    return entry;
  });
  return {
    command: "hello",
    version: parameters.integer("version"),
    limits: Object.fromEntries(
      LIMIT_KEYS.map((key) => [key, limits.integer(LIMIT_NAMES[key])]),
    ) as unknown as ServiceLimits,
    on,
  };
}

function parseSuggestedQuestions(parameters: Parameters): UserReply {
  const expected = `a list of at most ${SUGGESTED_QUESTIONS_MAX} questions`;
  const questions = parameters.optionalList("questions", SUGGESTED_QUESTIONS_MAX, expected, (entry, name) => {
    if (typeof entry !== "string") throw bad(name, entry, "a question");
    return entry;
  });
  return { command: "suggested_questions", questions };
}
