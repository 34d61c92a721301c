/** The local recogniser as real processes: Debian's own on synthetic speech, and programs that misbehave. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { OpusPacketEncoder } from "@readback/audio";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { opusSample } from "../../test/support/fake-speech.js";
import { patience } from "../../test/support/patience.js";
import { HeldUtterance, utteranceOf } from "../../test/support/utterances.js";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { systemClock } from "../lib/clock.js";
import { Flite } from "./flite.js";
import { LocalRecogniser, type LocalRecogniserOptions } from "./local-recogniser.js";

const never = new AbortController().signal;
const noHints = { words: [] };

const DEBIAN: LocalRecogniserOptions = {
  localCommand: "pocketsphinx_continuous",
  localModelDir: "/usr/share/pocketsphinx/model/en-us",
  localTimeoutMs: 110_000,
  localConcurrencyMax: 2,
  localQueueLengthMax: 4,
};

describe("pocketsphinx of Debian", () => {
  let recogniser: LocalRecogniser;
  let flite: Flite;
  beforeAll(async () => {
    const found = await LocalRecogniser.find(systemClock, DEBIAN, never);
    if (found === undefined) throw new Error("pocketsphinx is not installed: npm test installs it");
    recogniser = found;
    flite = await Flite.load("slt");
  });
  afterAll(() => recogniser?.close());

  it("understands most words of a synthetic voice, roughly", { timeout: patience(120_000) }, async () => {
    const sentences = ["Where is the nearest fire extinguisher?", "How long is my lunch break?"];
    const heard = await Promise.all(
      sentences.map((text) =>
        recogniser.recognise(utteranceOf(packetsOf(flite.speak(text))), noHints, never),
      ),
    );
    const missed = heard.map((said, i) => {
      if (said.type === "nothing") return 100;
      expect(said.language).toBe("en");
      const words = new Set(said.text.toLowerCase().split(" "));
      return wordsOf(sentences[i]!).filter((word) => !words.has(word)).length;
    });
    // Measured: none of 12. A loaded machine only makes it slower.
    expect(missed[0]! + missed[1]!).toBeLessThanOrEqual(6);
  });

  it("makes nothing of noise, and is plain about its limits", { timeout: patience(120_000) }, async () => {
    expect(recogniser.name).toBe("pocketsphinx (rough, English only)");
    const hiss = Int16Array.from({ length: 16_000 }, (_, i) => ((i * 7_919) % 41) - 20);
    const heard = await recogniser.recognise(utteranceOf(packetsOf(hiss)), noHints, never);
    expect(heard.type === "nothing" || wordsOf(heard.text).length <= 1).toBe(true);
    const polish = recogniser.recognise(utteranceOf(packetsOf(hiss)), { language: "pl", words: [] }, never);
    await expect(polish).rejects.toMatchObject({ kind: "unavailable", message: /English only/ });
  });
});

const wordsOf = (text: string) => text.toLowerCase().match(/[a-z]+/g) ?? [];

function packetsOf(pcm: Int16Array): Uint8Array[] {
  const encoder = new OpusPacketEncoder({ sampleRateHz: 16_000, packetMs: 60 });
  return [...encoder.encode(pcm), ...encoder.finish().packets];
}

describe("a program that stands in for it", () => {
  const { packets } = opusSample(10);
  let folder: string;
  let clock: VirtualClock;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "readback-recogniser-"));
    mkdirSync(join(folder, "en-us"));
    for (const file of ["en-us.lm.bin", "cmudict-en-us.dict"]) writeFileSync(join(folder, file), "");
    clock = new VirtualClock();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const optionsFor = (
    script: string,
    options: Partial<LocalRecogniserOptions> = {},
  ): LocalRecogniserOptions => {
    const command = join(folder, "program");
    // Without arguments, as it is called to see whether it is there, it ends with 1 like Debian's.
    writeFileSync(command, `#!/bin/sh\n[ $# -gt 0 ] || exit 1\nfolder=${folder}\n${script}\n`, {
      mode: 0o700,
    });
    return { ...DEBIAN, localTimeoutMs: 5_000, localCommand: command, localModelDir: folder, ...options };
  };
  const found = async (script: string, options: Partial<LocalRecogniserOptions> = {}) => {
    const recogniser = await LocalRecogniser.find(clock, optionsFor(script, options), never);
    return recogniser as LocalRecogniser;
  };
  /** What the program has written about itself. */
  const told = async (name: string): Promise<string> => {
    const file = join(folder, name);
    while (!existsSync(file) || readFileSync(file, "utf8") === "") await settle();
    return readFileSync(file, "utf8").trim();
  };

  it("gets 16 kHz PCM of the whole question in a file of its own, and our model", async () => {
    const recogniser = await found(
      'wc -c <"$2" >"$folder/size"; echo "$*" >"$folder/arguments"; env >"$folder/environment"; echo "open the valve"',
    );
    const heard = await recogniser.recognise(utteranceOf(packets), noHints, never);
    expect(heard).toEqual({ type: "words", text: "open the valve", language: "en" });
    expect(await told("size")).toBe(String(10 * 60 * 16 * 2));
    const [flag, file, ...rest] = (await told("arguments")).split(" ");
    expect([flag, rest.join(" ")]).toEqual([
      "-infile",
      `-hmm ${folder}/en-us -lm ${folder}/en-us.lm.bin -dict ${folder}/cmudict-en-us.dict -time yes -logfn /dev/null`,
    ]);
    expect(existsSync(dirname(file!))).toBe(false);
    expect(await told("environment")).not.toMatch(/KEY|TOKEN|HOME/);
    expect(clock.pending).toBe(0);
  });

  it.each([
    ["nothing", "true", { type: "nothing", reason: "unintelligible" }],
    ["noises only", 'echo "<sil> [NOISE] ++UH++"', { type: "nothing", reason: "unintelligible" }],
    [
      "several stretches and second pronunciations",
      'echo "i read(2) the"; echo "read(2) 0.1 0.3 0.45"; echo "<sil> 0.3 0.4 0.9"; echo "<sil> gauge"',
      {
        type: "words",
        text: "i read the gauge",
        language: "en",
        words: [{ text: "read", probability: 0.45 }],
      },
    ],
  ])("and writes %s", async (_name, script, heard) => {
    const recogniser = await found(script);
    expect(await recogniser.recognise(utteranceOf(packets), noHints, never)).toEqual(heard);
  });

  it.each([
    ["fails", "exit 3", "the local recogniser ends with exit code 3; check transcription.local_model_dir"],
    ["is killed", "kill -9 $$", "the local recogniser was killed; check transcription.local_model_dir"],
    ["writes without end", "exec yes", /wrote more than 65536 bytes$/],
  ])("and %s: unavailable", async (_name, script, message) => {
    const recogniser = await found(script);
    const work = recogniser.recognise(utteranceOf(packets), noHints, never);
    await expect(work).rejects.toMatchObject({ name: "RecognitionFailure", kind: "unavailable", message });
    expect(clock.pending).toBe(0);
  });

  const HANGS = 'echo "$2" >"$folder/file"; echo $$ >"$folder/pid"; exec sleep 1000';

  it("and hangs is killed at the deadline, when the caller stops, and when we close", async () => {
    const ways: ((turn: AbortController, recogniser: LocalRecogniser) => unknown)[] = [
      () => clock.advance(5_000),
      (turn) => turn.abort(new Error("barge-in")),
      (_turn, recogniser) => recogniser.close(),
    ];
    const endings = [/^the local recogniser took longer than 5000 ms$/, /^barge-in$/, /is closed$/];
    for (const [i, stop] of ways.entries()) {
      const recogniser = await found(HANGS);
      const turn = new AbortController();
      const work = recogniser.recognise(utteranceOf(packets), noHints, turn.signal);
      const ended = expect(work).rejects.toMatchObject({ message: endings[i] });
      const pid = Number(await told("pid"));
      await stop(turn, recogniser);
      await ended;
      expect(() => process.kill(pid, 0)).toThrow("ESRCH");
      expect(existsSync(dirname(await told("file")))).toBe(false);
      rmSync(join(folder, "pid"));
      expect(clock.pending).toBe(0);
    }
  });

  it("is run so often at once, others wait, and the oldest of too many is refused", async () => {
    const recogniser = await found(HANGS, { localConcurrencyMax: 1, localQueueLengthMax: 1 });
    const turn = new AbortController();
    const first = recogniser.recognise(utteranceOf(packets), noHints, turn.signal);
    await told("pid");
    const refused = expect(
      recogniser.recognise(utteranceOf(packets), noHints, turn.signal),
    ).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringMatching(/^too many questions for the local recogniser: .*1 wait/),
    });
    await settle();
    const last = recogniser.recognise(utteranceOf(packets), noHints, turn.signal);
    await refused;
    const reason = new Error("stopped");
    const both = Promise.all([first, last].map((work) => expect(work).rejects.toBe(reason)));
    turn.abort(reason);
    await both;
  });

  it("is not asked about what is no audio, has no packet or has no end", async () => {
    const recogniser = await found('touch "$folder/asked"');
    await expect(
      recogniser.recognise(utteranceOf([new Uint8Array(0)]), noHints, never),
    ).rejects.toMatchObject({ kind: "not_audio" });
    expect(await recogniser.recognise(utteranceOf([]), noHints, never)).toMatchObject({
      reason: "too_short",
    });
    const silence = Array.from({ length: 2_001 }, () => Uint8Array.from([11 << 3]));
    await expect(recogniser.recognise(utteranceOf(silence), noHints, never)).rejects.toMatchObject({
      kind: "unavailable",
      message: "the question is longer than 120000 ms",
    });
    const held = new HeldUtterance();
    const gone = new Error("the relay is gone");
    const given = recogniser.recognise(held, noHints, never);
    held.giveUp(gone);
    await expect(given).rejects.toBe(gone);
    expect(existsSync(join(folder, "asked"))).toBe(false);
  });

  it("is not found where the program or the model is missing", async () => {
    const missing = { localCommand: join(folder, "nowhere") };
    expect(await LocalRecogniser.find(clock, optionsFor("true", missing), never)).toBeUndefined();
    const elsewhere = { localModelDir: join(folder, "en-us") };
    expect(await LocalRecogniser.find(clock, optionsFor("true", elsewhere), never)).toBeUndefined();
    writeFileSync(join(folder, "text"), "no program", { mode: 0o600 });
    const options = { ...DEBIAN, localCommand: join(folder, "text"), localModelDir: folder };
    expect(await LocalRecogniser.find(clock, options, never)).toBeUndefined();
    expect(clock.pending).toBe(0);
  });
});
