/** Who understands speech, by the settings: a server with its key, the local recogniser, or nobody. */

import { OpusPacketEncoder } from "@readback/audio";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { OpenAiServer } from "../../test/support/openai-server.js";
import { transcriptReply } from "../../test/support/openai-transcriptions.js";
import { utteranceOf } from "../../test/support/utterances.js";
import { loadConfig } from "../config/load.js";
import { systemClock } from "../lib/clock.js";
import { Flite } from "../speech/flite.js";
import { createRecogniser } from "./recogniser.js";

const never = new AbortController().signal;
const NOT_THERE = { local_command: "/nonexistent/program" };

let home: OpenAiServer;
beforeEach(async () => {
  home = await OpenAiServer.start({ apiKey: "home-key" });
});
afterEach(() => home.close());

type Settings = Readonly<Record<string, object>>;

const recogniserOf = (settings: Settings) => createRecogniser(loadConfig({}, settings).config, systemClock);

describe("the recogniser", () => {
  it.each<[string, Settings, string | undefined]>([
    ["without a key or an address", {}, undefined],
    ["with a key for the language model", { llm: { api_key: "k" } }, "whisper-1"],
    [
      "with an address of its own",
      { transcription: { base_url: "http://x.example/v1", model: "base" } },
      "base",
    ],
    ["when OpenAI is asked for", { transcription: { provider: "openai", api_key: "k" } }, "whisper-1"],
    ["when nobody is wanted", { llm: { api_key: "k" }, transcription: { provider: "none" } }, undefined],
  ])("%s", async (_name, settings, name) => {
    const recogniser = await recogniserOf({
      ...settings,
      transcription: { ...NOT_THERE, ...settings.transcription },
    });
    expect(recogniser?.name).toBe(name);
    await recogniser?.close();
  });

  it("is Debian's where it is installed and nothing else is set, or it is asked for", async () => {
    for (const settings of [{}, { llm: { api_key: "k" }, transcription: { provider: "local" } }]) {
      const recogniser = await recogniserOf(settings);
      expect(recogniser?.name).toMatch(/pocketsphinx.*rough/);
      await recogniser?.close();
    }
  });

  it("says what to do when the local one is asked for and missing", async () => {
    const settings = { transcription: { provider: "local", ...NOT_THERE } };
    await expect(recogniserOf(settings)).rejects.toThrow(
      /install .* pocketsphinx-en-us, .*or choose another/,
    );
  });

  it("asks the language model's server with its key, and only when there is something to hear", async () => {
    home.expectTranscription(transcriptReply("E12"), ({ language }) => expect(language).toBe("de"));
    const recogniser = await recogniserOf({
      llm: { base_url: home.baseUrl, api_key: "home-key" },
      transcription: { language: "de" },
    });
    const silence = utteranceOf(Array.from({ length: 20 }, () => Uint8Array.from([11 << 3])));
    expect(await recogniser?.recognise(silence, { words: [] }, never)).toMatchObject({ reason: "silent" });
    expect(home.requests).toHaveLength(0);
    const encoder = new OpusPacketEncoder({ sampleRateHz: 16_000, packetMs: 60 });
    const packets = encoder.encode((await Flite.load("slt")).speak("What does E 12 mean?"));
    const heard = await recogniser?.recognise(utteranceOf(packets), { words: [] }, never);
    expect(heard).toEqual({ type: "words", text: "E12", language: "en" });
    home.verify();
  });
});
