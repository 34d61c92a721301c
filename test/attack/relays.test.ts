/**
 * One relay cannot starve another: what a hostile relay at one address may do to one at another. Each attack is bounded
 * in count and time; while it lasts a relay from elsewhere connects, has its keep_alives answered, and gets an answer.
 */
import { afterEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { World, type WorldOptions } from "../e2e/world.js";
import { command, HostileRelay } from "./support/hostile-relay.js";

const HOSTILE = "127.0.0.2";
const ATTACK_MS = 3_000;
/** The test's own relay connects from 127.0.0.1. */
const DOCUMENTS = { plant: { "lockout.md": "# Lockout\n\nLock out press 4 at switch Q7 before work.\n" } };
const TEXT_TOO_LONG = "x".repeat(4_001);
const KEEP_ALIVE = command("keep_alive");

let hostile: HostileRelay[] = [];
afterEach(() => {
  for (const relay of hostile) relay.close();
  hostile = [];
});

function start(config: WorldOptions["config"] = {}): Promise<World> {
  return World.start({
    documents: DOCUMENTS,
    clock: systemClock,
    config: { "llm.base_url": undefined, "llm.api_key": undefined, "speech.provider": "offline", ...config },
  });
}

async function attackFrom(world: World, address = HOSTILE): Promise<HostileRelay> {
  const relay = await HostileRelay.connect(world.ports.relay, address);
  hostile.push(relay);
  return relay;
}

/** Somebody else's relay, connecting now. */
async function expectServed(world: World, username = "ann"): Promise<void> {
  const relay = await world.relay();
  await relay.flushed();
  const user = relay.user("plant", username);
  user.ask("Where is press 4 locked out?", { request_id: "r-1" });
  expect(await user.answered("r-1")).toMatchObject({ command: "text_message" });
  relay.close();
}

function voice(i: number): Buffer {
  const shape = { codec: "opus", codec_header: "gD4BPA==", duration: 60 };
  return command("message", { message_id: 1, ...shape, network: "hostile", username: `u-${i}` });
}

describe("a hostile relay", () => {
  it("cannot shut others out with idle connections", async () => {
    const world = await start({ "relay.connections_max": 60, "relay.connections_per_address_max": 50 });
    const addresses = ["127.0.0.2", "127.0.0.3", "127.0.0.4"];
    for (const address of addresses)
      await Promise.all(Array.from({ length: 60 }, () => attackFrom(world, address)));
    await expectServed(world);
    expect(await world.metric("supernode_connections")).toBeLessThanOrEqual(60);
  });

  it("is let go of when it says nothing", async () => {
    const world = await start({ "relay.first_frame_timeout_ms": 100 });
    const relay = await attackFrom(world);
    relay.socket.write("LT\nct:json\n");
    expect(await world.happened("relay_disconnected")).toMatchObject({ reason: "idle", address: HOSTILE });
  });

  it("opens no chats with messages that are refused", async () => {
    const world = await start();
    const relay = await attackFrom(world);
    const refused = (i: number) =>
      command("ai_message", { network: "hostile", username: `u-${i}`, text: TEXT_TOO_LONG });
    await relay.pour(900, refused, ATTACK_MS);
    await world.happened("command_refused", 100);
    await expectServed(world);
    expect(await world.metric("chats_size")).toBeLessThanOrEqual(1);
  });

  it("cannot fill the chats", async () => {
    const world = await start({ "chat.chats_max": 50, "chat.chats_per_connection_max": 40 });
    const relays = [await attackFrom(world), await attackFrom(world)];
    const asked = (i: number) =>
      command("ai_message", { network: `n-${i % 7}`, username: `u-${i}`, text: "Hello?" });
    await Promise.all(relays.map((relay, n) => relay.pour(150, (i) => asked(n * 1_000 + i), ATTACK_MS)));
    for (let i = 0; i < 3; i++) await expectServed(world, `ann-${i}`);
    expect(await world.metric("chats_size")).toBeLessThanOrEqual(50);
  });

  it("holds no more open voice messages than its share, and others can speak", async () => {
    const world = await start({ "chat.voices_per_connection_max": 20, "transcription.provider": "local" });
    const relay = await attackFrom(world);
    await relay.pour(500, voice, ATTACK_MS);
    await world.happened("turn_dropped", 400);
    const own = await world.relay();
    const ann = own.user("plant", "ann");
    ann.press(1);
    await own.flushed();
    expect(ann.frames).toEqual([]); // It was not refused.
    expect(await world.metric("readback_voices_held")).toBeLessThanOrEqual(21);
    await expectServed(world);
  });

  it("is logged a few times, and counted", async () => {
    const world = await start();
    const relay = await attackFrom(world);
    await relay.pour(900, () => command("nonsense", { network: "hostile", username: "u" }), ATTACK_MS);
    await world.metricBecomes('readback_commands_refused_total{code="unknown_command"}', (n) => n >= 900);
    const lines = world.log.split("\n").filter((line) => line.includes('"command_refused"'));
    expect(lines.length).toBeLessThanOrEqual(20);
    await expectServed(world);
  });

  it("is hung up on when all that it sends is refused", async () => {
    const world = await start();
    const relay = await attackFrom(world);
    await relay.pour(3_000, () => command("nonsense", { network: "hostile", username: "u" }), ATTACK_MS);
    expect(await world.happened("relay_disconnected")).toMatchObject({ reason: "refused" });
    expect(await world.metric('readback_commands_refused_total{code="unknown_command"}')).toBe(1_000);
  });

  it("is read no faster than its budget, and keeps nobody waiting", async () => {
    const world = await start();
    const relays = await Promise.all(Array.from({ length: 10 }, () => attackFrom(world)));
    const flood = Promise.all(relays.map((relay) => relay.pour(20_000, () => KEEP_ALIVE, ATTACK_MS)));
    await expectServed(world);
    await expectServed(world, "ben");
    await flood;
    // Twice 8,000 frames at once and 8,000 a second: far from the 200,000 that were sent.
    const echoes = relays.reduce((sum, { bytesRead }) => sum + bytesRead / KEEP_ALIVE.length, 0);
    expect(echoes).toBeLessThan(100_000);
  });

  it("does not fill the memory by not reading", async () => {
    const world = await start();
    const relays = await Promise.all(Array.from({ length: 4 }, () => attackFrom(world)));
    const padded = command("keep_alive", { padding: "x".repeat(100_000) });
    for (const relay of relays) relay.socket.pause();
    const poured = Promise.all(relays.map((relay) => relay.pour(200, () => padded, ATTACK_MS)));
    await expectServed(world);
    await poured;
    expect(await world.metric("readback_outbox_bytes")).toBeLessThanOrEqual(
      4 * (4 * 1_024 * 1_024 + 200_000),
    );
  });
});
