import {
  AUDIO_PAYLOAD_BYTES_MAX,
  type Envelope,
  EnvelopeDecoder,
  JSON_PAYLOAD_BYTES_MAX,
  parseServiceCommand,
  type ServiceCommand,
} from "@readback/protocol";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import { Line } from "../turn/line.js";
import type { OutletFrame } from "../turn/outlet.js";
import { PacedVoice } from "../turn/paced-voice.js";
import { TEXT_CHARACTERS_MAX } from "./limits.js";
import { Outbox } from "./outbox.js";
import { flushed } from "./outbox.test-util.js";
import { RelayLink } from "./relay-link.js";
import { UserOutlet } from "./user-outlet.js";

const SHAPE = { sampleRateHz: 16_000, packetMs: 60 };
const CODEC_HEADER = { sampleRateHz: 16_000, framesPerPacket: 1, frameMs: 60 };

function bench(connectionId: string | undefined = "c-1") {
  const written: Uint8Array[] = [];
  const sink = { unwrittenBytes: 0, write: (bytes: Uint8Array) => written.push(bytes) };
  const observer = { answerGivenUp: () => {}, frameDropped: () => {} };
  const link = new RelayLink("relay", "127.0.0.1", new Outbox(sink, observer, () => 0), undefined);
  const outlet = new UserOutlet(link, { network: "plant", username: "ann", connectionId });
  const envelopes = async () => {
    await flushed();
    return written.flatMap(envelopesIn);
  };
  return { link, outlet, envelopes, written };
}

function envelopesIn(bytes: Uint8Array): Envelope[] {
  const decoder = new EnvelopeDecoder();
  decoder.push(bytes);
  const envelopes: Envelope[] = [];
  for (let result = decoder.next(); result.type !== "incomplete"; result = decoder.next()) {
    if (result.type === "malformed") throw new Error(result.detail);
    envelopes.push(result.envelope);
  }
  return envelopes;
}

function commandIn(envelope: Envelope): ServiceCommand {
  if (envelope.contentType !== "json") throw new Error("an audio frame");
  const parsed = parseServiceCommand(envelope);
  if (parsed.type === "refused") throw new Error(parsed.error);
  return parsed.command;
}

/** Each frame with the command that it becomes [LT-70] to [LT-76]. */
const COMMANDS: readonly [frame: OutletFrame, command: ServiceCommand][] = [
  [
    { type: "message", mid: 7, shape: SHAPE },
    {
      command: "message",
      messageId: 7,
      kind: "answer",
      codec: "opus",
      codecHeader: CODEC_HEADER,
      durationMs: 60,
      firstPacketId: undefined,
    },
  ],
  [
    { type: "message", mid: 7, shape: SHAPE, firstPid: 12 },
    {
      command: "message",
      messageId: 7,
      kind: "answer",
      codec: "opus",
      codecHeader: CODEC_HEADER,
      durationMs: 60,
      firstPacketId: 12,
    },
  ],
  [
    { type: "end_message", mid: 7, durationMs: 720 },
    { command: "end_message", messageId: 7, durationMs: 720, ending: "complete" },
  ],
  [
    { type: "end_message", mid: 7, durationMs: 720, flag: "interrupted" },
    { command: "end_message", messageId: 7, durationMs: 720, ending: "interrupted" },
  ],
  [
    { type: "end_message", mid: 7, durationMs: 720, flag: "moved" },
    { command: "end_message", messageId: 7, durationMs: 720, ending: "moved" },
  ],
  [
    { type: "transcription", mid: 7, text: "Lock it out." },
    { command: "transcription", messageId: 7, text: "Lock it out.", role: "answer" },
  ],
  [
    { type: "text_message", mid: 8, text: "Lock it out." },
    { command: "text_message", text: "Lock it out." },
  ],
  [
    { type: "error", code: "timeout", error: "That took too long." },
    { command: "ai_message_error", code: "timeout", error: "That took too long." },
  ],
  [
    { type: "chat_closed", reason: "expired" },
    { command: "chat_closed", reason: "expired" },
  ],
];

describe("a user's outlet", () => {
  it.each(COMMANDS)("writes %j as the command that means it, to that user", async (frame, command) => {
    const { outlet, envelopes } = bench();
    for (const requestId of [undefined, "r-9"]) {
      const request = requestId === undefined ? {} : { requestId };
      expect(outlet.send({ ...frame, ...request } as OutletFrame)).toBe("accepted");
    }
    const [plain, requested] = await envelopes();
    expect(commandIn(plain!)).toEqual(command);
    expect(commandIn(requested!)).toEqual({ ...command, requestId: "r-9" });
    expect(plain).toMatchObject({ network: "plant", username: "ann", connectionId: "c-1" });
    const payload = JSON.parse(new TextDecoder().decode(plain!.payload));
    expect(payload).toMatchObject({ network: "plant", username: "ann" });
  });

  it("writes packets byte for byte, numbered within their message, also when messages alternate", async () => {
    const { outlet, envelopes } = bench();
    const packet = (value: number) => Uint8Array.of(value, 0, 10, 255);
    for (const mid of [7, 9]) outlet.send({ type: "message", mid, shape: SHAPE });
    for (const [mid, pid] of [
      [7, 0],
      [7, 1],
      [9, 0],
      [7, 2],
    ] as const) {
      outlet.send({ type: "audio", mid, pid, packet: packet(mid * 10 + pid), requestId: "r-9" });
    }
    const route = { contentType: "audio", network: "plant", username: "ann", connectionId: "c-1" };
    expect((await envelopes()).slice(2)).toEqual(
      [
        [7, 0],
        [7, 1],
        [9, 0],
        [7, 2],
      ].map(([mid, pid]) => ({
        ...route,
        messageId: mid,
        packetId: pid,
        payload: Buffer.from(packet(mid! * 10 + pid!)),
      })),
    );
  });

  it("leaves out a connection id that was never seen", async () => {
    const { link, envelopes } = bench();
    const outlet = new UserOutlet(link, { network: "plant", username: "ann", connectionId: undefined });
    outlet.send({ type: "chat_closed", reason: "closed" });
    expect((await envelopes())[0]!.connectionId).toBeUndefined();
  });

  it("cuts a text that no frame could carry, and says so", async () => {
    const { outlet, envelopes } = bench();
    const endless = "\u0001".repeat(TEXT_CHARACTERS_MAX + 1);
    for (const frame of [
      { type: "text_message", mid: 1, text: endless },
      { type: "transcription", mid: 1, text: endless },
    ] as const) {
      expect(outlet.send(frame)).toBe("accepted");
    }
    for (const envelope of await envelopes()) {
      expect(envelope.payload.length).toBeLessThanOrEqual(JSON_PAYLOAD_BYTES_MAX);
      const command = commandIn(envelope);
      const text = "text" in command ? (command.text ?? "") : "";
      expect(text).toHaveLength(TEXT_CHARACTERS_MAX);
      expect(text.at(-1)).toBe("…");
    }
  });

  it("refuses to write a packet that is too large, in the face of whoever sends it", async () => {
    const { outlet, envelopes } = bench();
    const packet = new Uint8Array(AUDIO_PAYLOAD_BYTES_MAX + 1);
    expect(() => outlet.send({ type: "audio", mid: 7, pid: 0, packet })).toThrow(/8193 bytes/);
    expect(await envelopes()).toEqual([]);
  });

  it("takes back what was not handed over", async () => {
    const { outlet, envelopes } = bench();
    outlet.send({ type: "message", mid: 7, shape: SHAPE });
    outlet.send({ type: "audio", mid: 7, pid: 0, packet: Uint8Array.of(1) });
    expect(outlet.revoke(7).firstPid).toBe(0);
    expect(await envelopes()).toEqual([]);
  });
});

describe("voices of several users of one relay", () => {
  const packets = Array.from({ length: 20 }, (_, i) => Uint8Array.of(i));

  it("leave in one write a tick, each byte for byte", async () => {
    const { envelopes, link, written } = bench();
    const clock = new VirtualClock();
    const users = ["ann", "ben", "cy"];
    for (const [mid, username] of users.entries()) {
      const line = new Line(new UserOutlet(link, { network: "plant", username }), clock, () => {});
      line.send({ type: "message", mid, shape: { sampleRateHz: 48_000, packetMs: 20 } });
      const voice = new PacedVoice(clock, line, { mid, packetMs: 20 }, { take: (pid) => packets[pid] });
      watch(voice.play(packets[0]!, new AbortController().signal));
    }
    await clock.advance(300);
    // The beginning of all, then 13 packets of each in groups of three.
    expect(written).toHaveLength(1 + 5);
    const sent = (await envelopes()).filter(({ contentType }) => contentType === "audio");
    for (const [mid, username] of users.entries()) {
      const mine = sent.filter(({ messageId }) => messageId === mid);
      expect(mine.map(({ payload }) => [...payload])).toEqual(packets.map((packet) => [...packet]));
      expect(mine.every((envelope) => envelope.username === username)).toBe(true);
    }
  });
});

describe("what a relay takes", () => {
  const shapes = [
    { sampleRateHz: 16_000, packetMs: 60 },
    { sampleRateHz: 48_000, packetMs: 20 },
    { sampleRateHz: 44_100, packetMs: 20 },
    { sampleRateHz: 48_000, packetMs: 10 },
    { sampleRateHz: 48_000, packetMs: 120 },
  ];
  const accepted = (link: RelayLink) => shapes.map((shape) => link.accepts(shape));

  it("is every shape of the protocol until it says otherwise [LT-46]", () => {
    const { link, outlet } = bench();
    expect(accepted(link)).toEqual([true, true, false, false, false]);
    expect(outlet.link.accepts(shapes[0]!)).toBe(true);
  });

  it("is what its last hello lists; an empty list is everything again", () => {
    const { link } = bench();
    const greet = (...audio: { sampleRateHz: number; frameMs: number }[]) =>
      link.greet({
        command: "hello",
        audio,
        acknowledgements: false,
        announcements: false,
        steps: false,
        echoes: false,
      });
    greet({ sampleRateHz: 48_000, frameMs: 20 }, { sampleRateHz: 48_000, frameMs: 120 });
    expect(accepted(link)).toEqual([false, true, false, false, false]);
    greet({ sampleRateHz: 16_000, frameMs: 20 });
    expect(accepted(link)).toEqual([false, false, false, false, false]);
    greet();
    expect(accepted(link)).toEqual([true, true, false, false, false]);
  });
});
