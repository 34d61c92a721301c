/** The voice of sentences that are read a second time: made meanwhile, not heard before, and never later than it must. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { passage } from "../../test/support/fake-retrieval.js";
import { atOnce, type Body, opusSample } from "../../test/support/fake-speech.js";
import { english } from "../../test/support/locales.js";
import { NO, type Says, secondReader, YES } from "../../test/support/second-reader.js";
import { settle } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import { phrasesFor } from "../answer/phrases.js";
import type { DraftEvent } from "../capability/draft.js";
import { sleep } from "../lib/clock.js";
import { seededRandom } from "../lib/random.js";
import { Gate } from "./gate.js";
import { VoiceBench } from "./voice-bench.test-util.js";

const RULES = passage(
  "cold",
  "The cold room door may stay open for at most 10 minutes. The alarm sounds at 8 degrees Celsius. Only the shift lead resets the alarm.",
  { title: "Cold room rules", headings: ["Doors"] },
);
const PRESS = passage(
  "press",
  "1. Switch the press off at the main switch.\n2. Hang the red padlock on the main switch.\n3. Try to start the press.\n",
  { title: "Press lockout", headings: ["Lock out the press"] },
);
const DOOR = "The cold room door may stay open for 10 minutes at most.";
const LEAD = "Only the shift lead may reset the alarm.";
const STEPS = [
  "Switch the press off at the main switch.",
  "Hang the red padlock on the main switch.",
  "Try to start the press.",
];

let bench: VoiceBench;
beforeEach(() => {
  bench = new VoiceBench();
});
afterEach(() => bench.tts.verify());

/** Two packets, of which the first comes after so many milliseconds. */
const voiceAfter = (ms: number): Body =>
  async function* (signal) {
    await sleep(bench.clock, ms, signal);
    yield opusSample(2).ogg;
  };

/** Begins to speak an answer of these sentences, that was written at once; returns when a voice is being made. */
async function speak(says: Says, ...sentences: readonly string[]) {
  const { clock, delivery, stop } = bench;
  const { reader } = secondReader(clock, says, { signal: stop.signal });
  const gate = new Gate(
    {
      question: "What are the rules for the cold room door and the alarm?",
      persona: "default",
      phrases: phrasesFor("default", english),
      route: { route: "knowledge", layer: "default", confidence: 1 },
      secondReader: reader,
    },
    () => clock.monotonic(),
  );
  const drafts = async function* (): AsyncGenerator<DraftEvent> {
    yield { type: "passages", passages: [RULES, PRESS] };
    yield { type: "text", text: sentences.join(" ") };
    yield { type: "end", searched: "found", degraded: false };
  };
  const delivered = watch(delivery.run(gate.run(drafts())));
  while (bench.tts.calls === 0) await settle();
  return delivered;
}

/** What was heard of it, when all of it was. */
async function heard(delivered: Awaited<ReturnType<typeof speak>>): Promise<string> {
  while (delivered.now.type === "pending") await bench.clock.advance(100);
  if (delivered.now.type === "rejected") throw delivered.now.error;
  return delivered.now.value.heard;
}

/** When the first packet left, in milliseconds since the beginning; -1: none did. */
function firstPacketMs(): number {
  const { handed, handedAtMs } = bench.relay;
  return handedAtMs[handed.findIndex(({ type }) => type === "audio")] ?? -1;
}

describe("the first packet", () => {
  it.each([
    [400, 150],
    [400, 400],
    [400, 900],
    [0, 300],
    [300, 0],
  ])(
    "comes with the voice after %i ms or the word after %i ms, whichever is later",
    async (voiceMs, verifierMs) => {
      bench.tts.expect(DOOR, voiceAfter(voiceMs));
      const delivered = await speak(() => ({ text: YES, ms: verifierMs }), DOOR);
      expect(await heard(delivered)).toBe(DOOR);
      expect(firstPacketMs()).toBe(Math.max(voiceMs, verifierMs));
    },
  );

  it("of steps comes no later either", async () => {
    bench.tts.otherwise = () => voiceAfter(400);
    const delivered = await speak(() => ({ text: YES, ms: 350 }), ...STEPS);
    expect(await heard(delivered)).toBe(STEPS.join(" "));
    expect(firstPacketMs()).toBe(400);
  });

  it("costs nothing over 30 answers wherever the word is there before the voice", async () => {
    const random = seededRandom(14);
    for (let i = 0; i < 30; i++) {
      bench = new VoiceBench();
      const voiceMs = 200 + Math.floor(random.fraction() * 400);
      const verifierMs = Math.floor(random.fraction() * voiceMs);
      bench.tts.expect(DOOR, voiceAfter(voiceMs));
      const delivered = await speak(() => ({ text: YES, ms: verifierMs }), DOOR);
      await heard(delivered);
      expect(firstPacketMs()).toBe(voiceMs);
    }
  });
});

describe("a sentence that is read a second time", () => {
  it("is not heard before the word, and not at all after a no", async () => {
    bench.tts.otherwise = () => atOnce(opusSample(2).ogg);
    const says: Says = ({ sentence }) => ({ text: sentence === DOOR ? NO : YES, ms: 500 });
    const delivered = await speak(says, DOOR, LEAD);
    await bench.clock.advance(499);
    while (bench.tts.calls < 2) await settle();
    expect(bench.tts.requests.map(({ text }) => text)).toEqual([DOOR, LEAD]);
    expect(bench.relay.handed).toEqual([]);
    const words = await heard(delivered);
    expect(words).toContain(LEAD);
    expect(words).not.toContain("10 minutes");
    expect(bench.events.of("early_clause_ended").map(({ result }) => result)).toEqual(["wasted", "saved"]);
  });

  it("is made ready behind the one that is playing", async () => {
    bench.tts.expect(DOOR, voiceAfter(100)).expect(LEAD, voiceAfter(100));
    const says: Says = ({ sentence }) => ({ text: YES, ms: sentence === DOOR ? 100 : 200 });
    const delivered = await speak(says, DOOR, LEAD);
    expect(await heard(delivered)).toBe(`${DOOR} ${LEAD}`);
    // Four packets without a hole: the second sentence was there before the first was over.
    expect(bench.events.of("speech_underrun")).toEqual([]);
    expect(bench.events.of("early_clause_ended").map(({ result }) => result)).toEqual(["saved", "saved"]);
  });
});
