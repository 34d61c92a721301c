import { afterEach, describe, expect, it } from "vitest";
import type { EchoCalls } from "../../test/support/echo.worker.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { workFor } from "./origin.js";
import { CLOSE_GRACE_MS, STREAM_BYTES_MAX, WorkerClient, type WorkerOptions, workerUrl } from "./worker.js";

const signal = new AbortController().signal;
const clock = new VirtualClock();
const clients: WorkerClient<EchoCalls>[] = [];

function client(options: Partial<WorkerOptions> = {}): WorkerClient<EchoCalls> {
  const made = new WorkerClient<EchoCalls>({
    url: workerUrl(import.meta.url, "../../test/support/echo.worker.js"),
    name: "echo",
    data: undefined,
    queueLengthMax: 3,
    abortGraceMs: 1000,
    clock,
    ...options,
  });
  clients.push(made);
  return made;
}

/** As for native code. */
const NOT_TO_BE_ENDED = { abortGraceMs: undefined };

function release(gate: Int32Array): void {
  Atomics.store(gate, 0, 1);
  Atomics.notify(gate, 0);
}

afterEach(async () => {
  await Promise.all(clients.splice(0).map((made) => made.close()));
});

describe("call", () => {
  it("answers in order", async () => {
    const echo = client();
    const answers: string[] = [];
    await Promise.all(
      ["a", "b", "c"].map((text) => echo.call("echo", text, signal).then((answer) => answers.push(answer))),
    );
    expect(answers).toEqual(["a", "b", "c"]);
  });

  it("passes a handler's error on, and its result that cannot be sent", async () => {
    const echo = client();
    await expect(echo.call("fail", "no such thing", signal)).rejects.toMatchObject({
      kind: "failed",
      message: "no such thing",
      cause: { name: "RangeError" },
    });
    await expect(echo.call("echo", "still here", signal)).resolves.toBe("still here");
  });

  it("refuses an input that cannot be sent", async () => {
    const echo = client();
    const input = (() => {}) as unknown as string;
    await expect(echo.call("echo", input, signal)).rejects.toMatchObject({ kind: "failed" });
    await expect(echo.call("echo", "still here", signal)).resolves.toBe("still here");
  });

  it("gives up the oldest of whoever has most waiting, where the queue is full", async () => {
    const echo = client();
    const abort = new AbortController();
    const call = (peer: string, name: "waitForAbort" | "echo", until: AbortSignal): Promise<unknown> =>
      workFor([peer, "1", "user"], () =>
        name === "echo" ? echo.call("echo", peer, until) : echo.call("waitForAbort", undefined, until),
      );
    const held = Array.from({ length: 4 }, () => call("loud", "waitForAbort", abort.signal));
    const quiet = call("quiet", "echo", signal);
    await expect(held[1]).rejects.toMatchObject({ kind: "busy" });
    abort.abort(new Error("enough"));
    for (const outcome of await Promise.allSettled([held[0], held[2], held[3]])) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { message: "enough" } });
    }
    await expect(quiet).resolves.toBe("quiet");
    await expect(echo.call("echo", "free again", signal)).resolves.toBe("free again");
  });

  it("lets origins take turns", async () => {
    const echo = client({ queueLengthMax: 100 });
    const answers: string[] = [];
    const ask = (peer: string) =>
      workFor([peer, "1", "user"], () => echo.call("echo", peer, signal)).then((peer) => answers.push(peer));
    await Promise.all([...Array.from({ length: 20 }, () => ask("loud")), ask("quiet")]);
    expect(answers.indexOf("quiet")).toBeLessThan(3);
  });

  it("rejects at once under an aborted signal", async () => {
    const reason = new Error("too late");
    await expect(client().call("echo", "x", AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe("a thread that misbehaves", () => {
  it("is replaced after a crash, which takes only the running call", async () => {
    const echo = client();
    const crashed = echo.call("crash", "out of luck", signal);
    const waiting = echo.call("echo", "next", signal);
    await expect(crashed).rejects.toMatchObject({
      kind: "crashed",
      message: expect.stringContaining("out of luck"),
    });
    await expect(waiting).resolves.toBe("next");
  });

  it("is ended when it ignores an abort for too long", async () => {
    const echo = client();
    const abort = new AbortController();
    const stuck = echo.call("spin", undefined, abort.signal);
    const waiting = echo.call("echo", "next", signal);
    abort.abort(new Error("enough"));
    await expect(stuck).rejects.toThrow("enough");
    await clock.advance(1000);
    await expect(waiting).resolves.toBe("next");
  });

  it("is left alone where it may not be ended, and goes on when the call comes back", async () => {
    const echo = client(NOT_TO_BE_ENDED);
    await echo.call("pieces", { count: 1, size: 1 }, signal);
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const abort = new AbortController();
    const held = echo.call("hold", gate, abort.signal);
    abort.abort(new Error("enough"));
    await expect(held).rejects.toThrow("enough");
    const next = echo.call("piecesSent", undefined, signal);
    await clock.advance(60_000);
    release(gate);
    // Only the same thread remembers.
    await expect(next).resolves.toBe(1);
  });

  it("fails each call when its module cannot be loaded", async () => {
    const echo = client({ url: new URL("file:///nowhere/x.js") });
    await expect(echo.call("echo", "x", signal)).rejects.toMatchObject({ kind: "crashed" });
    await expect(echo.call("echo", "x", signal)).rejects.toMatchObject({ kind: "crashed" });
  });

  it("crashes on a result that cannot be sent", async () => {
    await expect(client().call("uncloneable", undefined, signal)).rejects.toMatchObject({ kind: "crashed" });
  });
});

describe("stream", () => {
  it("yields the bytes in order", async () => {
    const firstBytes: (number | undefined)[] = [];
    for await (const bytes of client().stream("pieces", { count: 5, size: 10 }, signal)) {
      expect(bytes).toHaveLength(10);
      firstBytes.push(bytes[0]);
    }
    expect(firstBytes).toEqual([0, 1, 2, 3, 4]);
  });

  it("holds the thread back while nobody reads", async () => {
    const echo = client();
    const stream = echo.stream("pieces", { count: 100, size: STREAM_BYTES_MAX / 4 }, signal);
    await stream.next();
    await stream.return();
    const sent = await echo.call("piecesSent", undefined, signal);
    expect(sent).toBeLessThan(10);
  });

  it("throws the handler's error", async () => {
    const read = async () => {
      for await (const bytes of client().stream("fail", "broken", signal)) expect(bytes).toBeUndefined();
    };
    await expect(read()).rejects.toMatchObject({ kind: "failed", message: "broken" });
  });

  it("throws the signal's reason", async () => {
    const abort = new AbortController();
    const stream = client().stream("waitForAbort", undefined, abort.signal);
    const next = stream.next();
    abort.abort(new Error("enough"));
    await expect(next).rejects.toThrow("enough");
  });
});

describe("close", () => {
  it("rejects what runs, what waits and what comes later", async () => {
    const echo = client();
    const calls = [
      echo.call("waitForAbort", undefined, signal),
      echo.call("echo", "x", signal),
      echo.close().then(() => echo.call("echo", "x", signal)),
    ];
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { kind: "closed" } });
    }
  });

  it("does not wait for ever for a thread that may not be ended", async () => {
    const echo = client(NOT_TO_BE_ENDED);
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const held = echo.call("hold", gate, signal);
    const closed = echo.close();
    await expect(held).rejects.toMatchObject({ kind: "closed" });
    await clock.advance(CLOSE_GRACE_MS);
    await closed;
    release(gate);
  });

  it("ends a thread that is stuck", async () => {
    const echo = client();
    const stuck = echo.call("spin", undefined, signal);
    const closed = echo.close();
    await expect(stuck).rejects.toMatchObject({ kind: "closed" });
    await clock.advance(1000);
    await closed;
  });
});

describe("workerUrl", () => {
  it("names the remedy when the build is missing", () => {
    expect(() => workerUrl(import.meta.url, "./nothing.worker.js")).toThrow(/npm run build/);
  });
});
