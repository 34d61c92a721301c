/** Tests of the encoder: what the bytes are, and what it refuses. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as arbitrary from "./arbitraries.test-util.js";
import { audioEncoder, encodeAudio, encodeEnvelope, encodeJson, encodeJsonText } from "./encoder.js";
import { EncodeError } from "./errors.js";
import { AUDIO_PAYLOAD_BYTES_MAX, JSON_PAYLOAD_BYTES_MAX } from "./limits.js";
import { naiveFrame } from "./naive.test-util.js";

const ANN = { network: "acme", username: "ann" };

function errorCode(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof EncodeError) return error.code;
    throw error;
  }
  return "nothing thrown";
}

test("a JSON frame is written in the order of the specification", () => {
  const frame = encodeJson({ command: "cancel" }, { ...ANN, connectionId: "17" });
  expect(Buffer.from(frame).toString()).toBe(
    'LT\nct:json\ncl:20\nnw:acme\nun:ann\ncid:17\n\n{"command":"cancel"}',
  );
});

test("without a route there are two keys", () => {
  expect(Buffer.from(encodeJson({})).toString()).toBe("LT\nct:json\ncl:2\n\n{}");
});

test("cl counts bytes, not characters", () => {
  expect(Buffer.from(encodeJsonText(Buffer.from('{"é":"👷"}'))).toString()).toContain("cl:13\n");
});

test("an audio frame, by hand and by the encoder of a message", () => {
  const payload = Buffer.from("opus");
  const expected = naiveFrame(["ct:a", "cl:4", "nw:acme", "un:ann", "cid:17", "mid:7", "pid:1234"], payload);
  const packet = { ...ANN, connectionId: "17", messageId: 7, packetId: 1_234, payload };
  expect(Buffer.from(encodeAudio(packet)).equals(expected)).toBe(true);
  expect(Buffer.from(audioEncoder(packet, 7).encode(1_234, payload)).equals(expected)).toBe(true);
});

test("a frame does not share memory with its payload", () => {
  const payload = Buffer.from("opus");
  const frame = encodeAudio({ ...ANN, messageId: 7, packetId: 0, payload });
  payload.fill(0);
  expect(Buffer.from(frame).toString()).toContain("opus");
});

test("a frame to be written later stands where it is put, and is as long as it says", () => {
  const payload = Buffer.from("opus");
  const frame = audioEncoder(ANN, 7).frame(1_234, payload);
  const target = new Uint8Array(frame.length + 2).fill(0xee);
  frame.writeTo(target, 1);
  expect([target[0], target.at(-1)]).toEqual([0xee, 0xee]);
  const whole = encodeAudio({ ...ANN, messageId: 7, packetId: 1_234, payload });
  expect(Buffer.compare(target.subarray(1, -1), whole)).toBe(0);
});

test("every number of digits", () => {
  for (const packetId of [0, 9, 10, 99, 100, 999_999_999, 1_000_000_000, 4_294_967_295]) {
    const frame = encodeAudio({ ...ANN, messageId: packetId, packetId, payload: new Uint8Array(0) });
    expect(Buffer.from(frame).toString()).toBe(
      `LT\nct:a\ncl:0\nnw:acme\nun:ann\nmid:${packetId}\npid:${packetId}\n\n`,
    );
  }
});

test("the encoder of a message and the general one agree", () => {
  fc.assert(
    fc.property(arbitrary.audioEnvelope, (envelope) => {
      const fast = audioEncoder(envelope, envelope.messageId).encode(envelope.packetId, envelope.payload);
      expect(Buffer.compare(fast, encodeEnvelope(envelope))).toBe(0);
    }),
  );
});

describe("refuses", () => {
  test.each([
    ["a line feed", "ann\nct:a"],
    ["a carriage return", "ann\r"],
    ["NUL", "a\0"],
    ["a C1 control", "a\u0085"],
    ["nothing", ""],
    ["257 bytes", "n".repeat(257)],
    ["258 bytes in 129 letters", "é".repeat(129)],
    ["half a surrogate pair", "a\ud800"],
  ])("a name with %s", (_, bad) => {
    expect(errorCode(() => encodeJson({}, { ...ANN, network: bad }))).toBe("bad_name");
    expect(errorCode(() => encodeJson({}, { ...ANN, username: bad }))).toBe("bad_name");
    expect(errorCode(() => encodeJson({}, { ...ANN, connectionId: bad }))).toBe("bad_name");
    expect(errorCode(() => audioEncoder({ ...ANN, username: bad }, 7))).toBe("bad_name");
  });

  test.each([-1, 0.5, 4_294_967_296, Number.NaN, Number.POSITIVE_INFINITY])("%d as mid and pid", (bad) => {
    const payload = new Uint8Array(0);
    expect(errorCode(() => audioEncoder(ANN, bad))).toBe("out_of_range");
    expect(errorCode(() => audioEncoder(ANN, 7).encode(bad, payload))).toBe("out_of_range");
    const envelope = { contentType: "json" as const, ...ANN, connectionId: undefined, payload };
    expect(errorCode(() => encodeEnvelope({ ...envelope, messageId: bad, packetId: 0 }))).toBe(
      "out_of_range",
    );
    expect(errorCode(() => encodeEnvelope({ ...envelope, messageId: 0, packetId: bad }))).toBe(
      "out_of_range",
    );
  });

  test("a payload over its limit", () => {
    const audio = new Uint8Array(AUDIO_PAYLOAD_BYTES_MAX + 1);
    expect(errorCode(() => audioEncoder(ANN, 7).encode(0, audio))).toBe("payload_too_large");
    expect(audioEncoder(ANN, 7).encode(0, audio.subarray(1)).length).toBeGreaterThan(AUDIO_PAYLOAD_BYTES_MAX);
    const json = new Uint8Array(JSON_PAYLOAD_BYTES_MAX + 1);
    expect(errorCode(() => encodeJsonText(json))).toBe("payload_too_large");
    expect(encodeJsonText(json.subarray(1)).length).toBeGreaterThan(JSON_PAYLOAD_BYTES_MAX);
  });
});
