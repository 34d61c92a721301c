import { describe, expect, it } from "vitest";
import { settle } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import { Channel } from "./channel.js";

const never = new AbortController().signal;

describe("Channel", () => {
  it("hands values over in order, then the end", async () => {
    const channel = new Channel<number>(10);
    const received = receive(channel);
    await channel.send(1, 1, never);
    expect(channel.put(2)).toBe(true);
    channel.close();
    expect(channel.put(3)).toBe(false);
    expect(await received).toEqual([1, 2]);
  });

  it("makes the producer wait while it is full", async () => {
    const channel = new Channel<string>(10);
    expect(channel.put("a", 6)).toBe(true);
    expect(channel.put("b", 6)).toBe(false);
    const sent = watch(channel.send("b", 6, never));
    await settle();
    expect(sent.now.type).toBe("pending");
    const iterator = channel[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toBe("a");
    await settle();
    expect(sent.now.type).toBe("resolved");
    expect((await iterator.next()).value).toBe("b");
  });

  it("lets a value pass alone that is heavier than the whole channel", async () => {
    const channel = new Channel<string>(10);
    expect(channel.put("heavy", 100)).toBe(true);
    expect(channel.put("next", 1)).toBe(false);
  });

  it("gives out what was sent before the error", async () => {
    const channel = new Channel<number>(10);
    channel.put(1);
    channel.fail(new Error("broken"));
    channel.close();
    const iterator = channel[Symbol.asyncIterator]();
    expect((await iterator.next()).value).toBe(1);
    await expect(iterator.next()).rejects.toThrow("broken");
  });

  it("wakes a consumer that waits, and a producer whose channel ends", async () => {
    const channel = new Channel<number>(1);
    channel.put(0);
    const sent = watch(channel.send(1, 1, never));
    await settle();
    channel.close();
    await settle();
    expect(sent.now.type).toBe("resolved");
    expect(await receive(channel)).toEqual([0]);
    const idle = new Channel<number>(1);
    const received = receive(idle);
    await settle();
    idle.close();
    expect(await received).toEqual([]);
  });

  it("rejects a waiting producer whose signal aborts", async () => {
    const channel = new Channel<number>(1);
    channel.put(0);
    const controller = new AbortController();
    const sent = watch(channel.send(1, 1, controller.signal));
    controller.abort("stop");
    await settle();
    expect(sent.now).toEqual({ type: "rejected", error: "stop" });
  });
});

async function receive<T>(channel: Channel<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of channel) values.push(value);
  return values;
}
