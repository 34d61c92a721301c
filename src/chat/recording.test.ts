import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { TurnFailure } from "../domain/failure.js";
import { ROOMY } from "./limits.test-util.js";
import {
  Recording,
  UTTERANCE_AHEAD_MS_MAX,
  UTTERANCE_BYTES_MAX,
  UTTERANCE_GAP_MS_MAX,
  UTTERANCE_HELD_MS_MAX,
  UTTERANCE_MS_MAX,
} from "./recording.js";
import { Voices } from "./voices.js";

/** One frame of 20 ms (SILK, wideband) or of 60 ms, mono. */
const TOC = { 20: 9 << 3, 60: 11 << 3 } as const;
const packet = (packetMs: 20 | 60, ...bytes: number[]) => Uint8Array.of(TOC[packetMs], ...bytes);

interface Bench {
  readonly clock: VirtualClock;
  readonly recording: Recording;
  readonly failures: TurnFailure[];
}

function begin(packetMs: 20 | 60 = 60): Bench {
  const clock = new VirtualClock();
  const failures: TurnFailure[] = [];
  const shape = { sampleRateHz: 16_000, packetMs };
  const recording = new Recording(shape, clock, (failure) => failures.push(failure), new Voices(ROOMY));
  return { clock, recording, failures };
}

async function read(recording: Recording): Promise<Uint8Array[]> {
  const packets: Uint8Array[] = [];
  for await (const one of recording.packets()) packets.push(one);
  return packets;
}

const codes = ({ failures }: Bench) => failures.map(({ code }) => code);

describe("a recording", () => {
  it("hands its packets on as they come, and from the first to whoever asks later", async () => {
    const { recording } = begin();
    recording.add(0, packet(60, 1));
    const early = recording.packets();
    expect((await early.next()).value).toEqual(packet(60, 1));
    const second = early.next();
    recording.add(1, packet(60, 2));
    expect((await second).value).toEqual(packet(60, 2));
    recording.end();
    expect((await early.next()).done).toBe(true);
    expect(await read(recording)).toEqual([packet(60, 1), packet(60, 2)]);
    expect(recording.audioMs).toBe(120);
  });

  it("keeps its own copy of a packet", async () => {
    const { recording } = begin();
    const chunk = packet(60, 1);
    recording.add(0, chunk);
    chunk.fill(0);
    recording.end();
    expect(await read(recording)).toEqual([packet(60, 1)]);
  });

  it("takes nothing in when it is over", async () => {
    const bench = begin();
    bench.recording.end();
    bench.recording.add(0, packet(60, 1));
    await bench.clock.advance(UTTERANCE_GAP_MS_MAX * 2);
    expect(await read(bench.recording)).toEqual([]);
    expect(codes(bench)).toEqual([]);
  });

  it("tells its readers why it was given up, after what came before", async () => {
    const { recording, failures } = begin();
    recording.add(0, packet(60, 1));
    const packets = recording.packets();
    await packets.next();
    const next = packets.next();
    recording.giveUp(new TurnFailure("cancelled", "stop"));
    await expect(next).rejects.toMatchObject({ code: "cancelled" });
    expect(failures).toEqual([]);
  });

  it.each([
    ["of another duration", packet(20, 1), /has 20 ms instead of 60 ms/],
    ["of two channels", Uint8Array.of(TOC[60] | 4, 1), /is not mono/],
    ["without a byte", Uint8Array.of(), /is not Opus/],
    ["of frames that do not divide", Uint8Array.of(TOC[60] | 1, 1, 2, 3), /is not Opus/],
  ])("ends at a packet %s", (_what, bytes, error) => {
    const bench = begin();
    bench.recording.add(0, bytes);
    expect(codes(bench)).toEqual(["unsupported_audio"]);
    expect(bench.failures[0]?.message).toMatch(error);
  });

  it("takes packets of one length that are made up of several frames", () => {
    const bench = begin();
    bench.recording.add(0, Uint8Array.of(TOC[20] | 3, 3, 1, 2, 3));
    expect(codes(bench)).toEqual([]);
    expect(bench.recording.audioMs).toBe(60);
  });

  it.each([
    ["that does not begin at 0", [1]],
    ["with a hole", [0, 2]],
    ["with a repetition", [0, 0]],
  ])("ends at a sequence %s, once", (_what, pids) => {
    const bench = begin();
    for (const pid of [...pids, 9]) bench.recording.add(pid, packet(60, 1));
    expect(codes(bench)).toEqual(["bad_parameter"]);
  });

  it("ends when nothing comes for a while, counted from the last packet", async () => {
    const bench = begin();
    await bench.clock.advance(UTTERANCE_GAP_MS_MAX - 1);
    bench.recording.add(0, packet(60, 1));
    await bench.clock.advance(UTTERANCE_GAP_MS_MAX - 1);
    expect(codes(bench)).toEqual([]);
    await bench.clock.advance(1);
    expect(codes(bench)).toEqual(["timeout"]);
  });

  it("takes exactly as much as a question may last", async () => {
    const bench = begin();
    const packetsMax = UTTERANCE_MS_MAX / 60;
    for (let pid = 0; pid < packetsMax; pid++) {
      await bench.clock.advance(60);
      bench.recording.add(pid, packet(60, 1));
    }
    expect(codes(bench)).toEqual([]);
    bench.recording.add(packetsMax, packet(60, 1));
    expect(codes(bench)).toEqual(["message_too_long"]);
  });

  it("ends when the button is held on and on, however little comes", async () => {
    const bench = begin();
    let pid = 0;
    for (let heldMs = 0; heldMs < UTTERANCE_HELD_MS_MAX; heldMs += 4_000) {
      bench.recording.add(pid++, packet(60, 1));
      await bench.clock.advance(4_000);
    }
    bench.recording.add(pid++, packet(60, 1));
    expect(codes(bench)).toEqual([]);
    await bench.clock.advance(1);
    bench.recording.add(pid, packet(60, 1));
    expect(codes(bench)).toEqual(["message_too_long"]);
  });

  it("ends at packets that are larger than speech needs", async () => {
    const bench = begin(20);
    const large = Uint8Array.of(TOC[20] | 3, 1, ...new Uint8Array(1_200));
    for (let pid = 0; pid <= UTTERANCE_BYTES_MAX / large.length; pid++) {
      await bench.clock.advance(20);
      bench.recording.add(pid, large);
    }
    expect(codes(bench)).toEqual(["message_too_long"]);
  });

  it("lets a relay run ahead so far, and no further", () => {
    const bench = begin();
    const aheadMax = UTTERANCE_AHEAD_MS_MAX / 60;
    for (let pid = 0; pid < aheadMax; pid++) bench.recording.add(pid, packet(60, 1));
    expect(codes(bench)).toEqual([]);
    bench.recording.add(aheadMax, packet(60, 1));
    expect(codes(bench)).toEqual(["rate_limited"]);
  });

  it("survives any bytes, and tells at most one failure", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(3), fc.uint8Array({ maxLength: 40 })), { maxLength: 30 }),
        (frames) => {
          const bench = begin();
          for (const [pid, bytes] of frames) bench.recording.add(pid, bytes);
          bench.recording.end();
          expect(bench.failures.length).toBeLessThanOrEqual(1);
          expect(bench.recording.audioMs).toBeLessThanOrEqual(4 * 60);
        },
      ),
    );
  });
});
