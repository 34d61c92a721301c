/** Random valid values of the protocol for property tests. */
import fc from "fast-check";
import type { RelayCommand, ServiceCommand } from "./commands.js";
import type { AudioEnvelope, Envelope, JsonEnvelope } from "./envelope.js";
import { ERROR_CODES } from "./errors.js";
import { nameProblem } from "./utf8.js";

const bytes = (maxLength: number) => fc.uint8Array({ maxLength });
const uint32 = fc.oneof(fc.integer({ min: 0, max: 0xffff_ffff }), fc.constantFrom(0, 1, 0xffff_ffff));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Any name by the rule of names. */
export const name = fc
  .oneof(
    fc.string({ unit: "grapheme", maxLength: 40 }),
    fc.string({ unit: "binary", maxLength: 40 }),
    fc.constant("n".repeat(256)),
  )
  .filter((text) => nameProblem(text, 256) === undefined);

const jsonEnvelope: fc.Arbitrary<JsonEnvelope> = fc.record({
  contentType: fc.constant("json" as const),
  network: maybe(name),
  username: maybe(name),
  connectionId: maybe(name),
  messageId: maybe(uint32),
  packetId: maybe(uint32),
  payload: bytes(400),
});

export const audioEnvelope: fc.Arbitrary<AudioEnvelope> = fc.record({
  contentType: fc.constant("audio" as const),
  network: name,
  username: name,
  connectionId: maybe(name),
  messageId: uint32,
  packetId: uint32,
  payload: bytes(400),
});

export const envelope: fc.Arbitrary<Envelope> = fc.oneof(jsonEnvelope, audioEnvelope);

const wellFormedText = fc.string({ unit: "grapheme", maxLength: 80 });
const spokenText = wellFormedText.filter((text) => text.trim() !== "");
const flag = fc.stringMatching(/^[a-z0-9_-]{1,12}$/);
const packetDuration = fc.constantFrom(20 as const, 40 as const, 60 as const);
const sampleRateHz = fc.constantFrom(8_000, 12_000, 16_000, 24_000, 48_000);

const user = {
  network: name,
  username: name,
  connectionId: maybe(name),
  requestId: maybe(fc.string({ maxLength: 20 })),
};
const turnContext = {
  mode: maybe(flag),
  features: fc.array(flag, { maxLength: 5 }),
  groups: fc.array(name, { maxLength: 5 }),
  language: maybe(fc.constantFrom("en", "pt-BR", "zh-Hant-TW")),
};
const responseType = fc.constantFrom("text" as const, "audio" as const);
const of = <C extends string>(command: C) => fc.constant(command);
const audioFormat = fc.tuple(sampleRateHz, packetDuration).map(([rate, durationMs]) => ({
  codec: "opus" as const,
  codecHeader: { sampleRateHz: rate, framesPerPacket: 1, frameMs: durationMs },
  durationMs,
}));

/** Every relay command except keep_alive, whose bytes are its own. */
export const relayCommand: fc.Arbitrary<RelayCommand> = fc.oneof(
  fc.record({ command: of("ai_message"), ...user, text: spokenText, responseType, ...turnContext }),
  fc
    .tuple(
      fc.record({ command: of("message"), ...user, messageId: uint32, responseType, ...turnContext }),
      audioFormat,
    )
    .map(([command, format]) => ({ ...command, ...format })),
  fc.record({ command: of("end_message"), ...user, messageId: uint32 }),
  fc.record({ command: of("get_chat"), ...user }),
  fc.record({ command: of("close_chat"), ...user }),
  fc.record({ command: of("cancel"), ...user }),
  fc.record({ command: of("suggested_questions"), ...user, ...turnContext }),
  fc
    .tuple(
      fc.record({ command: of("summarize"), ...user, ...turnContext }),
      fc.oneof(
        fc.record({ text: maybe(spokenText), document: fc.constant(undefined) }),
        fc.record({ text: fc.constant(undefined), document: name }),
      ),
    )
    .map(([command, subject]) => ({ ...command, ...subject })),
  fc.record({
    command: of("hello"),
    requestId: user.requestId,
    audio: fc.array(fc.record({ sampleRateHz, frameMs: packetDuration }), { maxLength: 4 }),
    acknowledgements: fc.boolean(),
    announcements: fc.boolean(),
    steps: fc.boolean(),
    echoes: fc.boolean(),
  }),
);

const requestId = user.requestId;
const timeMs = fc.integer({ min: 0, max: 253_402_300_799_999 });

/** Every service command except keep_alive, whose bytes are its own. */
export const serviceCommand: fc.Arbitrary<ServiceCommand> = fc.oneof(
  fc.record({ command: of("text_message"), requestId, text: wellFormedText }),
  fc.record({ command: of("text_message"), requestId, text: wellFormedText, kind: of("announcement") }),
  fc.record({
    command: of("hello"),
    requestId,
    version: uint32,
    limits: fc.record({
      questionCharacters: uint32,
      questionTokens: uint32,
      questionWords: uint32,
      questionsWaiting: uint32,
      voiceMs: uint32,
      idleMs: uint32,
    }),
    on: fc.array(flag, { maxLength: 4 }),
  }),
  fc
    .tuple(
      fc.record({
        command: of("message"),
        requestId,
        messageId: uint32,
        kind: fc.constantFrom("answer" as const, "acknowledgement" as const),
        firstPacketId: maybe(uint32),
      }),
      audioFormat,
    )
    .map(([command, format]) => ({ ...command, ...format })),
  fc.record({
    command: of("end_message"),
    requestId,
    messageId: uint32,
    durationMs: fc.integer({ min: 0, max: 120_000 }),
    ending: fc.constantFrom("complete" as const, "interrupted" as const, "moved" as const),
  }),
  fc.record({
    command: of("transcription"),
    requestId,
    messageId: uint32,
    text: wellFormedText,
    role: fc.constantFrom("question" as const, "answer" as const),
  }),
  fc.record({
    command: of("ai_message_error"),
    requestId,
    code: fc.constantFrom(...ERROR_CODES),
    error: wellFormedText,
  }),
  fc.record({
    command: of("chat_closed"),
    requestId,
    reason: fc.constantFrom("expired" as const, "closed" as const, "shutdown" as const),
  }),
  fc.record({
    command: of("chat"),
    requestId,
    chatId: flag,
    messageCount: uint32,
    lastUpdateMs: timeMs,
    expiresAtMs: timeMs,
    mode: maybe(flag),
    speaking: fc.boolean(),
  }),
  fc.record({
    command: of("suggested_questions"),
    requestId,
    questions: fc.array(wellFormedText, { maxLength: 5 }),
  }),
  fc.record({ command: of("summary"), requestId, text: wellFormedText }),
  fc.record({
    command: of("step"),
    requestId,
    tool: spokenText,
    target: maybe(spokenText),
    ok: fc.boolean(),
    ms: uint32,
    evidence: fc.array(
      fc.record({
        target: wellFormedText,
        signal: flag,
        value: fc.oneof(wellFormedText, fc.boolean(), fc.integer()),
        unit: maybe(fc.constantFrom("°C", " ", "")),
        text: wellFormedText,
        ageMs: fc.nat(),
      }),
      { maxLength: 4 },
    ),
  }),
);
