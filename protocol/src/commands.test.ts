/** Tests of commands in both directions beyond the golden vectors: round trips, error texts, what is not encoded. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as arbitrary from "./arbitraries.test-util.js";
import type { CommandRefusal } from "./command-payload.js";
import type { RelayCommandDraft, ServiceCommand } from "./commands.js";
import { EnvelopeDecoder } from "./decoder.js";
import { encodeJson, encodeJsonText } from "./encoder.js";
import type { JsonEnvelope, Route } from "./envelope.js";
import { EncodeError } from "./errors.js";
import { relayVectors } from "./golden.test-util.js";
import { encodeRelayCommand, parseRelayCommand } from "./relay-commands.js";
import { encodeServiceCommand, parseServiceCommand } from "./service-commands.js";

const ANN = { network: "acme", username: "ann" };

function decode(frame: Uint8Array): JsonEnvelope {
  const decoder = new EnvelopeDecoder();
  decoder.push(frame);
  const result = decoder.next();
  if (result.type !== "envelope" || result.envelope.contentType !== "json") throw new Error("no JSON frame");
  return result.envelope;
}

/** The refusal of a relay's payload. */
function refusal(payload: object, route: Route = ANN): CommandRefusal {
  const result = parseRelayCommand(decode(encodeJson(payload, route)));
  if (result.type !== "refused") throw new Error("not refused");
  return result;
}

describe("round trips", () => {
  test("every relay command", () => {
    fc.assert(
      fc.property(arbitrary.relayCommand, (command) => {
        expect(parseRelayCommand(decode(encodeRelayCommand(command)))).toEqual({ type: "command", command });
      }),
      { numRuns: 400 },
    );
  });

  test("every service command", () => {
    const route = fc.record({
      network: arbitrary.name,
      username: arbitrary.name,
      connectionId: arbitrary.name,
    });
    fc.assert(
      fc.property(arbitrary.serviceCommand, route, (command, to) => {
        const frame = encodeServiceCommand(command, to);
        expect(parseServiceCommand(decode(frame))).toEqual({ type: "command", command, route: to });
      }),
      { numRuns: 400 },
    );
  });

  test("keep_alive comes back as the bytes that came", () => {
    const json = Buffer.from(
      `{"command":"keep_alive","n":1e400,"deep":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
    );
    const parsed = parseRelayCommand(decode(encodeJsonText(json, { ...ANN, connectionId: "17" })));
    if (parsed.type === "refused") throw new Error(parsed.error);
    if (parsed.command.command !== "keep_alive") throw new Error("not a keep_alive");
    const echo = decode(encodeServiceCommand(parsed.command, ANN));
    expect(echo).toMatchObject(ANN);
    expect(Buffer.compare(echo.payload, json)).toBe(0);
  });

  test("keep_alive of one's own", () => {
    expect(Buffer.from(decode(encodeServiceCommand({ command: "keep_alive" }, {})).payload).toString()).toBe(
      '{"command":"keep_alive"}',
    );
    expect(Buffer.from(decode(encodeRelayCommand({ command: "keep_alive" })).payload).toString()).toBe(
      '{"command":"keep_alive"}',
    );
  });

  test("a draft may leave out what has a default", () => {
    const frame = encodeRelayCommand({ command: "ai_message", ...ANN, text: "hi" });
    expect(Buffer.from(decode(frame).payload).toString()).toBe(
      '{"command":"ai_message","network":"acme","username":"ann","text":"hi"}',
    );
  });
});

describe("error texts say what, what came, and what is expected", () => {
  test.each([
    [{ command: "ai_message" }, 'parameter "text" is missing; expected the words to answer'],
    [{ command: "ai_message", text: 7 }, 'parameter "text" is 7; expected the words to answer'],
    [
      { command: "ai_message", text: "hi", response_type: "video" },
      'parameter "response_type" is "video"; expected "text" or "audio"',
    ],
    [
      { command: "end_message", message_id: { a: 1 } },
      'parameter "message_id" is an object; expected an integer from 0 to 4294967295',
    ],
    [
      { command: "ai_message", text: "hi", groups: ["a", []] },
      'parameter "groups[1]" is an array; expected a string of 1 to 256 bytes without control characters',
    ],
    [
      { command: "get_chat", username: "ann\n" },
      'parameter "username" contains a control character; expected a string of 1 to 256 bytes without control characters',
    ],
    [
      { command: "get_chat", username: "bob" },
      'parameter "username" is not the one in the header; expected the same in both, or only one of them',
    ],
    [
      { command: "hello", audio: [{ sample_rate: 16_000 }] },
      'parameter "audio[0].frame_ms" is missing; expected an integer from 1 to 255, in ms',
    ],
  ])("%j", (payload, error) => {
    expect(refusal(payload).error).toBe(error);
  });

  test("who is missing where", () => {
    expect(refusal({ command: "get_chat", network: "acme" }, {}).error).toBe(
      'parameter "username" is missing; expected it in the payload, or as un in the header',
    );
  });

  test("which commands there are", () => {
    expect(refusal({ command: "dance" }).error).toMatch(
      /^command "dance" is not known here; known are: ai_message, /,
    );
  });

  test("no error is much longer than what it explains", () => {
    const long = "👷".repeat(20_000);
    for (const payload of [{ command: long }, { command: "ai_message", text: "hi", response_type: long }]) {
      expect(refusal(payload).error.length).toBeLessThan(300);
    }
    const errors = relayVectors.map(({ bytes }) => parseRelayCommand(decode(bytes)));
    for (const result of errors) if (result.type === "refused") expect(result.error.length).toBeLessThan(300);
  });
});

describe("is not encoded", () => {
  const ask = { command: "ai_message", ...ANN, text: "hi" } as const;
  const drafts: [string, RelayCommandDraft][] = [
    ["a name that would forge a header", { ...ask, username: "ann\ncid:1" }],
    ["a connection id that would", { ...ask, connectionId: "1\nun:bob" }],
    ["a blank question", { ...ask, text: " " }],
    ["a flag with a comma", { ...ask, features: ["a,b"] }],
    ["an empty flag", { ...ask, features: [""] }],
    ["a long request id", { ...ask, requestId: "r".repeat(65) }],
    ["a message id beyond 32 bits", { command: "end_message", ...ANN, messageId: 2 ** 32 }],
    [
      "a sample rate beyond 16 bits",
      {
        command: "message",
        ...ANN,
        messageId: 1,
        codecHeader: { sampleRateHz: 96_000, framesPerPacket: 1, frameMs: 60 },
        durationMs: 60,
      },
    ],
    ["seventeen shapes", { command: "hello", audio: Array(17).fill({ sampleRateHz: 16_000, frameMs: 60 }) }],
  ];
  test.each(drafts)("%s", (_, draft) => {
    expect(() => encodeRelayCommand(draft)).toThrow(EncodeError);
  });

  const message: ServiceCommand = {
    command: "message",
    messageId: 1,
    kind: "answer",
    codec: "opus",
    codecHeader: { sampleRateHz: 48_000, framesPerPacket: 1, frameMs: 20 },
    durationMs: 20,
  };
  const commands: [string, ServiceCommand, Route][] = [
    ["an answer to nobody", message, {}],
    ["an answer to half a user", message, { network: "acme" }],
    ["a name that would forge a header", message, { network: "acme", username: "ann\nct:a" }],
    ["a connection id that would", message, { ...ANN, connectionId: "1\nun:bob" }],
    ["a negative packet id", { ...message, firstPacketId: -1 }, ANN],
    ["a text over the limit", { command: "text_message", text: "x".repeat(262_144) }, ANN],
    ["a long request id", { command: "chat_closed", reason: "closed", requestId: "é".repeat(33) }, ANN],
    [
      "a time that is none",
      {
        command: "chat",
        chatId: "c",
        messageCount: 0,
        lastUpdateMs: Number.NaN,
        expiresAtMs: 0,
        speaking: false,
      },
      ANN,
    ],
  ];
  test.each(commands)("%s", (_, command, route) => {
    expect(() => encodeServiceCommand(command, route)).toThrow(EncodeError);
  });
});

test("what every object inherits is no parameter", () => {
  Object.defineProperty(Object.prototype, "mode", { value: "inherited", configurable: true });
  try {
    const result = parseRelayCommand(decode(encodeJson({ command: "ai_message", text: "hi" }, ANN)));
    expect(result).toMatchObject({ type: "command", command: { command: "ai_message", text: "hi" } });
    if (result.type === "command" && result.command.command === "ai_message") {
      expect(result.command.mode).toBeUndefined();
    }
  } finally {
    Reflect.deleteProperty(Object.prototype, "mode");
  }
});

test("half a surrogate pair in an answer becomes U+FFFD", () => {
  const frame = encodeServiceCommand({ command: "text_message", text: "cut \ud83d" }, ANN);
  expect(parseServiceCommand(decode(frame))).toMatchObject({ command: { text: "cut \ufffd" } });
});
