/** What every recogniser keeps to, whoever understands the words. */

import { OpusPacketEncoder } from "@readback/audio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OpenAiServer } from "../../test/support/openai-server.js";
import { transcriptReply } from "../../test/support/openai-transcriptions.js";
import { patience } from "../../test/support/patience.js";
import { HeldUtterance, utteranceOf } from "../../test/support/utterances.js";
import { settle } from "../../test/support/virtual-clock.js";
import { systemClock } from "../lib/clock.js";
import { systemRandom } from "../lib/random.js";
import { AudibleOnly } from "./audible.js";
import { Flite } from "./flite.js";
import { LocalRecogniser } from "./local-recogniser.js";
import { OpenAiTranscription } from "./openai-transcription.js";
import type { SpeechToText } from "./speech-to-text.js";

const never = new AbortController().signal;
const hints = { language: "en", words: ["lunch break"] };
const TEXT = "How long is my lunch break?";

let server: OpenAiServer;
let question: Uint8Array[];
beforeAll(async () => {
  server = await OpenAiServer.start({ respond: { transcription: () => transcriptReply(TEXT) } });
  const encoder = new OpusPacketEncoder({ sampleRateHz: 16_000, packetMs: 60 });
  question = encoder.encode((await Flite.load("slt")).speak(TEXT));
});
afterAll(() => server.close());

function transcription(upload: "whole" | "streamed", model: string): SpeechToText {
  const { baseUrl, apiKey } = server;
  const limits = { timeoutMs: 60_000, idleTimeoutMs: 60_000, answerBytesMax: 1_048_576 };
  return new OpenAiTranscription(
    { clock: systemClock, random: systemRandom },
    { baseUrl, apiKey, model, upload, stream: "auto", ...limits },
  );
}

async function pocketsphinx(): Promise<SpeechToText> {
  const found = await LocalRecogniser.find(
    systemClock,
    {
      localCommand: "pocketsphinx_continuous",
      localModelDir: "/usr/share/pocketsphinx/model/en-us",
      localTimeoutMs: 110_000,
      localConcurrencyMax: 2,
      localQueueLengthMax: 4,
    },
    never,
  );
  if (found === undefined) throw new Error("pocketsphinx is not installed: npm test installs it");
  return found;
}

describe.each<[string, () => SpeechToText | Promise<SpeechToText>]>([
  ["a transcription server", () => transcription("whole", "whisper-1")],
  ["a transcription server that streams both ways", () => transcription("streamed", "gpt-4o-transcribe")],
  ["a transcription server behind an ear", () => new AudibleOnly(transcription("streamed", "whisper-1"))],
  ["pocketsphinx", pocketsphinx],
  ["pocketsphinx behind an ear", async () => new AudibleOnly(await pocketsphinx())],
])("%s", (_name, make) => {
  let recogniser: SpeechToText;
  beforeAll(async () => {
    recogniser = await make();
    await recogniser.warm(never);
  });
  afterAll(() => recogniser?.close());

  it("understands utterances that are over and such that grow, several at once", {
    timeout: patience(120_000),
  }, async () => {
    const held = new HeldUtterance();
    const growing = recogniser.recognise(held, hints, never);
    const whole = recogniser.recognise(utteranceOf(question), hints, never);
    let over = false;
    const onEnd = () => {
      over = true;
    };
    growing.then(onEnd, onEnd);
    for (const packet of question) held.say(packet);
    await settle();
    expect(over).toBe(false);
    held.release();
    for (const said of await Promise.all([growing, whole])) {
      expect(said).toMatchObject({ type: "words", text: expect.stringMatching(/lunch/) });
    }
  });

  it("has nothing to say to nothing", async () => {
    expect(await recogniser.recognise(utteranceOf([]), hints, never)).toEqual({
      type: "nothing",
      reason: "too_short",
    });
  });

  it.each([
    ["first", 0],
    ["in the middle", 5],
  ])("calls what is no Opus not audio (%s)", async (_where, at) => {
    const lies = [...question.slice(0, at), new Uint8Array(0), ...question.slice(at)];
    const work = recogniser.recognise(utteranceOf(lies), hints, never);
    await expect(work).rejects.toMatchObject({ name: "RecognitionFailure", kind: "not_audio" });
  });

  it("passes on what the utterance throws, before the first packet and after", async () => {
    for (const count of [0, 20]) {
      const held = new HeldUtterance();
      const work = recogniser.recognise(held, hints, never);
      for (const packet of question.slice(0, count)) held.say(packet);
      await settle();
      const gone = new TypeError("the relay is gone");
      held.giveUp(gone);
      await expect(work).rejects.toBe(gone);
    }
  });

  it("stops with the signal, aborted beforehand or in between", async () => {
    const reason = new Error("barge-in");
    await expect(recogniser.recognise(utteranceOf(question), hints, AbortSignal.abort(reason))).rejects.toBe(
      reason,
    );
    const turn = new AbortController();
    const held = new HeldUtterance();
    const work = recogniser.recognise(held, hints, turn.signal);
    for (const packet of question) held.say(packet);
    await settle();
    turn.abort(reason);
    await expect(work).rejects.toBe(reason);
  });
});
