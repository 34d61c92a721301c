/** Whatever one relay sends, whole or damaged, in whatever pieces: the service stands, and others are served. */
import { encodeAudio, encodeRelayCommand, type RelayCommand } from "@readback/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { audioEnvelope, relayCommand } from "../../protocol/src/arbitraries.test-util.js";
import type { ScriptedRelay } from "../../test/support/scripted-relay.js";
import { settle } from "../../test/support/virtual-clock.js";
import type { RunTurn } from "../chat/chat.js";
import { NOTHING_OPEN } from "../domain/dialogue.js";
import { RelayBench } from "./relay-bench.test-util.js";

const FUZZ_SEED = process.env.FUZZ_SEED;
const SHAPE = { sampleRateHz: 48_000, packetMs: 20 };

/** Mostly the same few users, so that their commands meet. */
const people = fc.constantFrom({ network: "plant", username: "ann" }, { network: "plant", username: "ben" });
const command = fc
  .tuple(relayCommand, fc.option(people, { nil: undefined }))
  .map(
    ([drawn, user]): RelayCommand => (user === undefined ? drawn : ({ ...drawn, ...user } as RelayCommand)),
  );
const frame = fc.oneof(
  { weight: 6, arbitrary: command.map(encodeRelayCommand) },
  { weight: 1, arbitrary: audioEnvelope.map(encodeAudio) },
);

interface Damage {
  /** Where in the stream, as a share of it. */
  readonly at: number;
  readonly byte: number;
}

const damage: fc.Arbitrary<Damage[]> = fc.array(
  fc.record({ at: fc.double({ min: 0, max: 0.999, noNaN: true }), byte: fc.nat(255) }),
  { maxLength: 3 },
);

/** Answers at once, as text or voice; every answer has a number of its own. */
function answering(): RunTurn {
  let mid = 0;
  return async (asked, _history, line) => {
    const { responseType, requestId } = asked;
    const text = "text" in asked ? asked.text : "";
    mid += 1;
    const request = requestId === undefined ? {} : { requestId };
    if (responseType === "text") {
      line.send({ type: "text_message", mid, text, ...request });
      return NOTHING_OPEN;
    }
    line.send({ type: "message", mid, shape: SHAPE, ...request });
    for (let pid = 0; pid < 3; pid++)
      line.send({ type: "audio", mid, pid, packet: Uint8Array.of(pid), ...request });
    line.send({ type: "end_message", mid, durationMs: 60, ...request });
    line.send({ type: "transcription", mid, text, ...request });
    return NOTHING_OPEN;
  };
}

async function isServed(relay: ScriptedRelay): Promise<void> {
  const nth = relay.commands("text_message").length;
  relay.send({ command: "ai_message", network: "shop", username: "eve", text: "Anybody there?" });
  await relay.command("text_message", nth);
}

async function sendInPieces(relay: ScriptedRelay, bytes: Uint8Array, pieces: number): Promise<void> {
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  for (let at = 0; at < bytes.length; at += size) {
    relay.sendBytes(bytes.subarray(at, at + size));
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("a relay connection", () => {
  it("takes any stream of frames, and fails alone when they are damaged", async () => {
    const settings = {
      numRuns: Number(process.env.FUZZ_RUNS ?? 150),
      ...(FUZZ_SEED === undefined ? {} : { seed: Number(FUZZ_SEED) }),
    };
    const bench = await RelayBench.start(answering());
    bench.overview.questions = async () => ["How far?"];
    bench.overview.summary = async () => "In short: far.";
    const sound = await bench.connect();
    const property = fc.asyncProperty(
      fc.array(frame, { maxLength: 12 }),
      damage,
      fc.integer({ min: 1, max: 6 }),
      async (frames, damages, pieces) => {
        const relay = await bench.connect();
        const bytes = Buffer.concat(frames);
        for (const { at, byte } of damages) bytes[Math.floor(at * bytes.length)] = byte;
        await sendInPieces(relay, bytes, pieces);
        await isServed(sound);
        if (damages.length === 0) {
          relay.send({ command: "keep_alive" });
          await relay.command("keep_alive");
        }
        await settle();
        await relay.close();
        expect(bench.eventsOf("service_fault")).toEqual([]);
      },
    );
    try {
      await fc.assert(property, settings);
      expect(sound.ended).toBe(false);
    } finally {
      await bench.stop();
    }
  });
});
