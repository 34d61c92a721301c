import { OggOpusDemuxer } from "@readback/audio";
import type { ServiceCommand } from "@readback/protocol";
import { describe, expect, it } from "vitest";
import { AnswerCollector, isLastOf } from "./answer-collector.js";
import { answerLine } from "./answer-view.js";
import type { ReceivedFrame } from "./relay-client.js";

/** 20 ms of silence in mono: TOC 31 (CELT, fullband), code 0. */
const PACKET = Uint8Array.of(0xf8, 0xff, 0xfe);
const command = (atMs: number, said: ServiceCommand): ReceivedFrame => ({
  type: "command",
  atMs,
  command: said,
});
const audio = (atMs: number, packetId: number): ReceivedFrame => ({
  type: "audio",
  atMs,
  audio: {
    contentType: "audio",
    network: "plant",
    username: "ann",
    connectionId: undefined,
    messageId: 7,
    packetId,
    payload: PACKET,
  },
});

const SPOKEN: readonly ReceivedFrame[] = [
  command(1_400, {
    command: "message",
    messageId: 7,
    kind: "answer",
    codec: "opus",
    codecHeader: { sampleRateHz: 48_000, framesPerPacket: 1, frameMs: 20 },
    durationMs: 20,
  }),
  audio(1_500, 0),
  audio(1_501, 1),
  command(1_600, { command: "end_message", messageId: 7, durationMs: 40, ending: "complete" }),
  command(1_601, { command: "transcription", messageId: 7, text: "Lock it out. ", role: "answer" }),
];

/** What is collected of these frames, and what a person sees of them. */
function collected(frames: readonly ReceivedFrame[]) {
  const collector = new AnswerCollector(1_000);
  const lines = frames.flatMap((frame) => {
    collector.add(frame);
    return answerLine(frame, 1_000, collector.answer) ?? [];
  });
  return { answer: collector.answer, lines };
}

describe("a spoken answer", () => {
  it("is collected from its frames", () => {
    const { answer } = collected(SPOKEN);
    expect(answer).toMatchObject({
      text: "Lock it out. ",
      error: undefined,
      packetMs: 20,
      sampleRateHz: 48_000,
      durationMs: 40,
      firstMs: 500,
    });
    expect(answer.packets).toEqual([PACKET, PACKET]);
  });

  it("becomes an Ogg Opus file with the same packets", () => {
    const demuxer = new OggOpusDemuxer();
    const events = [...demuxer.push(collected(SPOKEN).answer.oggFile()!), ...demuxer.end()];
    const packets = events.flatMap((event) => (event.type === "packet" ? [event.data] : []));
    expect(packets).toEqual([PACKET, PACKET]);
  });

  it("is shown line by line, each with its time; of the packets only the first", () => {
    expect(collected(SPOKEN).lines).toEqual([
      "  0.40 s  message 7: Opus, 48000 Hz, 20 ms packets",
      "  0.50 s  first sound",
      "  0.60 s  end: 2 packets, 0.04 s of speech (complete)",
      "  0.60 s  “Lock it out.”",
    ]);
  });
});

describe("an answer without audio", () => {
  it("is its text, and no file", () => {
    const { answer, lines } = collected([command(2_000, { command: "text_message", text: "Yes." })]);
    expect(answer).toMatchObject({ text: "Yes.", firstMs: 1_000 });
    expect(answer.oggFile()).toBeUndefined();
    expect(lines).toEqual(["  1.00 s  “Yes.”"]);
  });

  it("may be an error", () => {
    const failure = { command: "ai_message_error", code: "timeout", error: "Too late." } as const;
    const { answer, lines } = collected([
      command(1_100, { command: "keep_alive" }),
      command(3_000, failure),
      command(3_100, { command: "chat_closed", reason: "shutdown" }),
    ]);
    expect(answer).toMatchObject({ text: undefined, error: { code: "timeout", error: "Too late." } });
    expect(lines).toEqual(["  2.00 s  error timeout: Too late.", "  2.10 s  chat closed: shutdown"]);
  });
});

describe("the last frame of an answer", () => {
  const requestId = "r-1";
  it.each<[ServiceCommand, boolean]>([
    [{ command: "text_message", text: "Yes.", requestId }, true],
    [{ command: "transcription", messageId: 7, text: "Yes.", role: "answer", requestId }, true],
    [{ command: "ai_message_error", code: "timeout", error: "Too late.", requestId }, true],
    [{ command: "end_message", messageId: 7, durationMs: 0, ending: "complete", requestId }, false],
    [{ command: "text_message", text: "Yes.", requestId: "another" }, false],
    [{ command: "text_message", text: "Yes." }, false],
    [{ command: "keep_alive" }, false],
  ])("is told from the others: %j", (said, expected) => {
    expect(isLastOf(said, requestId)).toBe(expected);
  });
});
