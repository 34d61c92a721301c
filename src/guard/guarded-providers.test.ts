import { beforeEach, describe, expect, it } from "vitest";
import { atOnce, opusSample, ScriptedSpeech } from "../../test/support/fake-speech.js";
import { settle } from "../../test/support/virtual-clock.js";
import type { Destination, ForeignText } from "../domain/foreign-text.js";
import { EmbeddingUnavailable } from "../retrieval/embedding/port.js";
import { RerankerUnavailable } from "../retrieval/rerank/port.js";
import { SpeechFailure } from "../speech/port.js";
import type { SpeechHints } from "../speech/speech-to-text.js";
import { guardedEmbedder, guardedRecogniser, guardedReranker, guardedSpeech } from "./guarded-providers.js";
import { type Guard, GuardUnavailable } from "./port.js";
import { underGuard } from "./scope.js";

const { signal } = new AbortController();

/** Refuses what says "attack"; cannot be asked about what says "down"; never answers about what says "hang". */
class FakeGuard implements Guard {
  readonly scanned: string[] = [];

  async scan({ text, what }: ForeignText, to: Destination): Promise<string | undefined> {
    this.scanned.push(`${what} to ${to}: ${text}`);
    if (text.includes("hang")) return new Promise(() => {});
    if (text.includes("down")) throw new GuardUnavailable("down");
    return text.includes("attack") ? "X" : undefined;
  }

  waits = true;
  state = async () => "ready" as const;
}

let guard: FakeGuard;
beforeEach(() => {
  guard = new FakeGuard();
});

describe("an embedder", () => {
  const embedded: string[] = [];
  const inner = {
    name: "m/2",
    dimensions: 2,
    embed: async (texts: readonly string[]) => {
      embedded.push(...texts);
      return texts.map(() => new Float32Array(2));
    },
  };

  it("gets queries in turns and documents otherwise, but for what is refused or not scanned", async () => {
    const embedder = guardedEmbedder(inner, guard);
    expect(embedder).toMatchObject({ name: "m/2", dimensions: 2 });
    await embedder.embed(["a chunk"], signal);
    await underGuard(false, () => embedder.embed(["a query"], signal));
    await expect(embedder.embed(["fine", "an attack"], signal)).rejects.toThrow(EmbeddingUnavailable);
    await expect(embedder.embed(["down"], signal)).rejects.toThrow(EmbeddingUnavailable);
    expect(embedded).toEqual(["a chunk", "a query"]);
    expect(guard.scanned.slice(0, 2)).toEqual([
      "passage to embedder: a chunk",
      "question to embedder: a query",
    ]);
  });
});

describe("a reranker", () => {
  it("gets query and passages, but for what is refused or not scanned", async () => {
    const asked: string[] = [];
    const score = async (query: string, texts: readonly string[]) => {
      asked.push(query, ...texts);
      return texts.map(() => 1);
    };
    const reranker = guardedReranker({ name: "r", score }, guard);
    expect(await reranker.score("q", ["a", "b"], signal)).toEqual([1, 1]);
    await expect(reranker.score("an attack", ["a"], signal)).rejects.toThrow(RerankerUnavailable);
    await expect(reranker.score("q", ["a", "down"], signal)).rejects.toThrow(RerankerUnavailable);
    expect(asked).toEqual(["q", "a", "b"]);
    expect(guard.scanned).toContain("passage to reranker: b");
  });
});

describe("a recogniser", () => {
  const told: SpeechHints[] = [];
  const utterance = { shape: { sampleRateHz: 16_000, packetMs: 60 }, packets: async function* () {} };
  const inner = {
    name: "w",
    warm: async () => {},
    close: async () => {},
    recognise: async (_: unknown, hints: SpeechHints) => {
      told.push(hints);
      return { type: "nothing", reason: "silent" } as const;
    },
  };
  const hear = async (words: readonly string[]) => {
    const recogniser = guardedRecogniser(inner, guard);
    told.length = 0;
    for (let time = 0; time < 2; time++) {
      await recogniser.recognise(utterance as never, { words, language: "en" }, signal);
      await settle();
    }
    return told.map((hints) => hints.words.join(" "));
  };

  it("is told its hints once they are known to be harmless, and waits for none", async () => {
    expect(await hear(["Kronberg", "padlock"])).toEqual(["", "Kronberg padlock"]);
    expect(told[0]).toEqual({ words: [], language: "en" });
    expect(await hear(["attack"])).toEqual(["", ""]);
    expect(await hear(["down"])).toEqual(["", ""]);
    expect(await hear(["hang"])).toEqual(["", ""]);
    guard.waits = false;
    expect(await hear(["Kronberg"])).toEqual(["Kronberg", "Kronberg"]);
    expect(guard.scanned[0]).toBe("passage to recogniser: padlock, Kronberg.");
  });
});

describe("a voice", () => {
  const OWN = "Nothing was done.\nOne moment.";

  it("says what is scanned, and the service's own words without", async () => {
    const tts = new ScriptedSpeech();
    const voice = guardedSpeech(tts, guard, OWN);
    tts.expect("The lock is red.", atOnce(opusSample(1).ogg));
    tts.expect("Nothing was done.", atOnce(opusSample(1).ogg));
    for (const text of ["The lock is red.", "Nothing was done."])
      for await (const _ of voice.synthesize({ text }, signal));
    expect(guard.scanned).toEqual(["answer to voice: The lock is red."]);
    for (const text of ["an attack", "down"]) {
      const spoken = voice.synthesize({ text }, signal)[Symbol.asyncIterator]().next();
      await expect(spoken).rejects.toThrow(SpeechFailure);
    }
    tts.verify();
  });
});
