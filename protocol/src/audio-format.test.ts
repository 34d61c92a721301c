/** Tests of codec_header, with the two examples of the specification. */
import { expect, test } from "vitest";
import { encodeCodecHeader, isPacketDuration, parseCodecHeader } from "./audio-format.js";
import { EncodeError } from "./errors.js";

test.each([
  ["gD4BPA==", { sampleRateHz: 16_000, framesPerPacket: 1, frameMs: 60 }],
  ["gLsBFA==", { sampleRateHz: 48_000, framesPerPacket: 1, frameMs: 20 }],
])("%s", (text, header) => {
  expect(parseCodecHeader(text)).toEqual(header);
  expect(encodeCodecHeader(header)).toBe(text);
});

test.each([
  "",
  "gD4BPA",
  "gD4BPA=",
  "gD4BPAA=",
  "gD4B PA==",
  "gD4BPA==\n",
  "gD4B*A==",
  "AAABPA==",
  "gD4APA==",
  "gD4BAA==",
])("%j is no codec header", (text) => {
  expect(parseCodecHeader(text)).toBeUndefined();
});

test("figures that four bytes cannot hold are refused", () => {
  const header = { sampleRateHz: 16_000, framesPerPacket: 1, frameMs: 60 };
  for (const bad of [{ sampleRateHz: 65_536 }, { framesPerPacket: 0 }, { frameMs: 256 }, { frameMs: 2.5 }]) {
    expect(() => encodeCodecHeader({ ...header, ...bad })).toThrow(EncodeError);
  }
});

test("packets of 20, 40 and 60 ms are carried, no others", () => {
  expect([10, 20, 30, 40, 60, 80, 120].filter(isPacketDuration)).toEqual([20, 40, 60]);
});
