import { describe, expect, it } from "vitest";
import { assertWellFormed, FakeOutlet } from "../../test/support/fake-outlet.js";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import { Line, USER_ABSENCE_MS_MAX, UserGone } from "./line.js";
import type { OutletFrame } from "./outlet.js";

const never = new AbortController().signal;
const shape = { sampleRateHz: 16_000, packetMs: 60 };
const message: OutletFrame = { type: "message", mid: 1, shape, requestId: "r" };
const audio = (pid: number): OutletFrame => ({
  type: "audio",
  mid: 1,
  pid,
  packet: Uint8Array.of(pid),
  requestId: "r",
});
const end = (packets: number): OutletFrame => ({ type: "end_message", mid: 1, durationMs: packets * 60 });
const transcription: OutletFrame = { type: "transcription", mid: 1, text: "words" };

function bench() {
  const clock = new VirtualClock();
  const old = new FakeOutlet();
  const next = new FakeOutlet();
  const moves: [number, number][] = [];
  const line = new Line(old, clock, (mid, firstPid) => moves.push([mid, firstPid]));
  const say = (...frames: OutletFrame[]) => frames.map((frame) => line.send(frame));
  return { clock, old, next, line, say, moves };
}

describe("moving to another relay", () => {
  it("takes the packets along that the old relay was not given", () => {
    const { old, next, line, say, moves } = bench();
    say(message, audio(0), audio(1));
    old.slow();
    say(audio(2), audio(3));
    line.attach(next);
    say(audio(4), end(5), transcription);
    expect(old.brief).toEqual(["message 1", "audio 1.0", "audio 1.1"]);
    old.drain();
    expect(old.brief.slice(3)).toEqual(["end 1 120 moved"]);
    expect(next.story).toEqual(["message 1+2", "audio 1.2-4", "end 1 300", "transcription 1 words"]);
    expect(next.handed[0]).toMatchObject({ shape, requestId: "r" });
    expect(old.handed.at(-1)).toMatchObject({ requestId: "r" });
    expect(moves).toEqual([[1, 2]]);
  });

  it("begins with the next packet where all so far were handed over", () => {
    const { old, next, line, say } = bench();
    say(message, audio(0), audio(1));
    line.attach(next);
    say(audio(2));
    expect(old.brief.at(-1)).toBe("end 1 120 moved");
    expect(next.brief).toEqual(["message 1+2", "audio 1.2"]);
  });

  it("tells the old relay nothing of a reply that it has not begun", () => {
    const { old, next, line, say, moves } = bench();
    old.slow();
    say(message, audio(0));
    line.attach(next);
    old.drain();
    expect(old.brief).toEqual([]);
    expect(next.brief).toEqual(["message 1+0", "audio 1.0"]);
    expect(moves).toEqual([[1, 0]]);
  });

  it("takes the unsent tail of a reply along that has ended", () => {
    const { old, next, line, say } = bench();
    say(message, audio(0));
    old.slow();
    say(audio(1), end(2), transcription);
    line.attach(next);
    old.drain();
    expect(old.brief).toEqual(["message 1", "audio 1.0", "end 1 60 moved"]);
    expect(next.brief).toEqual(["message 1+1", "audio 1.1", "end 1 120", "transcription 1 words"]);
    expect(line.speaking).toBe(false);
  });

  it("leaves both relays with an end when only the end is unsent", () => {
    const { old, next, line, say } = bench();
    say(message, audio(0));
    old.slow();
    say(end(1), transcription);
    line.attach(next);
    old.drain();
    expect(old.brief.at(-1)).toBe("end 1 60 moved");
    expect(next.brief).toEqual(["message 1+1", "end 1 60", "transcription 1 words"]);
  });

  it("takes only the transcription along when only that is unsent", () => {
    const { old, next, line, say, moves } = bench();
    say(message, audio(0), end(1));
    old.slow();
    say(transcription);
    line.attach(next);
    old.drain();
    expect(old.brief.at(-1)).toBe("end 1 60");
    expect(next.brief).toEqual(["transcription 1 words"]);
    expect(moves).toEqual([]);
  });

  it("takes nothing along of a reply that has left as a whole, and nothing where there was none", () => {
    const { next, line, say, moves } = bench();
    say(message, audio(0), end(1), transcription);
    line.attach(next);
    expect(next.brief).toEqual([]);
    const idle = bench();
    idle.line.attach(idle.next);
    expect(idle.next.brief).toEqual([]);
    expect(moves).toEqual([]);
  });

  it("takes an unsent text along", () => {
    const { old, next, line, say } = bench();
    old.slow();
    say({ type: "text_message", mid: 7, text: "answer" });
    line.attach(next);
    old.drain();
    expect(old.brief).toEqual([]);
    expect(next.brief).toEqual(["text 7 answer"]);
  });

  it("does nothing when the user is seen on the same connection again", () => {
    const { old, line, say, moves } = bench();
    say(message, audio(0));
    const again = new FakeOutlet();
    Object.assign(again, { link: old.link });
    line.attach(again);
    say(audio(1));
    expect(old.brief).toEqual(["message 1", "audio 1.0"]);
    expect(again.brief).toEqual(["audio 1.1"]);
    expect(moves).toEqual([]);
  });

  it("works any number of times, and back again", () => {
    const { old, next, line, say, moves } = bench();
    const third = new FakeOutlet();
    say(message, audio(0));
    line.attach(next);
    say(audio(1));
    next.slow();
    say(audio(2));
    third.slow();
    line.attach(third);
    say(audio(3));
    line.attach(old);
    say(audio(4), end(5), transcription);
    next.drain();
    third.drain();
    expect(old.story).toEqual([
      "message 1",
      "audio 1.0-0",
      "end 1 60 moved",
      "message 1+2",
      "audio 1.2-4",
      "end 1 300",
      "transcription 1 words",
    ]);
    expect(next.story).toEqual(["message 1+1", "audio 1.1-1", "end 1 120 moved"]);
    expect(third.brief).toEqual([]);
    expect(moves).toEqual([
      [1, 1],
      [1, 2],
      [1, 2],
    ]);
  });
});

describe("a relay that cannot take the rest", () => {
  it("gets the words only, when it does not take the shape", () => {
    const { old, next, line, say, moves } = bench();
    next.takes = () => false;
    say(message, audio(0));
    old.slow();
    say(audio(1));
    line.attach(next);
    expect(say(audio(2))).toEqual(["refused"]);
    expect(line.giveUp(1)).toBe(1);
    expect(say(end(1), transcription)).toEqual(["accepted", "accepted"]);
    old.drain();
    expect(old.brief).toEqual(["message 1", "audio 1.0", "end 1 60 moved"]);
    expect(next.brief).toEqual(["transcription 1 words"]);
    expect(moves).toEqual([[1, 1]]);
    expect(line.speaking).toBe(false);
  });

  it("gets the words only of a reply that has ended", () => {
    const { old, next, line, say } = bench();
    next.takes = () => false;
    say(message, audio(0));
    old.slow();
    say(audio(1), end(2), transcription);
    line.attach(next);
    old.drain();
    expect(old.brief).toEqual(["message 1", "audio 1.0", "end 1 60 moved"]);
    expect(next.brief).toEqual(["transcription 1 words"]);
  });

  it("gets the words only, when it has no room for another message", () => {
    const { next, line, say } = bench();
    next.full = true;
    say(message, audio(0));
    line.attach(next);
    next.full = false;
    expect(say(audio(1))).toEqual(["refused"]);
    expect(line.giveUp(1)).toBe(1);
    say(end(1), transcription);
    expect(next.brief).toEqual(["transcription 1 words"]);
  });

  it("is spared the packets after those that were given up on the old one", () => {
    const { old, next, line, say } = bench();
    say(message, audio(0));
    old.slow();
    say(audio(1), audio(2));
    old.giveUp(1, 3);
    line.attach(next);
    expect(say(audio(3))).toEqual(["refused"]);
    expect(line.giveUp(1)).toBe(1);
    say(end(1), transcription);
    old.drain();
    expect(old.brief).toEqual(["message 1", "audio 1.0", "end 1 60 moved"]);
    expect(next.brief).toEqual(["transcription 1 words"]);
  });

  it("is not asked to take a message of a shape that it does not take", () => {
    const { old, say } = bench();
    old.takes = ({ packetMs }) => packetMs === 20;
    expect(say(message)).toEqual(["refused"]);
    expect(old.brief).toEqual([]);
  });
});

describe("giveUp", () => {
  it("takes the packets back but leaves the reply open", () => {
    const { old, line, say } = bench();
    old.slow();
    say(message, audio(0), audio(1));
    old.giveUp(1, 2);
    expect(say(audio(2))).toEqual(["refused"]);
    expect(line.giveUp(1)).toBe(0);
    say(end(0), transcription);
    old.drain();
    expect(old.brief).toEqual(["message 1", "end 1 0", "transcription 1 words"]);
  });

  it("knows only the reply that is on its way", () => {
    const { line, say } = bench();
    expect(line.giveUp(1)).toBe(0);
    say(message, audio(0));
    expect(line.giveUp(2)).toBe(0);
    expect(line.giveUp(1)).toBe(1);
  });
});

describe("breakOff", () => {
  it("ends the reply after the packets that were handed over", () => {
    const { old, line, say } = bench();
    say(message, audio(0), audio(1));
    old.slow();
    say(audio(2), audio(3));
    expect(line.speaking).toBe(true);
    expect(line.breakOff(1, "interrupted")).toBe(2);
    expect(line.speaking).toBe(false);
    old.drain();
    expect(old.story).toEqual(["message 1", "audio 1.0-1", "end 1 120 interrupted"]);
    expect(old.handed.at(-1)).toMatchObject({ requestId: "r" });
  });

  it("leaves no trace of a reply of which nothing was handed over", () => {
    const { old, line, say } = bench();
    old.slow();
    say(message, audio(0));
    expect(line.breakOff(1, "interrupted")).toBeUndefined();
    expect(line.speaking).toBe(false);
    old.drain();
    expect(old.brief).toEqual([]);
    expect(line.breakOff(1)).toBeUndefined();
  });

  it("ends a message that is open without a packet", () => {
    const { old, line, say } = bench();
    say(message);
    old.slow();
    say(audio(0));
    expect(line.breakOff(1, "interrupted")).toBe(0);
    old.drain();
    expect(old.brief).toEqual(["message 1", "end 1 0 interrupted"]);
  });

  it("ends a reply properly that has just moved", () => {
    const { old, next, line, say } = bench();
    say(message, audio(0), audio(1));
    next.slow();
    line.attach(next);
    say(audio(2));
    expect(line.breakOff(1, "interrupted")).toBe(2);
    next.drain();
    expect(old.brief.at(-1)).toBe("end 1 120 moved");
    expect(next.brief).toEqual(["message 1+2", "end 1 120 interrupted"]);
  });

  it("counts the packets that moved and were handed over since", () => {
    const { old, next, line, say } = bench();
    say(message, audio(0));
    old.slow();
    say(audio(1), audio(2));
    line.attach(next);
    expect(line.breakOff(1, "interrupted")).toBe(3);
    expect(next.brief.at(-1)).toBe("end 1 180 interrupted");
  });

  it("tells a relay nothing that was told nothing", () => {
    const { next, line, say } = bench();
    next.takes = () => false;
    say(message, audio(0));
    line.attach(next);
    expect(line.breakOff(1, "interrupted")).toBe(1);
    expect(next.brief).toEqual([]);
    const early = bench();
    early.next.takes = () => false;
    early.old.slow();
    early.say(message, audio(0));
    early.line.attach(early.next);
    expect(early.line.breakOff(1, "interrupted")).toBeUndefined();
  });

  it("ends no reply twice", () => {
    const { old, line, say } = bench();
    say(message, audio(0), end(1));
    expect(line.breakOff(1, "interrupted")).toBe(1);
    expect(old.brief).toEqual(["message 1", "audio 1.0", "end 1 60"]);
    const tail = bench();
    tail.say(message, audio(0));
    tail.old.slow();
    tail.say(audio(1), end(2));
    expect(tail.line.breakOff(1, "interrupted")).toBe(1);
    tail.old.drain();
    expect(tail.old.brief).toEqual(["message 1", "audio 1.0", "end 1 60 interrupted"]);
  });

  it("leaves nothing for a relay on which the user turns up later", () => {
    const { old, next, line, say } = bench();
    say(message, audio(0));
    old.slow();
    say(audio(1));
    old.close();
    expect(line.breakOff(1)).toBe(1);
    line.attach(next);
    expect(next.brief).toEqual([]);
  });
});

describe("a connection that is gone", () => {
  it("makes the reply wait for its user; nothing is lost and nothing comes twice", async () => {
    const { clock, old, next, line, say } = bench();
    say(message, audio(0));
    old.slow();
    say(audio(1));
    old.close();
    const delivered = watch(line.deliver(audio(2), never));
    await clock.advance(USER_ABSENCE_MS_MAX - 1);
    expect(delivered.now.type).toBe("pending");
    line.attach(next);
    await settle();
    expect(delivered.now).toEqual({ type: "resolved", value: "accepted" });
    expect(old.brief).toEqual(["message 1", "audio 1.0"]);
    expect(next.brief).toEqual(["message 1+1", "audio 1.1", "audio 1.2"]);
    assertWellFormed(next.handed, { complete: false });
    expect(clock.pending).toBe(0);
  });

  it("is given up after 10 s", async () => {
    const { clock, old, line } = bench();
    old.close();
    const delivered = watch(line.deliver(message, never));
    await clock.advance(USER_ABSENCE_MS_MAX);
    expect(delivered.now).toMatchObject({ type: "rejected", error: expect.any(UserGone) });
    expect(clock.pending).toBe(0);
  });

  it("counts the 10 s from the first try, through connections that fail too", async () => {
    const { clock, old, next, line } = bench();
    old.close();
    next.close();
    const delivered = watch(line.deliver(message, never));
    await clock.advance(6_000);
    line.attach(next);
    await clock.advance(3_999);
    expect(delivered.now.type).toBe("pending");
    await clock.advance(1);
    expect(delivered.now).toMatchObject({ type: "rejected", error: expect.any(UserGone) });
  });

  it("stops waiting when told to; the frame is not sent afterwards, not even to a user who comes then", async () => {
    const { clock, old, next, line } = bench();
    old.close();
    const stop = new AbortController();
    const delivered = watch(line.deliver(message, stop.signal));
    await clock.advance(1);
    line.attach(next);
    stop.abort("cancelled");
    await settle();
    expect(delivered.now).toEqual({ type: "rejected", error: "cancelled" });
    expect(next.brief).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it("tells who only sends that it is closed", () => {
    const { old, say } = bench();
    old.close();
    expect(say(transcription)).toEqual(["closed"]);
  });
});
