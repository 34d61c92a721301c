/** The server's transcriptions are as strict as the real ones, and keep to their script. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { oggOpus, tonePackets } from "./naive-ogg.js";
import { OpenAiServer } from "./openai-server.js";
import { transcriptReply } from "./openai-transcriptions.js";

let server: OpenAiServer;
beforeEach(async () => {
  server = await OpenAiServer.start();
});
afterEach(() => server.close());

const AUDIO = oggOpus(tonePackets(50));

interface Upload {
  readonly fields?: Readonly<Record<string, string>>;
  readonly file?: Uint8Array;
  readonly name?: string;
  readonly type?: string;
}

async function post({ fields = {}, file = AUDIO, name = "q.ogg", type = "audio/ogg" }: Upload) {
  const form = new FormData();
  for (const [field, value] of Object.entries({ model: "whisper-1", ...fields })) form.set(field, value);
  form.set("file", new File([file], name, { type }));
  const response = await fetch(`${server.baseUrl}/audio/transcriptions`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.apiKey}` },
    body: form,
  });
  const text = await response.text();
  return { status: response.status, text };
}

describe("transcriptions of the local server", () => {
  it("decode the audio and know its length to the packet", async () => {
    server.expectTranscription(transcriptReply("Hello there."), ({ audio }) => {
      expect(audio).toMatchObject({ durationMs: 50 * 20 - 6.5, channels: 1, preSkipSamples: 312 });
      expect(audio.packets).toHaveLength(50);
      expect(audio.pcm).toHaveLength(50 * 960);
      expect(audio.pcm.some((sample) => Math.abs(sample) > 1_000)).toBe(true);
    });
    const { status, text } = await post({ fields: { response_format: "verbose_json" } });
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      task: "transcribe",
      language: "english",
      text: "Hello there.",
      segments: [{ text: "Hello there.", no_speech_prob: 0.02 }],
    });
    server.verify();
  });

  it("stream from the models that do, and not from whisper-1", async () => {
    server.expectTranscription(transcriptReply("Hello there.")).expectTranscription(transcriptReply("Hi."));
    const streamed = await post({ fields: { model: "gpt-4o-transcribe", stream: "true" } });
    const events = streamed.text.split("\n\n").filter((event) => event !== "");
    expect(events.map((event) => JSON.parse(event.replace(/^data: /, "")).type)).toEqual([
      "transcript.text.delta",
      "transcript.text.delta",
      "transcript.text.done",
    ]);
    expect(JSON.parse((await post({ fields: { stream: "true" } })).text)).toMatchObject({ text: "Hi." });
    server.verify();
  });

  it.each<[string, Upload, string]>([
    ["no model", { fields: { model: "" } }, "model"],
    ["a field that does not exist", { fields: { voice: "x" } }, "voice"],
    ["a format that does not exist", { fields: { response_format: "xml" } }, "response_format"],
    [
      "verbose_json of a model without it",
      { fields: { model: "gpt-4o-transcribe", response_format: "verbose_json" } },
      "response_format",
    ],
    ["a language in words", { fields: { language: "german" } }, "language"],
    ["a wrong temperature", { fields: { temperature: "2" } }, "temperature"],
    ["a stream that is neither", { fields: { stream: "yes" } }, "stream"],
    ["another extension", { name: "q.bin" }, "file"],
    ["another type", { type: "text/plain" }, "file"],
    ["what is no audio", { file: Buffer.from("hello") }, "file"],
    ["a file without its end", { file: AUDIO.subarray(0, AUDIO.length - 40) }, "file"],
    ["a damaged file", { file: AUDIO.map((byte, i) => (i === 900 ? byte ^ 1 : byte)) }, "file"],
    ["less than 0.1 s", { file: oggOpus(tonePackets(4)) }, "file"],
  ])("refuse %s, which is a failure of the test, too", async (_name, upload, param) => {
    const { status, text } = await post(upload);
    expect([status, JSON.parse(text).error.param]).toEqual([400, param]);
    expect(() => server.verify()).toThrow("transcription refused with 400");
  });

  it("fail on calls not expected and on calls missing", async () => {
    expect((await post({})).status).toBe(500);
    expect(() => server.verify()).toThrow("unexpected transcription");
    server.expectTranscription(transcriptReply("Hello."));
    expect(() => server.verify()).toThrow("transcription that never came (transcript)");
  });
});
