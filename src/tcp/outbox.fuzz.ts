/** Whatever is sent, drained, taken back and delayed: what reaches the socket never has a hole and says nothing twice. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OutletFrame } from "../turn/outlet.js";
import { OUTBOX_BYTES_MAX } from "./limits.js";
import { audio, end, flushed, message, OutboxBench, PACKET_MS, words } from "./outbox.test-util.js";

const FUZZ_SEED = process.env.FUZZ_SEED;
const SPEAKERS = 4;
const LARGE = OUTBOX_BYTES_MAX / 10;

/** One thing that happens; `speaker` and `size` choose among what is possible at that moment. */
type Step =
  | { readonly type: "speak"; readonly speaker: number; readonly large: boolean }
  | { readonly type: "end" | "revoke"; readonly speaker: number }
  | { readonly type: "drain"; readonly bytes: number }
  | { readonly type: "reply"; readonly large: boolean }
  | { readonly type: "wait"; readonly ms: number }
  | { readonly type: "flush" };

const speaker = fc.nat(SPEAKERS - 1);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({ type: fc.constant("speak" as const), speaker, large: fc.boolean() }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ type: fc.constantFrom("end" as const, "revoke" as const), speaker }),
    },
    { weight: 3, arbitrary: fc.record({ type: fc.constant("drain" as const), bytes: fc.nat(200_000) }) },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("reply" as const), large: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ type: fc.constant("wait" as const), ms: fc.nat(3_000) }) },
    { weight: 3, arbitrary: fc.constant({ type: "flush" as const }) },
  ),
  { maxLength: 120 },
);

/**
 * Speaks one answer after another, and deliberately ignores refusals: a packet that is refused is followed by the
 * next, as if the speaker had not noticed.
 */
class Speaker {
  /** Of the answer being spoken; the next one is `SPEAKERS` higher. */
  #mid: number;
  #nextPid = 0;
  #open = false;

  constructor(
    private readonly bench: OutboxBench,
    index: number,
  ) {
    this.#mid = index;
  }

  speak(size: number): void {
    const opening = { ...message(this.#mid), firstPid: this.#nextPid } as OutletFrame;
    if (!this.#open) this.#open = this.bench.send(opening) === "accepted";
    if (this.#open) this.bench.send(audio(this.#mid, this.#nextPid++), size);
  }

  end(): void {
    if (!this.#open) return;
    this.bench.send(end(this.#mid, this.#nextPid));
    this.bench.send(words(this.#mid));
    this.#next();
  }

  /** The answer goes elsewhere and comes back: what was taken back is said again, and nothing else. */
  revoke(): void {
    if (!this.#open) return;
    const { frames, firstPid } = this.bench.revoke(this.#mid);
    this.#nextPid = firstPid ?? this.#nextPid;
    this.#open = false;
    const opened = !frames.some(({ type }) => type === "message");
    if (opened) this.bench.send({ ...end(this.#mid, this.#nextPid), flag: "moved" } as OutletFrame);
  }

  #next(): void {
    this.#mid += SPEAKERS;
    this.#nextPid = 0;
    this.#open = false;
  }
}

async function run(script: readonly Step[]): Promise<OutboxBench> {
  const bench = new OutboxBench();
  const speakers = Array.from({ length: SPEAKERS }, (_, index) => new Speaker(bench, index));
  for (const step of script) {
    if (step.type === "speak") speakers[step.speaker]!.speak(step.large ? LARGE : 100);
    else if (step.type === "end") speakers[step.speaker]!.end();
    else if (step.type === "revoke") speakers[step.speaker]!.revoke();
    else if (step.type === "drain") bench.drain(step.bytes);
    else if (step.type === "reply") bench.reply("chat", step.large ? LARGE : 50);
    else if (step.type === "wait") bench.nowMs += step.ms;
    else await flushed();
    if (step.type === "wait") bench.outbox.care();
  }
  for (const one of speakers) one.end();
  bench.drainAll();
  await flushed();
  return bench;
}

/** Follows what reached the socket as a receiver would; returns what is wrong with it. */
function problems(frames: readonly (OutletFrame | string)[]): string[] {
  const nextPid = new Map<number, number>();
  const open = new Set<number>();
  const found: string[] = [];
  for (const frame of frames) {
    if (typeof frame === "string" || !("mid" in frame)) continue;
    const { mid } = frame;
    const expected = nextPid.get(mid) ?? 0;
    if (frame.type === "message") {
      if (open.has(mid)) found.push(`${mid} begins twice`);
      if (frame.firstPid !== expected) found.push(`${mid} begins at ${frame.firstPid}, ${expected} was due`);
      open.add(mid);
    } else if (frame.type === "audio") {
      if (!open.has(mid)) found.push(`packet ${mid}.${frame.pid} before the beginning or after the end`);
      if (frame.pid !== expected) found.push(`packet ${mid}.${frame.pid} where ${expected} was due`);
      nextPid.set(mid, frame.pid + 1);
    } else if (frame.type === "end_message") {
      if (!open.has(mid)) found.push(`the end of ${mid}, which is not open`);
      if (frame.durationMs !== PACKET_MS * expected)
        found.push(`the end of ${mid} tells ${frame.durationMs} ms after ${expected} packets`);
      open.delete(mid);
    }
  }
  for (const mid of open) found.push(`${mid} never ended`);
  return found;
}

describe("the outbox", () => {
  it("never leaves a hole, never sends a packet twice, and ends every answer that it began", async () => {
    const settings = {
      numRuns: Number(process.env.FUZZ_RUNS ?? 500),
      ...(FUZZ_SEED === undefined ? {} : { seed: Number(FUZZ_SEED) }),
    };
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const bench = await run(script);
        expect(problems(bench.written)).toEqual([]);
        expect(bench.outbox.bytes).toBe(0);
      }),
      settings,
    );
  });
});
