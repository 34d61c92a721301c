/** The transcription adapter against a faithful server on real sockets, with every fault that such a server is known for. */
import { spawnSync } from "node:child_process";
import { getEventListeners } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { opusSample } from "../../test/support/fake-speech.js";
import { cutReply, errorReply, hangReply, rawReply } from "../../test/support/openai-replies.js";
import { OpenAiServer, type OpenAiServerOptions } from "../../test/support/openai-server.js";
import { type TranscriptionBody, transcriptReply } from "../../test/support/openai-transcriptions.js";
import { HeldUtterance, utteranceOf } from "../../test/support/utterances.js";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { seededRandom } from "../lib/random.js";
import { OpenAiTranscription, type OpenAiTranscriptionOptions } from "./openai-transcription.js";
import { RecognitionFailure, type SpeechHints } from "./speech-to-text.js";

const WORDS = "How do I bleed the compressor?";
const SECRET = "Falcon Ridge";
const never = new AbortController().signal;
const { packets } = opusSample(20);
const noHints: SpeechHints = { words: [] };

let server: OpenAiServer;
let clock: VirtualClock;

async function restart(options: OpenAiServerOptions): Promise<void> {
  await server.close();
  server = await OpenAiServer.start(options);
}

function transcription(options: Partial<OpenAiTranscriptionOptions> = {}): OpenAiTranscription {
  return new OpenAiTranscription(
    { clock, random: seededRandom(1) },
    {
      model: "whisper-1",
      baseUrl: server.baseUrl,
      apiKey: server.apiKey,
      stream: "auto",
      upload: "whole",
      timeoutMs: 15_000,
      idleTimeoutMs: 5_000,
      answerBytesMax: 1_048_576,
      ...options,
    },
  );
}

beforeEach(async () => {
  server = await OpenAiServer.start();
  clock = new VirtualClock();
});
afterEach(async () => {
  await server.close();
});

/** The failure that `work` ends in; it must quote neither the key nor what was sent. */
async function failureOf(work: Promise<unknown>): Promise<RecognitionFailure> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RecognitionFailure);
  const failure = error as RecognitionFailure;
  const whole = `${failure.stack} ${String(failure.cause)}`;
  expect(whole).not.toContain(server.apiKey);
  expect(whole).not.toContain(SECRET);
  return failure;
}

/** Fires what the adapter waits for, be it a pause before a second attempt. */
async function passTime(work: Promise<unknown>, ms: number): Promise<void> {
  let over = false;
  const done = () => {
    over = true;
  };
  work.then(done, done);
  while (!over) await clock.advance(ms);
}

describe("a question", () => {
  it("goes up as one Ogg Opus file with every packet as it came", async () => {
    server.expectTranscription(transcriptReply(WORDS), (body) => {
      expect(body).toMatchObject({
        model: "whisper-1",
        responseFormat: "verbose_json",
        stream: false,
        temperature: 0,
        language: "de",
        prompt: "Gate 12, Compressor C7.",
        chunked: false,
      });
      expect(body.audio.packets.map((packet) => Buffer.from(packet))).toEqual(
        packets.map((packet) => Buffer.from(packet)),
      );
      expect(body.audio).toMatchObject({ sampleRateHz: 16_000, channels: 1, preSkipSamples: 312 });
      expect(body.audio.durationMs).toBe(20 * 60 - 6.5);
    });
    const hints = { language: "de-AT", words: ["Compressor C7", "Gate 12"] };
    const heard = await transcription().recognise(utteranceOf(packets), hints, never);
    expect(heard).toEqual({ type: "words", text: WORDS, language: "en" });
    server.verify();
    expect(clock.pending).toBe(0);
  });

  it.each([
    [8_000, 20],
    [16_000, 60],
    [48_000, 40],
  ] as const)(
    "at %i Hz in packets of %i ms is what opusinfo and ffprobe call sound",
    async (rate, packetMs) => {
      server.expectTranscription(transcriptReply(WORDS));
      const shape = { sampleRateHz: rate, packetMs };
      const sample = opusSample(70, { packetMs });
      await transcription().recognise(utteranceOf(sample.packets, shape), noHints, never);
      const { audio } = server.transcriptions[0] as TranscriptionBody;
      const info = judged("opusinfo", [], audio.bytes);
      expect(info).toContain(`Original sample rate: ${rate} Hz`);
      expect(info).toContain("Pre-skip: 312");
      expect(info).not.toMatch(/warning|error|negative|missing/i);
      const args = [
        "-v",
        "warning",
        "-count_packets",
        "-show_entries",
        "stream=codec_name,channels,nb_read_packets",
      ];
      expect(judged("ffprobe", [...args, "-of", "csv=p=0"], audio.bytes).trim()).toBe("opus,1,70");
    },
  );

  it("without a packet, or of less than the server takes, is too short", async () => {
    const nothing = { type: "nothing", reason: "too_short" };
    expect(await transcription().recognise(utteranceOf([]), noHints, never)).toEqual(nothing);
    expect(server.requests).toHaveLength(0);
    await transcription()
      .recognise(utteranceOf(packets.slice(0, 1)), noHints, never)
      .then((heard) => expect(heard).toEqual(nothing));
  });

  it("names the language of the settings when the hints have none", async () => {
    server.expectTranscription(transcriptReply(WORDS), ({ language }) => expect(language).toBe("pl"));
    server.expectTranscription(transcriptReply(WORDS), ({ language }) => expect(language).toBe("uk"));
    server.expectTranscription(transcriptReply(WORDS), ({ language }) => expect(language).toBeUndefined());
    const polish = transcription({ language: "pl" });
    await polish.recognise(utteranceOf(packets), noHints, never);
    await polish.recognise(utteranceOf(packets), { language: "uk-UA", words: [] }, never);
    // Three letters are no ISO 639-1.
    await polish.recognise(utteranceOf(packets), { language: "yue", words: [] }, never);
    server.verify();
  });

  it("is not audio when a packet cannot be Opus", async () => {
    const broken = [...packets.slice(0, 2), new Uint8Array(0)];
    const failure = await failureOf(transcription().recognise(utteranceOf(broken), noHints, never));
    expect(failure.kind).toBe("not_audio");
    expect(server.requests).toHaveLength(0);
  });
});

describe("formats", () => {
  it.each(["gpt-4o-transcribe", "gpt-4o-mini-transcribe-2025-12-15", "gpt-transcribe"])(
    "of %s: a stream of events",
    async (model) => {
      server.expectTranscription(transcriptReply(WORDS), (body) => {
        expect(body).toMatchObject({ stream: true, responseFormat: "json" });
      });
      const heard = await transcription({ model }).recognise(utteranceOf(packets), noHints, never);
      expect(heard).toEqual({ type: "words", text: WORDS });
      server.verify();
    },
  );

  it.each(["auto", "off"] as const)(
    "of gpt-4o-transcribe tell how sure it is of each word (stream: %s)",
    async (stream) => {
      const logprobs = [
        { token: "Pump", logprob: 0 },
        { token: " thir", logprob: Math.log(0.5) },
        { token: "teen", logprob: Math.log(0.8) },
        { token: "?", logprob: -9 },
      ];
      server.expectTranscription(transcriptReply("Pump thirteen?", { logprobs }));
      const sure = transcription({ model: "gpt-4o-transcribe", stream });
      expect(await sure.recognise(utteranceOf(packets), noHints, never)).toEqual({
        type: "words",
        text: "Pump thirteen?",
        words: [
          { text: "Pump", probability: 1 },
          { text: "thirteen", probability: expect.closeTo(0.4, 6) },
        ],
      });
    },
  );

  it("of servers around Whisper tell it too, and whoever does not take the wish is asked without", async () => {
    const words = [{ word: " Pump", start: 0, end: 1, probability: 0.9 }];
    server.expectTranscription(
      rawReply("application/json", JSON.stringify({ text: "Pump", segments: [{ text: "Pump", words }] })),
    );
    expect(await transcription().recognise(utteranceOf(packets), noHints, never)).toMatchObject({
      words: [{ text: " Pump", probability: 0.9 }],
    });
    await restart({ transcriptionQuirks: { refuses: ["logprobs"] } });
    server.expectTranscription(transcriptReply(WORDS)).expectTranscription(transcriptReply(WORDS));
    const learning = transcription({ model: "gpt-4o-transcribe" });
    for (let question = 0; question < 2; question++)
      await learning.recognise(utteranceOf(packets), noHints, never);
    expect(server.requests).toHaveLength(3);
  });

  it("without a stream where the settings say so", async () => {
    server.expectTranscription(transcriptReply(WORDS), (body) => {
      expect(body).toMatchObject({ stream: false, responseFormat: "json" });
    });
    const plain = transcription({ model: "gpt-4o-transcribe", stream: "off" });
    expect(await plain.recognise(utteranceOf(packets), noHints, never)).toMatchObject({ text: WORDS });
    server.verify();
  });

  it("does not wait for what follows the whole text", async () => {
    const done = `data: ${JSON.stringify({ type: "transcript.text.done", text: WORDS })}\r\n\r\n`;
    const events = `: hello\r\nevent: x\r\ndata: {"type":"transcript.text.new"}\r\n\r\n${done}data: [DONE]\n\ndata: garbage\n\n`;
    server.expectTranscription(rawReply("text/event-stream", events));
    const streamed = transcription({ model: "gpt-4o-transcribe" });
    expect(await streamed.recognise(utteranceOf(packets), noHints, never)).toMatchObject({ text: WORDS });
  });

  it.each(["openai", "fastapi", "none"] as const)(
    "verbose_json is given up once for all where it is not known (in the words of %s)",
    async (words) => {
      await restart({ transcriptionQuirks: { refuses: ["verbose_json"], words } });
      server.expectTranscription(transcriptReply(WORDS)).expectTranscription(transcriptReply(WORDS));
      const plain = transcription();
      for (let question = 0; question < 2; question++) {
        const heard = await plain.recognise(utteranceOf(packets), noHints, never);
        expect(heard).toEqual({ type: "words", text: WORDS });
      }
      expect(server.requests).toHaveLength(3);
      server.verify();
    },
  );

  it("learns each field that a server does not take, and a language for that language only", async () => {
    await restart({
      transcriptionQuirks: { refuses: ["verbose_json", "temperature", "prompt", "language"] },
    });
    const learning = transcription();
    server.expectTranscription(transcriptReply(WORDS)).expectTranscription(transcriptReply(WORDS));
    const hints = { language: "uk", words: [SECRET] };
    await learning.recognise(utteranceOf(packets), hints, never);
    expect(server.requests).toHaveLength(5);
    await learning.recognise(utteranceOf(packets), hints, never);
    expect(server.requests).toHaveLength(6);
    server.verify();
  });

  it("learns nothing from a refusal that plainer words do not help against", async () => {
    const learning = transcription();
    server
      .expectTranscription(errorReply(400, { message: "Nope." }))
      .expectTranscription(errorReply(400, { message: "Nope." }))
      .expectTranscription(transcriptReply(WORDS), ({ responseFormat }) => {
        expect(responseFormat).toBe("verbose_json");
      });
    expect((await failureOf(learning.recognise(utteranceOf(packets), noHints, never))).message).toContain(
      "400",
    );
    await learning.recognise(utteranceOf(packets), noHints, never);
    server.verify();
  });
});

describe("faults", () => {
  it.each([
    ["429", errorReply(429)],
    ["429 with a time", errorReply(429, { retryAfterS: 2 })],
    ["500", errorReply(500)],
    ["503", errorReply(503)],
    ["a connection closed without a byte", cutReply],
    ["half an answer", transcriptReply(WORDS, { ending: "cut" })],
  ])("%s: tries once more", async (_name, reply) => {
    server.expectTranscription(reply).expectTranscription(transcriptReply(WORDS));
    const heard = transcription().recognise(utteranceOf(packets), noHints, never);
    await passTime(heard, 100);
    expect(await heard).toMatchObject({ text: WORDS });
    server.verify();
    expect(clock.pending).toBe(0);
  });

  it.each([
    ["500 twice", errorReply(500), "the transcription server answers 500"],
    ["429 twice", errorReply(429), "the transcription server answers 429"],
    ["cut twice", cutReply, "no connection to the transcription server, or it broke (UND_ERR_SOCKET)"],
  ])("%s: unavailable", async (_name, reply, message) => {
    server.expectTranscription(reply).expectTranscription(reply);
    const failed = failureOf(transcription().recognise(utteranceOf(packets), noHints, never));
    await passTime(failed, 100);
    expect(await failed).toMatchObject({ kind: "unavailable", message });
    server.verify();
  });

  it.each([
    ["401", errorReply(401), "the transcription server answers 401: it refuses the key"],
    ["404", errorReply(404), "the transcription server answers 404: it knows no such path or model"],
    [
      "413 that quotes",
      errorReply(413, { message: SECRET }),
      "the transcription server answers 413: the question is too long for it",
    ],
    ["429 for an hour", errorReply(429, { retryAfterS: 3_600 }), "the transcription server answers 429"],
    [
      "a page",
      rawReply("text/html", `<h1>${SECRET}</h1>`),
      "the transcription server answers with something that is no transcript",
    ],
    [
      "other JSON",
      rawReply("application/json", `{"result":"${SECRET}"}`),
      "the transcription server answers with JSON without a transcript",
    ],
    [
      "garbage",
      rawReply("application/json", "\u0000\u0001{"),
      "the transcription server answers with JSON without a transcript",
    ],
    [
      "too much",
      rawReply("application/json", " ".repeat(2_000_000)),
      "the answer of the transcription server: the body is larger than 1048576 bytes",
    ],
  ])("%s: unavailable at once", async (_name, reply, message) => {
    server.expectTranscription(reply);
    const failure = await failureOf(
      transcription().recognise(utteranceOf(packets), { words: [SECRET] }, never),
    );
    expect(failure).toMatchObject({ kind: "unavailable", message });
    server.verify();
    expect(clock.pending).toBe(0);
  });

  it.each([
    ["an error", 'data: {"error":{"message":"x"}}\n\n', "an error in the middle of the transcript"],
    ["no end", 'data: {"type":"transcript.text.delta","delta":"How"}\n\n', "a transcript without an end"],
  ])("a stream with %s: unavailable", async (_name, events, what) => {
    server.expectTranscription(rawReply("text/event-stream", events));
    const streamed = transcription({ model: "gpt-4o-transcribe" });
    const { message } = await failureOf(streamed.recognise(utteranceOf(packets), noHints, never));
    expect(message).toBe(`the transcription server answers with ${what}`);
  });

  it("a server that is not there", async () => {
    const recogniser = transcription();
    await server.close();
    const failed = failureOf(recogniser.recognise(utteranceOf(packets), noHints, never));
    await passTime(failed, 100);
    expect((await failed).message).toBe(
      "no connection to the transcription server, or it broke (ECONNREFUSED)",
    );
    server = await OpenAiServer.start();
  });

  it("has 15 s from the release of the button, both attempts together", async () => {
    server.expectTranscription(cutReply).expectTranscription(hangReply);
    const held = new HeldUtterance();
    for (const packet of packets) held.say(packet);
    const failed = failureOf(transcription().recognise(held, noHints, never));
    await clock.advance(60_000);
    held.release();
    await server.received(1);
    while (server.requests.length < 2) await clock.advance(100);
    expect(await over(failed)).toBe(false);
    await clock.advance(15_000);
    expect((await failed).message).toBe("the transcript took longer than 15000 ms");
    expect(await server.requests[1]?.over).toBe("aborted");
    expect(clock.pending).toBe(0);
  });

  it("does not wait longer than 5 s in the middle of an answer", async () => {
    server
      .expectTranscription(transcriptReply(["How "], { ending: "hang" }))
      .expectTranscription(transcriptReply(WORDS));
    const heard = transcription({ model: "gpt-4o-transcribe" }).recognise(
      utteranceOf(packets),
      noHints,
      never,
    );
    await server.received(1);
    while (clock.pending < 2) await settle();
    await passTime(heard, 1_000);
    expect(await heard).toMatchObject({ text: WORDS });
    expect(await server.requests[0]?.over).toBe("aborted");
  });

  it("stops with the caller, and with the utterance", async () => {
    server.expectTranscription(hangReply);
    const turn = new AbortController();
    const waiting = transcription().recognise(utteranceOf(packets), noHints, turn.signal);
    await server.received(1);
    const reason = new Error("barge-in");
    turn.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(await server.requests[0]?.over).toBe("aborted");
    expect(getEventListeners(turn.signal, "abort")).toHaveLength(0);

    const held = new HeldUtterance();
    held.say(packets[0]!);
    const given = transcription().recognise(held, noHints, never);
    const gone = new TypeError("the relay is gone");
    await settle();
    held.giveUp(gone);
    await expect(given).rejects.toBe(gone);
    expect(server.requests).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });
});

describe("a streamed upload", () => {
  const streamed = () => transcription({ upload: "streamed" });

  it("is at the server while the button is still held", async () => {
    server.expectTranscription(transcriptReply(WORDS), ({ audio, chunked }) => {
      expect([audio.packets.length, chunked]).toEqual([packets.length, true]);
    });
    const held = new HeldUtterance();
    const heard = streamed().recognise(held, noHints, never);
    for (const packet of packets) held.say(packet);
    const most = packets.slice(0, -4).reduce((sum, packet) => sum + packet.length, 0);
    await server.receivedBytes(most);
    expect(server.requests).toHaveLength(0);
    held.release();
    expect(await heard).toMatchObject({ text: WORDS });
    server.verify();
  });

  it("is learnt to be too much for a server that wants to know the length", async () => {
    await restart({ transcriptionQuirks: { chunked: "refused" } });
    server.expectTranscription(transcriptReply(WORDS), ({ chunked }) => expect(chunked).toBe(false));
    server.expectTranscription(transcriptReply(WORDS), ({ chunked }) => expect(chunked).toBe(false));
    const recogniser = streamed();
    for (let question = 0; question < 2; question++) {
      const heard = recogniser.recognise(utteranceOf(packets), noHints, never);
      await passTime(heard, 100);
      expect(await heard).toMatchObject({ text: WORDS });
    }
    server.verify();
  });

  it("goes up whole once more when the connection breaks", async () => {
    server.expectTranscription(cutReply, ({ chunked }) => expect(chunked).toBe(true));
    server.expectTranscription(transcriptReply(WORDS), ({ chunked }) => expect(chunked).toBe(false));
    server.expectTranscription(transcriptReply(WORDS), ({ chunked }) => expect(chunked).toBe(true));
    const recogniser = streamed();
    const heard = recogniser.recognise(utteranceOf(packets), noHints, never);
    await passTime(heard, 100);
    expect(await heard).toMatchObject({ text: WORDS });
    await recogniser.recognise(utteranceOf(packets), noHints, never);
    server.verify();
  });

  it("breaks off with what the utterance throws", async () => {
    const held = new HeldUtterance();
    for (const packet of packets) held.say(packet);
    const heard = streamed().recognise(held, noHints, never);
    await server.receivedBytes(100);
    const gone = new Error("the relay is gone");
    held.giveUp(gone);
    await expect(heard).rejects.toBe(gone);
    expect(clock.pending).toBe(0);
  });
});

async function over(work: Promise<unknown>): Promise<boolean> {
  return await Promise.race([work.then(() => true), settle().then(() => false)]);
}

/** What a tool of Debian's says about a file. */
function judged(tool: string, args: readonly string[], bytes: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), "readback-question-"));
  const file = join(folder, "question.ogg");
  try {
    writeFileSync(file, bytes);
    const { status, stdout, stderr, error } = spawnSync(tool, [...args, file], { encoding: "utf8" });
    if (error !== undefined) throw new Error(`${tool} does not run: npm test installs it`, { cause: error });
    expect(status).toBe(0);
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
