/** The speech adapter against a faithful server on real sockets, with every fault that a speech server is known for. */
import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { oggOpus, tonePackets } from "../../test/support/naive-ogg.js";
import { cutReply, errorReply, hangReply, rawReply, speechReply } from "../../test/support/openai-replies.js";
import { OpenAiServer } from "../../test/support/openai-server.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { OpenAiSpeech, type OpenAiSpeechOptions } from "./openai.js";
import { SpeechFailure } from "./port.js";

const TEXT = "Bleed the compressor for two minutes.";
const never = new AbortController().signal;

let server: OpenAiServer;
let clock: VirtualClock;

function speechWith(options: Partial<OpenAiSpeechOptions> = {}): OpenAiSpeech {
  return new OpenAiSpeech(clock, {
    model: "tts-1",
    voice: "shimmer",
    format: "opus",
    baseUrl: server.baseUrl,
    apiKey: server.apiKey,
    firstByteTimeoutMs: 15_000,
    idleTimeoutMs: 3_000,
    bodyBytesMax: 1_048_576,
    ...options,
  });
}

beforeEach(async () => {
  server = await OpenAiServer.start();
  clock = new VirtualClock();
});
afterEach(async () => {
  await server.close();
});

async function collect(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of body) parts.push(part);
  return Buffer.concat(parts);
}

/** The failure that `work` ends in; it must quote neither the key nor what was to be said. */
async function failureOf(work: Promise<unknown>): Promise<SpeechFailure> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SpeechFailure);
  const failure = error as SpeechFailure;
  expect(`${failure.stack} ${String(failure.cause)}`).not.toContain(server.apiKey);
  expect(`${failure.stack} ${String(failure.cause)}`).not.toContain(TEXT);
  return failure;
}

describe("OpenAiSpeech", () => {
  it("hands over the body as it arrives, byte for byte", async () => {
    let release = () => {};
    const rest = new Promise<void>((resolve) => {
      release = resolve;
    });
    const body = oggOpus(tonePackets(50));
    async function* chunks() {
      yield body.subarray(0, 500);
      await rest;
      yield body.subarray(500);
    }
    server.expectSpeech(
      { ...speechReply(), chunks: chunks() } as ReturnType<typeof speechReply>,
      (request) => {
        expect(request).toEqual({ model: "tts-1", voice: "shimmer", input: TEXT, response_format: "opus" });
      },
    );
    const parts: Uint8Array[] = [];
    for await (const part of speechWith().synthesize({ text: TEXT }, never)) {
      parts.push(part);
      release();
    }
    expect(parts.length).toBeGreaterThan(1);
    expect(Buffer.concat(parts)).toEqual(Buffer.from(body));
    server.verify();
  });

  it.each([
    ["429", errorReply(429), "unavailable"],
    ["500", errorReply(500), "unavailable"],
    ["400 that quotes the text", errorReply(400, { message: TEXT }), "unavailable"],
    ["a connection closed without a byte", cutReply, "unavailable"],
    ["JSON instead of audio", rawReply("application/json", '{"audio": ""}'), "not_audio"],
    ["a page instead of audio", rawReply("text/html; charset=utf-8", "<h1>Hi</h1>"), "not_audio"],
    ["a cut body", speechReply({ packets: 100, bytesMax: 2_000, ending: "cut" }), "cut"],
  ])("meets %s", async (_name, reply, kind) => {
    server.expectSpeech(reply);
    expect((await failureOf(collect(speechWith().synthesize({ text: TEXT }, never)))).kind).toBe(kind);
    server.verify();
  });

  it("meets a server that is not there", async () => {
    await server.close();
    const { kind, message } = await failureOf(collect(speechWith().synthesize({ text: TEXT }, never)));
    expect([kind, message]).toEqual(["unavailable", "no connection to the speech server (ECONNREFUSED)"]);
  });

  it("takes a body of 1 MiB at the most", async () => {
    server.expectSpeech(speechReply({ packets: 100, ending: "hang" }));
    const failure = await failureOf(
      collect(speechWith({ bodyBytesMax: 1_000 }).synthesize({ text: TEXT }, never)),
    );
    expect([failure.kind, failure.message]).toEqual(["cut", "the body is larger than 1000 bytes"]);
    expect(await server.requests[0]?.over).toBe("aborted");
  });

  it("waits 15 s for the first byte and 3 s for each next one", async () => {
    server.expectSpeech(hangReply).expectSpeech(speechReply({ bytesMax: 500, ending: "hang" }));
    const silent = failureOf(collect(speechWith().synthesize({ text: TEXT }, never)));
    await server.received(1);
    await clock.advance(15_000);
    expect((await silent).kind).toBe("unavailable");
    expect(await server.requests[0]?.over).toBe("aborted");

    const body = speechWith().synthesize({ text: TEXT }, never);
    await body.next();
    const stuck = failureOf(body.next());
    while (clock.pending === 0) await clock.advance(0);
    await clock.advance(3_000);
    expect((await stuck).kind).toBe("cut");
    expect(await server.requests[1]?.over).toBe("aborted");
    expect(clock.pending).toBe(0);
  });

  it("stops the server's work when the caller stops, by signal or by breaking off", async () => {
    server.expectSpeech(speechReply({ ending: "hang" })).expectSpeech(speechReply({ ending: "hang" }));
    const turn = new AbortController();
    const waiting = collect(speechWith().synthesize({ text: TEXT }, turn.signal));
    await server.received(1);
    const reason = new Error("barge-in");
    turn.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect(await server.requests[0]?.over).toBe("aborted");
    expect(getEventListeners(turn.signal, "abort")).toHaveLength(0);

    for await (const part of speechWith().synthesize({ text: TEXT }, never)) {
      expect(part.length).toBeGreaterThan(0);
      break;
    }
    expect(await server.requests[1]?.over).toBe("aborted");
    expect(clock.pending).toBe(0);
  });
});
