/** A relay that stops reading while the operating systems go on taking what it is sent [LT-105]. */

import { afterEach, describe, expect, it } from "vitest";
import type { ScriptedRelay } from "../../test/support/scripted-relay.js";
import { settle } from "../../test/support/virtual-clock.js";
import { NOTHING_OPEN } from "../domain/dialogue.js";
import { CARE_INTERVAL_MS, KEEP_ALIVE_AFTER_MS, UNREAD_MS_MAX } from "./limits.js";
import { RelayBench } from "./relay-bench.test-util.js";

const ANN = { network: "plant", username: "ann" };
const SHAPE = { sampleRateHz: 16_000, packetMs: 60 } as const;
/** A few kilobytes: far less than the kernel takes of a relay that does not read. */
const PACKETS = 50;

let bench: RelayBench;
/** Resolves when the service has said all of an answer. */
let said: Promise<void>;
afterEach(() => bench.stop());

/** A service that speaks to whoever asks, and a relay that has said `hello`. */
async function greeted(echoes: boolean): Promise<ScriptedRelay> {
  let tell = () => {};
  said = new Promise((resolve) => {
    tell = resolve;
  });
  bench = await RelayBench.start(async (_request, _history, line) => {
    line.send({ type: "message", mid: 7, shape: SHAPE });
    for (let pid = 0; pid < PACKETS; pid++)
      line.send({ type: "audio", mid: 7, pid, packet: Buffer.alloc(60) });
    line.send({ type: "end_message", mid: 7, durationMs: PACKETS * SHAPE.packetMs });
    tell();
    return NOTHING_OPEN;
  });
  const relay = await bench.connect();
  relay.send({ command: "hello", echoes, requestId: "h" });
  expect(await relay.command("hello")).toMatchObject({ version: 1, requestId: "h" });
  return relay;
}

async function ask(relay: ScriptedRelay): Promise<void> {
  relay.send({ command: "ai_message", ...ANN, text: "Go on.", responseType: "audio" });
  await said;
  await settle();
}

async function pass(ms: number, meanwhile: () => void = () => undefined): Promise<void> {
  for (let passed = 0; passed < ms; passed += CARE_INTERVAL_MS) {
    await bench.clock.advance(CARE_INTERVAL_MS);
    await settle();
    meanwhile();
  }
}

describe("a relay that has promised to echo", () => {
  it("is disconnected when it reads nothing for 10 s, though all of it was handed over", async () => {
    const relay = await greeted(true);
    relay.socket.pause();
    await ask(relay);
    expect(bench.server.backlog.bytes).toBe(0);
    await pass(UNREAD_MS_MAX);
    expect(bench.eventsOf("relay_disconnected")).toEqual([]);
    await pass(2 * CARE_INTERVAL_MS);
    expect(bench.eventsOf("relay_disconnected")).toMatchObject([{ reason: "slow" }]);
  });

  it("is asked behind its frames, stays when it echoes, and its echo is not answered", async () => {
    const relay = await greeted(true);
    await ask(relay);
    await pass(CARE_INTERVAL_MS);
    const { json } = await relay.command("keep_alive");
    expect(relay.summary().at(-1)).toBe("keep_alive");
    expect(new TextDecoder().decode(json)).toBe('{"command":"keep_alive","read":1}');
    relay.send({ command: "keep_alive", json });
    await pass(3 * UNREAD_MS_MAX);
    expect(relay.commands("keep_alive")).toHaveLength(1);
    expect(bench.eventsOf("relay_disconnected")).toEqual([]);
  });

  it("is held to it from then on, not for what was asked before", async () => {
    const relay = await greeted(false);
    await pass(KEEP_ALIVE_AFTER_MS);
    await relay.command("keep_alive");
    await pass(2 * UNREAD_MS_MAX);
    relay.send({ command: "hello", echoes: true });
    await relay.command("hello", 1);
    await pass(UNREAD_MS_MAX);
    expect(bench.eventsOf("relay_disconnected")).toEqual([]);
  });
});

describe("a relay that has promised nothing", () => {
  it("is asked nothing and keeps its connection", async () => {
    const relay = await greeted(false);
    await ask(relay);
    await pass(3 * UNREAD_MS_MAX);
    expect(relay.commands("keep_alive")).toEqual([]);
    expect(bench.eventsOf("relay_disconnected")).toEqual([]);
  });

  it("may echo all the same without an end of it", async () => {
    const relay = await greeted(false);
    await pass(KEEP_ALIVE_AFTER_MS);
    const { json } = await relay.command("keep_alive");
    relay.send({ command: "keep_alive", json }, { command: "get_chat", ...ANN });
    await relay.command("ai_message_error");
    expect(relay.commands("keep_alive")).toHaveLength(1);
  });
});
