import { describe, expect, it } from "vitest";
import type { OutletFrame } from "../turn/outlet.js";
import {
  OUTBOX_AGE_MS_MAX,
  OUTBOX_BYTES_MAX,
  OUTBOX_FULL_MS_MAX,
  SOCKET_UNWRITTEN_BYTES_MAX,
} from "./limits.js";
import { audio, brief, end, error, flushed, message, OutboxBench, text, words } from "./outbox.test-util.js";

/** Four of these and a few small frames fill an outbox; five are too many. */
const QUARTER = OUTBOX_BYTES_MAX / 4 - 10_000;

/** A bench in which packets `from` … `to` of answer `mid` wait, a quarter of the outbox each. */
function filled(bench: OutboxBench, mid: number, from: number, to: number): OutboxBench {
  if (from === 0) bench.send(message(mid));
  for (let pid = from; pid <= to; pid++) expect(bench.send(audio(mid, pid), QUARTER)).toBe("accepted");
  return bench;
}

function stalled(): OutboxBench {
  const bench = new OutboxBench();
  bench.stall();
  return bench;
}

describe("writing", () => {
  it("hands the frames of one turn of the event loop to the socket in one write, in order", async () => {
    const bench = new OutboxBench();
    for (const frame of [message(7), audio(7, 0), audio(7, 1)]) bench.send(frame);
    bench.reply("keep_alive");
    expect(bench.writes).toHaveLength(0);
    await flushed();
    expect(bench.writes).toHaveLength(1);
    expect(brief(bench.written)).toEqual(["message 7", "7.0", "7.1", "keep_alive"]);
    expect(bench.outbox.bytes).toBe(0);
  });

  it("leaves in the outbox what the socket has no room for, and goes on when the socket is empty", async () => {
    const bench = new OutboxBench();
    const size = SOCKET_UNWRITTEN_BYTES_MAX / 4;
    bench.send(message(7), size);
    for (let pid = 0; pid < 10; pid++) bench.send(audio(7, pid), size);
    await flushed();
    expect(bench.unwrittenBytes).toBe(SOCKET_UNWRITTEN_BYTES_MAX);
    expect(bench.outbox.bytes).toBe(7 * size);
    bench.send(audio(7, 10), size);
    await flushed();
    expect(bench.unwrittenBytes).toBe(SOCKET_UNWRITTEN_BYTES_MAX);
    bench.drain();
    expect(bench.unwrittenBytes).toBe(SOCKET_UNWRITTEN_BYTES_MAX);
    bench.drainAll();
    expect(brief(bench.written)).toEqual([
      "message 7",
      ...Array.from({ length: 11 }, (_, pid) => `7.${pid}`),
    ]);
  });

  it("leaves a socket with frames behind it full enough to say when it has room", async () => {
    const bench = new OutboxBench();
    bench.reply("chat", SOCKET_UNWRITTEN_BYTES_MAX - 1);
    bench.reply("chat", SOCKET_UNWRITTEN_BYTES_MAX);
    bench.reply("chat");
    await flushed();
    expect(bench.outbox.bytes).toBeGreaterThan(0);
    expect(bench.unwrittenBytes).toBeGreaterThanOrEqual(SOCKET_UNWRITTEN_BYTES_MAX);
  });

  it("takes nothing of a frame that cannot be encoded", async () => {
    const bench = new OutboxBench();
    const broken = () => {
      throw new RangeError("too large");
    };
    expect(() => bench.outbox.send(audio(7, 0), broken)).toThrow("too large");
    await flushed();
    expect(bench.outbox.bytes).toBe(0);
    expect(bench.writes).toHaveLength(0);
  });
});

describe("an outbox without room", () => {
  it("gives up the oldest answer whole; its end and its words come after", () => {
    const bench = filled(stalled(), 1, 0, 1);
    filled(bench, 2, 0, 1);
    expect(bench.send(audio(2, 2), QUARTER)).toBe("accepted");
    expect(bench.givenUp).toEqual([1]);
    expect(bench.send(audio(1, 2), QUARTER)).toBe("refused");
    expect(bench.send(end(1, 0))).toBe("accepted");
    expect(bench.send(words(1))).toBe("accepted");
    bench.drainAll();
    expect(brief(bench.written)).toEqual([
      "message 1",
      "message 2",
      "2.0",
      "2.1",
      "2.2",
      "end 1 0ms",
      "words 1",
    ]);
  });

  it("counts packets that left before as handed over", async () => {
    const bench = new OutboxBench();
    bench.send(message(1));
    bench.send(audio(1, 0));
    await flushed();
    bench.stall();
    filled(bench, 1, 1, 4);
    expect(bench.send(message(2), QUARTER)).toBe("accepted");
    expect(bench.givenUp).toEqual([1]);
    expect(bench.revoke(1)).toEqual({ frames: [], firstPid: 1 });
    expect(bench.send(end(1, 1))).toBe("accepted");
    bench.drainAll();
    expect(brief(bench.written)).toEqual(["message 1", "1.0", "message 2", "end 1 20ms"]);
  });

  it("tells the true duration in the end that waits behind an answer given up", () => {
    const bench = stalled();
    bench.send(message(1));
    bench.send(audio(1, 0));
    bench.drain();
    bench.stall();
    filled(bench, 1, 1, 3);
    bench.send(end(1, 4));
    bench.send(words(1));
    filled(bench, 2, 0, 2);
    expect(bench.givenUp).toEqual([1]);
    bench.drainAll();
    expect(brief(bench.written)).toEqual([
      "message 1",
      "1.0",
      "end 1 20ms",
      "words 1",
      "message 2",
      "2.0",
      "2.1",
      "2.2",
    ]);
    expect(bench.outbox.bytes).toBe(0);
  });

  it("tells it too when the speaker ends an answer without knowing that it was given up", () => {
    const bench = stalled();
    bench.send(message(1));
    bench.send(audio(1, 0));
    bench.drain();
    bench.stall();
    filled(bench, 1, 1, 3);
    filled(bench, 2, 0, 2);
    expect(bench.givenUp).toEqual([1]);
    bench.send(end(1, 4));
    bench.drainAll();
    expect(brief(bench.written)).toEqual([
      "message 1",
      "1.0",
      "message 2",
      "2.0",
      "2.1",
      "2.2",
      "end 1 20ms",
    ]);
  });

  it("takes an answer again that was given up, ended here and came back", () => {
    const bench = filled(stalled(), 1, 0, 3);
    filled(bench, 2, 0, 0);
    bench.send(end(1, 0));
    bench.drainAll();
    bench.send(message(1));
    expect(bench.send(audio(1, 0))).toBe("accepted");
  });

  it("gives up an answer that came back here, although its earlier end still waits", () => {
    const bench = stalled();
    bench.send({ type: "end_message", mid: 1, durationMs: 60, flag: "moved" });
    bench.send(message(1));
    filled(bench, 1, 3, 5);
    expect(bench.send(audio(1, 6), 2 * QUARTER)).toBe("refused");
    expect(bench.send(audio(1, 7))).toBe("refused");
    bench.send(end(1, 8));
    bench.drainAll();
    expect(brief(bench.written)).toEqual(["end 1 60ms moved", "message 1", "end 1 60ms"]);
  });

  it("never takes back the end of what a relay has had of an answer before it moved away", () => {
    const bench = stalled();
    for (const frame of [{ ...end(1, 3), flag: "moved" } as OutletFrame, message(1), audio(1, 3)])
      bench.send(frame);
    expect(brief(bench.revoke(1).frames)).toEqual(["message 1", "1.3"]);
    bench.drainAll();
    expect(brief(bench.written)).toEqual(["end 1 60ms moved"]);
  });

  it("knows what was handed over of an answer given up whose end it has taken back", () => {
    const bench = filled(stalled(), 1, 0, 2);
    bench.send(end(1, 3));
    filled(bench, 2, 0, 2);
    expect(bench.revoke(1)).toMatchObject({ firstPid: 0 });
  });

  it("takes no packet of an answer that was not begun here, or is not here any more", async () => {
    const bench = new OutboxBench();
    expect(bench.send(audio(1, 0))).toBe("refused");
    bench.send(message(1));
    bench.revoke(1);
    expect(bench.send(audio(1, 0))).toBe("refused");
    bench.send(message(1));
    bench.send(audio(1, 0));
    await flushed();
    bench.send({ ...end(1, 1), flag: "moved" } as OutletFrame);
    expect(bench.send(audio(1, 1))).toBe("refused");
  });

  it("goes on with an answer that came back when the end of its first part has left", () => {
    const bench = stalled();
    for (const frame of [{ ...end(1, 3), flag: "moved" } as OutletFrame, message(1), audio(1, 3)])
      bench.send(frame);
    bench.drainAll();
    expect(bench.send(audio(1, 4))).toBe("accepted");
  });

  it("gives up an answer whose next packet finds no room, so that none after it can leave a hole", () => {
    const bench = stalled();
    bench.send({ ...message(1), firstPid: 4 } as OutletFrame);
    while (bench.reply("padding", 64 * 1024) === "accepted");
    expect(bench.dropped).toEqual(["reply"]);
    expect(bench.send(audio(1, 4), QUARTER)).toBe("refused");
    expect(bench.givenUp).toEqual([1]);
    bench.drainAll();
    expect(bench.send(audio(1, 5))).toBe("refused");
    expect(bench.revoke(1)).toEqual({ frames: [], firstPid: 4 });
    expect(bench.send(audio(1, 6))).toBe("refused");
  });

  it("refuses replies and new answers, and counts them, but never the end of an answer", () => {
    const bench = stalled();
    while (bench.reply("padding", 64 * 1024) === "accepted");
    expect(bench.send(message(1), 64 * 1024)).toBe("refused");
    expect(bench.send(text(2), 64 * 1024)).toBe("refused");
    expect(bench.send(end(3, 9), 64 * 1024)).toBe("accepted");
    expect(bench.send(words(3), 64 * 1024)).toBe("accepted");
    expect(bench.dropped).toEqual(["reply", "message", "text_message"]);
  });

  it("holds no more than its bound and the ends of answers, whatever is sent", () => {
    const bench = stalled();
    for (let mid = 0; mid < 40; mid++) {
      bench.send(message(mid));
      for (let pid = 0; pid < 3; pid++) bench.send(audio(mid, pid), QUARTER / 2);
      bench.reply("chat", 10_000);
    }
    expect(bench.outbox.bytes).toBeLessThanOrEqual(OUTBOX_BYTES_MAX);
  });
});

describe("an outbox whose frames grow old", () => {
  it("gives up the answers that have waited too long, and only these", () => {
    const bench = new OutboxBench();
    bench.send(message(1));
    bench.send(message(2));
    bench.outbox.drained();
    bench.stall();
    bench.send(audio(1, 0));
    bench.nowMs = 3_000;
    bench.send(audio(2, 0));
    bench.nowMs = OUTBOX_AGE_MS_MAX + 1;
    expect(bench.outbox.care()).toBe("fine");
    expect(bench.givenUp).toEqual([1]);
    expect(bench.outbox.ageMs).toBe(OUTBOX_AGE_MS_MAX + 1 - 3_000);
    bench.drainAll();
    expect(brief(bench.written)).toEqual(["message 1", "message 2", "2.0"]);
  });

  it("makes room by itself when something new comes", () => {
    const bench = new OutboxBench();
    bench.send(message(1));
    bench.outbox.drained();
    bench.stall();
    bench.send(audio(1, 0));
    bench.nowMs = OUTBOX_AGE_MS_MAX + 1;
    expect(bench.send(message(2))).toBe("accepted");
    expect(bench.givenUp).toEqual([1]);
  });

  it("begins nothing new behind a frame that is too old, and lets outcomes pass", () => {
    const bench = stalled();
    bench.reply("chat");
    bench.send(message(1));
    bench.nowMs = OUTBOX_AGE_MS_MAX;
    expect(bench.send(audio(1, 0))).toBe("accepted");
    bench.nowMs += 1;
    expect(bench.reply("keep_alive")).toBe("refused");
    expect(bench.send(message(2))).toBe("refused");
    expect(bench.send(audio(1, 1))).toBe("refused");
    for (const frame of [end(1, 0), words(1), text(3), error]) expect(bench.send(frame)).toBe("accepted");
    expect(bench.send({ type: "chat_closed", reason: "closed" })).toBe("accepted");
    bench.drainAll();
    expect(brief(bench.written)).toEqual([
      "chat",
      "message 1",
      "end 1 0ms",
      "words 1",
      "text 3",
      "error",
      "chat_closed",
    ]);
    expect(bench.reply("keep_alive")).toBe("accepted");
  });

  it("is stuck when it has been full for ten seconds", () => {
    const bench = stalled();
    bench.reply("chat");
    bench.nowMs = OUTBOX_AGE_MS_MAX;
    expect(bench.outbox.care()).toBe("fine");
    bench.nowMs += 1;
    expect(bench.outbox.care()).toBe("fine");
    bench.nowMs += OUTBOX_FULL_MS_MAX - 1;
    expect(bench.outbox.care()).toBe("fine");
    bench.nowMs += 1;
    expect(bench.outbox.care()).toBe("stuck");
  });

  it("starts counting anew when it was not full in between", () => {
    const bench = stalled();
    bench.reply("chat");
    bench.nowMs = OUTBOX_AGE_MS_MAX + 1;
    bench.outbox.care();
    bench.drainAll();
    bench.nowMs += OUTBOX_FULL_MS_MAX;
    expect(bench.outbox.care()).toBe("fine");
  });
});

describe("taking back", () => {
  it("gives the frames of one reply in order, and leaves the others", async () => {
    const bench = new OutboxBench();
    bench.send(message(1));
    bench.send(audio(1, 0));
    await flushed();
    bench.stall();
    for (const frame of [audio(1, 1), text(2), audio(1, 2), end(1, 3), words(1), error]) bench.send(frame);
    const { frames, firstPid } = bench.revoke(1);
    expect(brief(frames)).toEqual(["1.1", "1.2", "end 1 60ms", "words 1"]);
    expect(firstPid).toBe(1);
    expect(bench.revoke(1)).toEqual({ frames: [], firstPid: undefined });
    bench.drainAll();
    expect(brief(bench.written)).toEqual(["message 1", "1.0", "text 2", "error"]);
    expect(bench.outbox.bytes).toBe(0);
  });

  it("still works once closed, until everything is discarded", () => {
    const bench = stalled();
    for (const frame of [message(1), audio(1, 0), message(2), audio(2, 0)]) bench.send(frame);
    bench.outbox.close();
    expect(bench.send(audio(1, 1))).toBe("closed");
    expect(bench.send(end(1, 1))).toBe("closed");
    expect(bench.reply("chat")).toBe("closed");
    expect(brief(bench.revoke(1).frames)).toEqual(["message 1", "1.0"]);
    bench.outbox.discard();
    expect(bench.revoke(2)).toEqual({ frames: [], firstPid: undefined });
    expect(bench.outbox.bytes).toBe(0);
  });
});

describe("closing", () => {
  it("writes nothing any more, not even what was scheduled", async () => {
    const bench = new OutboxBench();
    bench.reply("chat");
    bench.outbox.close();
    await flushed();
    bench.outbox.drained();
    expect(bench.writes).toHaveLength(0);
  });

  it("after a flush hands everything to the socket first, however much that holds", () => {
    const bench = stalled();
    filled(bench, 1, 0, 2);
    bench.outbox.closeAfterFlush();
    expect(brief(bench.written)).toEqual(["message 1", "1.0", "1.1", "1.2"]);
    expect(bench.send(audio(1, 3))).toBe("closed");
  });
});
