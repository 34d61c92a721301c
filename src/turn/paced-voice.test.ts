import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, it } from "vitest";
import { FakeOutlet } from "../../test/support/fake-outlet.js";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import { Line } from "./line.js";
import type { OutletFrame, SendResult } from "./outlet.js";
import { PacedVoice } from "./paced-voice.js";

const HEAD = { mid: 1, packetMs: 20 };
const packets = Array.from({ length: 12 }, (_, i) => Uint8Array.of(i));

class Relay extends FakeOutlet {
  paced = true;
  /** Called with each frame before it is taken. */
  onSend: (frame: OutletFrame) => void = () => {};

  override send(frame: OutletFrame): SendResult {
    this.onSend(frame);
    return super.send(frame);
  }
}

function bench() {
  const clock = new VirtualClock();
  const relay = new Relay();
  const line = new Line(relay, clock, () => {});
  line.send({ type: "message", mid: 1, shape: { sampleRateHz: 48_000, packetMs: 20 } });
  const stop = new AbortController();
  /** Packets that are there. */
  const source = { there: packets.length, take: (pid: number) => packets[pid] };
  const take = (pid: number) => (pid < source.there ? source.take(pid) : undefined);
  const voice = new PacedVoice(clock, line, HEAD, { take });
  const pids = () => relay.packets(1).map(({ pid }) => pid);
  return { clock, relay, line, stop, source, voice, pids };
}

describe("a paced voice", () => {
  it("gives its due group at once, and is over when there is no packet", async () => {
    const { clock, pids, stop, voice } = bench();
    const played = watch(voice.play(packets[0]!, stop.signal));
    await settle();
    expect(pids()).toHaveLength(7);
    await clock.advance(59);
    expect(pids()).toHaveLength(7);
    await clock.advance(1);
    expect(pids()).toHaveLength(10);
    await clock.advance(60);
    expect(played.now).toEqual({ type: "resolved", value: true });
    expect(pids()).toEqual(packets.map((_, i) => i));
    expect([voice.nextPid, voice.audioMs, clock.pending]).toEqual([12, 240, 0]);
  });

  it("goes on where it was when there are packets again", async () => {
    const { clock, pids, source, stop, voice } = bench();
    source.there = 8;
    const played = watch(voice.play(packets[0]!, stop.signal));
    await clock.advance(60);
    expect(played.now).toEqual({ type: "resolved", value: true });
    expect(clock.pending).toBe(0);
    source.there = packets.length;
    const rest = watch(voice.play(packets[8]!, stop.signal));
    await clock.advance(60);
    expect(rest.now.type).toBe("resolved");
    expect(pids()).toEqual(packets.map((_, i) => i));
  });

  it("gives everything at once where nothing is to be paced", async () => {
    const { clock, pids, relay, stop, voice } = bench();
    relay.paced = false;
    expect(await voice.play(packets[0]!, stop.signal)).toBe(true);
    expect([pids().length, clock.pending]).toEqual([12, 0]);
  });

  it("gives nothing after it was stopped, even by what a packet brings about", async () => {
    const { clock, pids, relay, stop, voice } = bench();
    relay.onSend = (frame) => {
      if (frame.type === "audio" && frame.pid === 8) stop.abort("enough");
    };
    const played = watch(voice.play(packets[0]!, stop.signal));
    await clock.advance(500);
    expect(pids().at(-1)).toBe(8);
    expect(played.now).toEqual({ type: "rejected", error: "enough" });
    expect(clock.pending).toBe(0);
  });

  it("does not begin when it is stopped already", async () => {
    const { pids, stop, voice } = bench();
    stop.abort("enough");
    await expect(voice.play(packets[0]!, stop.signal)).rejects.toBe("enough");
    expect(pids()).toEqual([]);
  });

  it("ends in the metronome with what its source throws, and leaves the other voices alone", async () => {
    const { clock, line, pids, source, stop, voice } = bench();
    source.take = (pid) => {
      if (pid === 9) throw new RangeError("broken");
      return packets[pid];
    };
    const other = new PacedVoice(clock, line, { ...HEAD, mid: 2 }, { take: (pid) => packets[pid] });
    const [broken, sound] = [voice, other].map((one) => watch(one.play(packets[0]!, stop.signal)));
    await clock.advance(500);
    expect(pids()).toHaveLength(9);
    expect(broken!.now).toMatchObject({ type: "rejected", error: { message: "broken" } });
    expect(sound!.now).toEqual({ type: "resolved", value: true });
    expect(other.nextPid).toBe(12);
  });

  it("does what a packet brings about as a part of its own turn, whoever has set the timer", async () => {
    const { clock, line } = bench();
    const turn = new AsyncLocalStorage<number>();
    const [seen, none] = [new Map<number, Set<number | undefined>>(), new AbortController().signal];
    for (const mid of [1, 2, 3]) {
      const turns = new Set<number | undefined>();
      seen.set(mid, turns);
      const note = () => void turns.add(turn.getStore());
      const take = (pid: number) => {
        note();
        return packets[pid];
      };
      turn.run(mid, () => {
        const voice = new PacedVoice(clock, line, { ...HEAD, mid }, { take, left: note });
        watch(voice.play(packets[0]!, none));
      });
    }
    await clock.advance(500);
    expect(seen).toEqual(new Map([1, 2, 3].map((mid) => [mid, new Set([mid])])));
  });

  it("knows how much of it was given up by a relay that takes no more", async () => {
    const { clock, relay, stop, voice } = bench();
    const played = watch(voice.play(packets[0]!, stop.signal));
    await settle();
    relay.slow();
    await clock.advance(60);
    relay.giveUp(1, 0);
    await clock.advance(60);
    expect(played.now).toEqual({ type: "resolved", value: false });
    expect(voice.nextPid).toBe(7);
  });
});
