/** Relay to service, bytes to command and back ([LT-45], [LT-46], [LT-50] to [LT-58]). */
import { type CodecHeader, encodeCodecHeader, isPacketDuration, parseCodecHeader } from "./audio-format.js";
import {
  assertParses,
  type CommandInput,
  type CommandParser,
  type CommandRefusal,
  parseCommand,
  readIdentity,
} from "./command-payload.js";
import {
  type AudioShape,
  RESPONSE_TYPES,
  type RelayCommand,
  type RelayCommandDraft,
  type ResponseType,
} from "./commands.js";
import { encodeJson, encodeJsonText } from "./encoder.js";
import type { JsonEnvelope, Route, UserIdentity } from "./envelope.js";
import { EncodeError } from "./errors.js";
import {
  DOCUMENT_BYTES_MAX,
  FEATURE_BYTES_MAX,
  FEATURES_MAX,
  FRAME_MS_MAX,
  GROUPS_MAX,
  HELLO_AUDIO_MAX,
  HELLO_TOKEN_BYTES_MAX,
  LANGUAGE_BYTES_MAX,
  MODE_BYTES_MAX,
  NAME_BYTES_MAX,
  PACKET_DURATIONS_MS,
  SAMPLE_RATE_HZ_MAX,
  SAMPLE_RATES_HZ,
} from "./limits.js";
import { bad, isIntegerIn, isJsonObject, type Parameters, Refusal, refuse } from "./parameters.js";
import { nameProblem } from "./utf8.js";

const LANGUAGE_TAG = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/;

/** A relay's command, its user included. */
export interface ParsedRelayCommand {
  readonly type: "command";
  readonly command: RelayCommand;
}

/** The command of a relay's JSON frame, or why it is refused and whom to tell. Never throws on what was received. */
export function parseRelayCommand(envelope: JsonEnvelope): ParsedRelayCommand | CommandRefusal {
  return parseCommand(envelope, PARSERS);
}

/** A relay's command as a frame. Throws EncodeError where the service would refuse it. */
export function encodeRelayCommand(draft: RelayCommandDraft): Uint8Array {
  if (draft.command === "keep_alive") {
    return draft.json === undefined ? encodeJson({ command: "keep_alive" }) : encodeJsonText(draft.json);
  }
  const { command, requestId } = draft;
  const { network, username, connectionId }: Route = draft.command === "hello" ? {} : draft;
  const payload = { command, network, username, ...parametersOf(draft), request_id: requestId };
  assertParses(payload, PARSERS);
  return encodeJson(payload, { network, username, connectionId });
}

type Parser = CommandParser<{ readonly command: RelayCommand }>;

const PARSERS: ReadonlyMap<string, Parser> = new Map<string, Parser>([
  ["ai_message", (input) => ({ command: parseAiMessage(input) })],
  ["get_chat", (input) => ({ command: { command: "get_chat", ...readUser(input) } })],
  ["close_chat", (input) => ({ command: { command: "close_chat", ...readUser(input) } })],
  ["keep_alive", ({ envelope }) => ({ command: { command: "keep_alive", json: envelope.payload } })],
  ["message", (input) => ({ command: parseVoiceMessage(input) })],
  ["end_message", (input) => ({ command: parseVoiceEnd(input) })],
  ["cancel", (input) => ({ command: { command: "cancel", ...readUser(input) } })],
  ["suggested_questions", (input) => ({ command: parseSuggestedQuestions(input) })],
  ["summarize", (input) => ({ command: parseSummarize(input) })],
  ["hello", (input) => ({ command: parseHello(input) })],
]);

function readUser(
  input: CommandInput,
): UserIdentity & { connectionId: string | undefined; requestId: string | undefined } {
  return { ...readIdentity(input), connectionId: input.envelope.connectionId, requestId: input.requestId };
}

function parseAiMessage(input: CommandInput): RelayCommand {
  const { parameters } = input;
  return {
    command: "ai_message",
    ...readUser(input),
    text: parameters.text("text", "the words to answer"),
    responseType: readResponseType(parameters, "text"),
    ...readTurnContext(parameters),
  };
}

function parseVoiceMessage(input: CommandInput): RelayCommand {
  const { parameters } = input;
  return {
    command: "message",
    ...readUser(input),
    messageId: parameters.integer("message_id"),
    ...readAudioFormat(parameters),
    responseType: readResponseType(parameters, "audio"),
    ...readTurnContext(parameters),
  };
}

function parseVoiceEnd(input: CommandInput): RelayCommand {
  return { command: "end_message", ...readUser(input), messageId: input.parameters.integer("message_id") };
}

function parseSuggestedQuestions(input: CommandInput): RelayCommand {
  return { command: "suggested_questions", ...readUser(input), ...readTurnContext(input.parameters) };
}

function parseSummarize(input: CommandInput): RelayCommand {
  const { parameters } = input;
  const text = parameters.optionalText("text", "the words to summarize");
  const document = parameters.optionalName("document", DOCUMENT_BYTES_MAX);
  if (text !== undefined && document !== undefined)
    throw refuse("document", "stands beside text", "one of them, or neither for the chat");
  return {
    command: "summarize",
    ...readUser(input),
    text,
    document,
    ...readTurnContext(parameters),
  };
}

function parseHello({ parameters, requestId }: CommandInput): RelayCommand {
  const expected = `a list of at most ${HELLO_AUDIO_MAX} objects {sample_rate, frame_ms}`;
  return {
    command: "hello",
    requestId,
    audio: parameters.optionalList("audio", HELLO_AUDIO_MAX, expected, readAudioShape),
    acknowledgements: parameters.optionalBoolean("acknowledgements"),
    announcements: parameters.optionalBoolean("announcements"),
    steps: parameters.optionalBoolean("steps"),
    echoes: parameters.optionalBoolean("echoes"),
    token: parameters.optionalSecret("token", HELLO_TOKEN_BYTES_MAX),
  };
}

function readAudioShape(entry: unknown, name: string): AudioShape {
  if (!isJsonObject(entry)) throw bad(name, entry, "an object {sample_rate, frame_ms}");
  const { sample_rate: sampleRateHz, frame_ms: frameMs } = entry;
  if (!isIntegerIn(sampleRateHz, 1, SAMPLE_RATE_HZ_MAX)) {
    throw bad(`${name}.sample_rate`, sampleRateHz, `an integer from 1 to ${SAMPLE_RATE_HZ_MAX}, in Hz`);
  }
  if (!isIntegerIn(frameMs, 1, FRAME_MS_MAX)) {
    throw bad(`${name}.frame_ms`, frameMs, `an integer from 1 to ${FRAME_MS_MAX}, in ms`);
  }
  return { sampleRateHz, frameMs };
}

function readResponseType(parameters: Parameters, otherwise: ResponseType): ResponseType {
  return parameters.optionalOneOf("response_type", RESPONSE_TYPES, otherwise);
}

function readTurnContext(parameters: Parameters): {
  mode: string | undefined;
  features: readonly string[];
  groups: readonly string[];
  language: string | undefined;
} {
  return {
    mode: parameters.optionalName("mode", MODE_BYTES_MAX),
    features: readFeatures(parameters),
    groups: parameters.optionalList("groups", GROUPS_MAX, "a list of group names", readGroup),
    language: readLanguage(parameters),
  };
}

/** `f` is one string, its flags separated by commas; blanks around a flag and empty flags do not count. */
function readFeatures(parameters: Parameters): readonly string[] {
  if (parameters.raw("f") === undefined) return [];
  const flags = parameters
    .string("f", "feature flags separated by commas")
    .split(",")
    .map((flag) => flag.trim())
    .filter((flag) => flag !== "");
  if (flags.length > FEATURES_MAX) throw refuse("f", "has too many flags", `at most ${FEATURES_MAX}`);
  for (const flag of flags) {
    const problem = nameProblem(flag, FEATURE_BYTES_MAX);
    if (problem !== undefined) {
      throw refuse("f", `has a flag that ${problem}`, `flags of 1 to ${FEATURE_BYTES_MAX} bytes`);
    }
  }
  return flags;
}

function readGroup(entry: unknown, name: string): string {
  const expected = `a string of 1 to ${NAME_BYTES_MAX} bytes without control characters`;
  if (typeof entry !== "string") throw bad(name, entry, expected);
  const problem = nameProblem(entry, NAME_BYTES_MAX);
  if (problem !== undefined) throw refuse(name, problem, expected);
  return entry;
}

function readLanguage(parameters: Parameters): string | undefined {
  const expected = 'a BCP 47 language tag such as "en" or "pt-BR"';
  if (parameters.raw("language") === undefined) return undefined;
  const tag = parameters.string("language", expected);
  if (tag.length > LANGUAGE_BYTES_MAX || !LANGUAGE_TAG.test(tag)) throw bad("language", tag, expected);
  return tag;
}

/** `codec`, `codec_header` and `duration`: they must be readable, agree, and be something that is carried ([LT-60]). */
function readAudioFormat(parameters: Parameters): {
  codec: "opus";
  codecHeader: CodecHeader;
  durationMs: (typeof PACKET_DURATIONS_MS)[number];
} {
  const codec = parameters.string("codec", '"opus"');
  if (codec !== "opus") throw unsupported("codec", codec, '"opus"');
  const text = parameters.string("codec_header", "four bytes in base64");
  const codecHeader = parseCodecHeader(text);
  if (codecHeader === undefined)
    throw bad("codec_header", text, "four bytes in base64, none of its figures zero");
  const durationMs = parameters.integer("duration");
  if (durationMs !== codecHeader.framesPerPacket * codecHeader.frameMs) {
    throw bad("duration", durationMs, "frames per packet × frame size of codec_header, in ms");
  }
  if (!isPacketDuration(durationMs)) {
    throw unsupported("duration", durationMs, `one of ${PACKET_DURATIONS_MS.join(", ")} ms`);
  }
  if (!(SAMPLE_RATES_HZ as readonly number[]).includes(codecHeader.sampleRateHz)) {
    throw unsupported(
      "codec_header",
      `${codecHeader.sampleRateHz} Hz`,
      `one of ${SAMPLE_RATES_HZ.join(", ")} Hz`,
    );
  }
  return { codec, codecHeader, durationMs };
}

function unsupported(name: string, value: unknown, expected: string): Refusal {
  return new Refusal("unsupported_audio", bad(name, value, expected).message);
}

/** What the payload says besides command, user and request id; JSON leaves out what is undefined. */
function parametersOf(draft: Exclude<RelayCommandDraft, { command: "keep_alive" }>): object {
  switch (draft.command) {
    case "ai_message":
      return { text: draft.text, response_type: draft.responseType, ...turnContext(draft) };
    case "message":
      return {
        message_id: draft.messageId,
        codec: "opus",
        codec_header: encodeCodecHeader(draft.codecHeader),
        duration: draft.durationMs,
        response_type: draft.responseType,
        ...turnContext(draft),
      };
    case "end_message":
      return { message_id: draft.messageId };
    case "suggested_questions":
      return turnContext(draft);
    case "summarize":
      return { text: draft.text, document: draft.document, ...turnContext(draft) };
    case "hello":
      return {
        audio: draft.audio?.map(({ sampleRateHz, frameMs }) => ({
          sample_rate: sampleRateHz,
          frame_ms: frameMs,
        })),
        acknowledgements: draft.acknowledgements,
        announcements: draft.announcements,
        steps: draft.steps,
        echoes: draft.echoes,
        token: draft.token,
      };
    case "get_chat":
    case "close_chat":
    case "cancel":
      return {};
  }
}

function turnContext(draft: {
  readonly mode?: string | undefined;
  readonly features?: readonly string[];
  readonly groups?: readonly string[];
  readonly language?: string | undefined;
}): object {
  for (const flag of draft.features ?? []) {
    if (flag === "" || flag.includes(",") || flag !== flag.trim()) {
      throw new EncodeError(
        "bad_parameter",
        `feature ${JSON.stringify(flag)} cannot stand in a list with commas`,
      );
    }
  }
  return { mode: draft.mode, f: draft.features?.join(","), groups: draft.groups, language: draft.language };
}
