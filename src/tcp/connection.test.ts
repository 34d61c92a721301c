import { once } from "node:events";
import { afterEach, describe, expect, it } from "vitest";
import type { ScriptedRelay } from "../../test/support/scripted-relay.js";
import { settle } from "../../test/support/virtual-clock.js";
import type { RunTurn } from "../chat/chat.js";
import { NOTHING_OPEN } from "../domain/dialogue.js";
import type { Outlet } from "../turn/outlet.js";
import { CLOSE_GRACE_MS, KEEP_ALIVE_AFTER_MS, OUTBOX_BYTES_MAX, REFUSED_IN_A_ROW_MAX } from "./limits.js";
import { RelayBench } from "./relay-bench.test-util.js";
import type { RelayLink } from "./relay-link.js";
import type { RelayServerOptions } from "./server.js";

const SHAPE = { sampleRateHz: 48_000, packetMs: 20 };
const ANN = { network: "plant", username: "ann" };
const BEN = { network: "plant", username: "ben" };

let bench: RelayBench;
afterEach(() => bench.stop());

const answerNothing: RunTurn = async () => NOTHING_OPEN;

async function start(
  runTurn: RunTurn = answerNothing,
  options: Partial<RelayServerOptions> = {},
): Promise<void> {
  bench = await RelayBench.start(runTurn, options);
}

/** Resolves when the service answers this relay: everything sent before has been dealt with. */
async function answers(relay: ScriptedRelay): Promise<void> {
  const nth = relay.commands("ai_message_error").length;
  relay.send({ command: "get_chat", ...ANN });
  expect((await relay.command("ai_message_error", nth)).code).toBe("not_found");
}

describe("broken framing", () => {
  const header = (...lines: string[]) => `LT\n${lines.map((line) => `${line}\n`).join("")}\n`;
  const cases: readonly [what: string, bytes: Uint8Array | string, reason: RegExp][] = [
    ["garbage", Uint8Array.from({ length: 500 }, (_, i) => (i * 37 + 11) % 256), /^bad_magic/],
    ["another protocol", "GET / HTTP/1.1\r\nhost: example\r\n\r\n", /^bad_magic/],
    ["an endless header", `LT\nct:json\nx-long:${"x".repeat(5_000)}`, /^header_too_large/],
    ["an absurd length", header("ct:json", "cl:4294967295"), /^payload_too_large/],
    ["a length of eleven digits", header("ct:json", "cl:99999999999"), /^bad_number/],
    ["a negative length", header("ct:json", "cl:-1"), /^bad_number/],
    ["a repeated header", header("ct:json", "cl:2", "cl:2"), /^repeated_key/],
    ["an unknown content type", header("ct:xml", "cl:2"), /^bad_content_type/],
    ["audio without a user", header("ct:a", "cl:2", "mid:1", "pid:0"), /^missing_key/],
    [
      "a name that is not UTF-8",
      Buffer.from("LT\nct:json\ncl:2\nnw:\xff\xfe\n\n{}", "latin1"),
      /^invalid_utf8/,
    ],
  ];

  it.each(cases)("closes the connection that sends %s, and no other", async (_what, bytes, reason) => {
    await start();
    const [broken, sound] = [await bench.connect(), await bench.connect()];
    broken.sendBytes(bytes);
    await broken.closed;
    expect(broken.heard).toEqual([]);
    const end = await bench.event("relay_disconnected");
    expect(end).toMatchObject({ reason: "malformed", detail: expect.stringMatching(reason) });
    expect(bench.server.connections).toBe(1);
    await answers(sound);
    expect(bench.eventsOf("relay_disconnected")).toHaveLength(1);
  });

  it("counts the frames that came before it [LT-12]", async () => {
    await start();
    const relay = await bench.connect();
    relay.sendBytes(`LT\nct:json\ncl:22\nnw:plant\nun:ann\n\n{"command":"get_chat"}garbage`);
    await relay.closed;
    expect(bench.eventsOf("command_received")).toMatchObject([{ command: "get_chat", user: ANN }]);
  });

  it("leaves nothing behind, however many connections send it", async () => {
    await start();
    for (let round = 0; round < 10; round++) {
      const relays = await Promise.all(Array.from({ length: 20 }, () => bench.connect()));
      for (const relay of relays) relay.sendBytes("garbage\n");
      await Promise.all(relays.map((relay) => relay.closed));
    }
    expect(bench.server.connections).toBe(0);
    expect(bench.eventsOf("relay_disconnected")).toHaveLength(200);
    expect(bench.server.backlog).toEqual({ bytes: 0, oldestMs: 0 });
  });
});

describe("keep_alive", () => {
  it("comes back byte for byte, with its route, and touches no chat [LT-45]", async () => {
    await start();
    const relay = await bench.connect();
    const payload = `{ "command" : "keep_alive",\n  "any": [1, null, "ü"], "username": "carl" }`;
    relay.sendJson(payload, "nw:plant\nun:ann\ncid:c-1\n");
    const { json } = await relay.command("keep_alive");
    expect(new TextDecoder().decode(json)).toBe(payload);
    expect(relay.heard[0]).toMatchObject({ route: { ...ANN, connectionId: "c-1" } });
    expect(bench.chats.size).toBe(0);
    expect(bench.eventsOf("command_received")).toEqual([]);
  });

  it("is sent by us after a minute in which we said nothing", async () => {
    await start();
    const relay = await bench.connect();
    await answers(relay);
    await bench.clock.advance(KEEP_ALIVE_AFTER_MS - 1_000);
    expect(relay.commands("keep_alive")).toHaveLength(0);
    await bench.clock.advance(1_000);
    await relay.command("keep_alive");
    await bench.clock.advance(KEEP_ALIVE_AFTER_MS - 1_000);
    await settle();
    expect(relay.commands("keep_alive")).toHaveLength(1);
  });
});

describe("an idle relay", () => {
  it("is disconnected after 120 s without a complete frame; half a frame is no sign of life", async () => {
    await start();
    const relay = await bench.connect();
    await answers(relay);
    await bench.clock.advance(119_000);
    relay.sendBytes("LT\nct:json\ncl:100\n\n{");
    await settle();
    await bench.clock.advance(1_000);
    await relay.closed;
    expect(bench.eventsOf("relay_disconnected")).toMatchObject([{ reason: "idle" }]);
  });

  it("is not idle as long as frames come, whatever they say", async () => {
    await start();
    const relay = await bench.connect();
    for (let round = 0; round < 3; round++) {
      relay.sendJson("no JSON");
      await relay.command("ai_message_error", round);
      await bench.clock.advance(100_000);
    }
    expect(relay.ended).toBe(false);
  });

  it("is disconnected sooner if its first frame does not come [LT-100]", async () => {
    await start();
    const relay = await bench.connect();
    relay.sendBytes("LT\nct:json\n");
    await bench.event("relay_connected");
    await bench.clock.advance(19_000);
    expect(relay.ended).toBe(false);
    await bench.clock.advance(1_000);
    await relay.closed;
    expect(bench.eventsOf("relay_disconnected")).toMatchObject([{ reason: "idle" }]);
  });
});

describe("connections", () => {
  it("are accepted up to a limit, and again when one has left", async () => {
    await start(answerNothing, { connectionsMax: 2 });
    const [first, second] = [await bench.connect(), await bench.connect()];
    await answers(first);
    await answers(second);
    const third = await bench.connect();
    await third.closed;
    expect(bench.eventsOf("relay_refused")).toMatchObject([{ reason: "connections_max" }]);
    await first.close();
    await bench.event("relay_disconnected");
    const fourth = await bench.connect();
    await answers(fourth);
    await answers(second);
  });

  it("of one address are limited too, and one that never sent a frame gives way first", async () => {
    await start(answerNothing, { connectionsPerAddressMax: 2 });
    const silent = await bench.connect();
    await bench.event("relay_connected");
    const speaking = await bench.connect();
    await answers(speaking);
    const newcomer = await bench.connect();
    await silent.closed;
    await answers(newcomer);
    expect(bench.eventsOf("relay_disconnected")).toMatchObject([{ reason: "displaced" }]);
    const oneMore = await bench.connect();
    await oneMore.closed;
    expect(bench.eventsOf("relay_refused")).toMatchObject([{ reason: "connections_per_address_max" }]);
    await answers(speaking);
  });

  it("give way to a relay from elsewhere, where one address has most of them", async () => {
    await start(answerNothing, { connectionsMax: 3 });
    const loud = [];
    for (let i = 0; i < 3; i++) {
      loud.push(await bench.connect());
      await answers(loud[i]!);
      await bench.clock.advance(1_000);
    }
    const elsewhere = await bench.connect(false, "127.0.0.2");
    await loud[0]!.closed;
    await answers(elsewhere);
    const third = await bench.connect(false, "127.0.0.3");
    await loud[1]!.closed;
    await answers(third);
    // Each has one now: nobody has more than a newcomer would have.
    const fourth = await bench.connect(false, "127.0.0.4");
    await fourth.closed;
    await answers(loud[2]!);
  });

  it("end with the relay: closed, half-closed, reset", async () => {
    await start();
    const relays = [await bench.connect(), await bench.connect(), await bench.connect()];
    for (const relay of relays) await answers(relay);
    relays[0]!.socket.destroy();
    relays[1]!.socket.end();
    relays[2]!.socket.resetAndDestroy();
    await bench.event("relay_disconnected", 2);
    await Promise.all(relays.map((relay) => relay.closed));
    const reasons = bench.eventsOf("relay_disconnected").map(({ reason }) => reason);
    expect(reasons.filter((reason) => reason === "peer").length).toBeGreaterThanOrEqual(2);
    expect(bench.server.connections).toBe(0);
  });

  it("survive each other's faults: one that trips the service up is closed alone", async () => {
    await start();
    const [unlucky, sound] = [await bench.connect(), await bench.connect()];
    const find = bench.chats.find.bind(bench.chats);
    bench.chats.find = (user) => {
      if (user.username === "trip") throw new Error("a fault");
      return find(user);
    };
    unlucky.send(
      { command: "get_chat", network: "plant", username: "trip" },
      { command: "get_chat", ...ANN },
    );
    await unlucky.closed;
    await answers(sound);
    expect(bench.eventsOf("service_fault")).toMatchObject([{ where: "dispatch", error: "Error: a fault" }]);
    expect(bench.eventsOf("relay_disconnected")).toMatchObject([{ reason: "error" }]);
  });

  it("are refused an address that is taken, with a reason", async () => {
    await start();
    await expect(RelayBench.start(answerNothing, { port: bench.port })).rejects.toThrow(/EADDRINUSE/);
  });
});

/** An answer of large packets without end, at the speed of the event loop, until the relay takes no more. */
function talkative(mid: number, told: () => void): RunTurn {
  return async (_request, _history, line, stop) => {
    const packet = new Uint8Array(8_000);
    line.send({ type: "message", mid, shape: SHAPE });
    let pid = 0;
    while (!stop.aborted && line.send({ type: "audio", mid, pid, packet }) === "accepted") {
      pid += 1;
      if (pid % 16 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    line.send({ type: "end_message", mid, durationMs: pid * SHAPE.packetMs });
    line.send({ type: "transcription", mid, text: "All of it." });
    told();
    return NOTHING_OPEN;
  };
}

/** A service that says answer 7 to whoever asks; what comes back resolves when it has said all that it could. */
async function startTalkative(): Promise<{ readonly end: Promise<void> }> {
  let told = () => {};
  const end = new Promise<void>((resolve) => {
    told = resolve;
  });
  await start((...turn) => talkative(7, told)(...turn));
  return { end };
}

describe("a relay that does not read", () => {
  it("has its answers given up whole, and hears no hole when it reads again", async () => {
    const told = await startTalkative();
    const relay = await bench.connect();
    await answers(relay);
    relay.socket.pause();
    relay.send({ command: "ai_message", ...ANN, text: "Go on.", responseType: "audio" });
    await told.end;
    expect(bench.eventsOf("answer_given_up")).toMatchObject([{ mid: 7 }]);
    expect(bench.server.backlog.bytes).toBeLessThan(OUTBOX_BYTES_MAX);
    relay.socket.resume();
    await relay.command("transcription");
    const pids = relay.heard.flatMap((one) => (one.type === "audio" ? [one.audio.packetId] : []));
    expect(pids).toEqual([...pids.keys()]);
    expect(pids.length).toBeGreaterThan(0);
    expect(relay.commands("end_message")).toMatchObject([{ messageId: 7, durationMs: pids.length * 20 }]);
    expect(bench.server.backlog.bytes).toBe(0);
  });

  it("is disconnected as slow when that lasts, and its memory is given back", async () => {
    const told = await startTalkative();
    const [relay, sound] = [await bench.connect(), await bench.connect()];
    await answers(sound);
    relay.socket.pause();
    relay.send({ command: "ai_message", ...BEN, text: "Go on.", responseType: "audio" });
    await told.end;
    await bench.clock.advance(30_000);
    expect(bench.eventsOf("relay_disconnected")).toMatchObject([{ reason: "slow" }]);
    expect(bench.server.backlog).toEqual({ bytes: 0, oldestMs: 0 });
    await answers(sound);
  });

  it("cannot grow the service by asking: what it does not read is dropped and counted", async () => {
    await start();
    const [flood, sound] = [await bench.connect(), await bench.connect()];
    flood.socket.pause();
    await answers(sound);
    const frame = `LT\nct:json\ncl:24\nnw:plant\nun:${"x".repeat(250)}\n\n{"command":"keep_alive"}`;
    const batch = frame.repeat(2_000);
    while (bench.eventsOf("frame_dropped").length === 0) {
      if (!flood.socket.write(batch)) await once(flood.socket, "drain");
    }
    expect(bench.eventsOf("frame_dropped")[0]).toMatchObject({ frame: "reply" });
    expect(bench.server.backlog.bytes).toBeLessThanOrEqual(OUTBOX_BYTES_MAX);
    await answers(sound);
    await bench.clock.advance(30_000);
    await bench.event("relay_disconnected");
    expect(bench.eventsOf("relay_disconnected")).toMatchObject([{ reason: "slow" }]);
  });

  it("leaves nothing waiting for a user who does not come back", async () => {
    const told = await startTalkative();
    const outlets: Outlet[] = [];
    const open = bench.chats.open.bind(bench.chats);
    bench.chats.open = (user, outlet) => {
      outlets.push(outlet);
      return open(user, outlet);
    };
    const relay = await bench.connect();
    relay.socket.pause();
    relay.send({ command: "ai_message", ...ANN, text: "Go on.", responseType: "audio" });
    await told.end;
    relay.socket.destroy();
    await bench.event("relay_disconnected");
    const { outbox } = outlets[0]!.link as RelayLink;
    await bench.clock.advance(9_000);
    expect(outbox.bytes).toBeGreaterThan(0);
    await bench.clock.advance(2_000);
    expect(outbox.bytes).toBe(0);
  });
});

describe("an orderly end", () => {
  it("lets what waits leave first, also to a relay that reads slowly", async () => {
    await start(async (_request, _history, line) => {
      line.send({ type: "message", mid: 7, shape: SHAPE });
      for (let pid = 0; pid < 400; pid++)
        line.send({ type: "audio", mid: 7, pid, packet: new Uint8Array(8_000) });
      line.send({ type: "end_message", mid: 7, durationMs: 8_000 });
      line.send({ type: "transcription", mid: 7, text: "All of it." });
      bench.events.push({ type: "service_stopping", chats: 1 });
      return NOTHING_OPEN;
    });
    const relay = await bench.connect();
    relay.socket.pause();
    relay.send({ command: "ai_message", ...ANN, text: "Go on.", responseType: "audio" });
    await bench.event("service_stopping");
    const closed = bench.server.close();
    relay.socket.resume();
    await Promise.all([closed, relay.closed]);
    expect(relay.summary().slice(-2)).toEqual(["end_message", "transcription"]);
    expect(relay.heard).toHaveLength(403);
    expect(bench.eventsOf("relay_disconnected")).toMatchObject([{ reason: "shutdown" }]);
  });

  it("does not wait for a relay that goes on talking, and is not tripped up by it", async () => {
    await start();
    const relay = await bench.connect(true);
    await answers(relay);
    const ended = once(relay.socket, "end");
    const closed = bench.server.close();
    await ended;
    for (let round = 0; round < 5; round++) {
      relay.send({ command: "get_chat", ...ANN });
      await settle();
    }
    expect(relay.ended).toBe(false);
    await bench.clock.advance(CLOSE_GRACE_MS);
    await closed;
    expect(bench.eventsOf("command_received")).toHaveLength(1);
  });

  it("refuses whoever comes while it lasts", async () => {
    await start();
    const relay = await bench.connect();
    await answers(relay);
    bench.server.stopAccepting();
    await expect(bench.connect()).rejects.toThrow(/ECONNREFUSED/);
    await answers(relay);
  });

  it("can be asked for twice, and before the beginning", async () => {
    await start();
    await Promise.all([bench.server.close(), bench.server.close()]);
    const unopened = await RelayBench.start(answerNothing);
    await unopened.stop();
    await unopened.stop();
  });
});

describe("a relay that sends too much", () => {
  const keepAlive = `LT\nct:json\ncl:24\n\n{"command":"keep_alive"}`;

  it("is read more slowly, and loses nothing", async () => {
    await start(answerNothing, { framesPerSecondMax: 100 });
    const relay = await bench.connect();
    for (let batch = 0; batch < 5; batch++) {
      relay.sendBytes(keepAlive.repeat(100));
      await settle();
    }
    const heard = () => relay.commands("keep_alive").length;
    expect(heard()).toBeLessThan(500);
    for (let second = 0; second < 10; second++) await bench.clock.advance(1_000);
    await relay.command("keep_alive", 499);
    expect(heard()).toBe(500);
  });

  it("shares the budget of its address with the others there, and not with those elsewhere", async () => {
    await start(answerNothing, { framesPerSecondPerAddressMax: 100 });
    const [one, other] = [await bench.connect(), await bench.connect()];
    const elsewhere = await bench.connect(false, "127.0.0.2");
    one.sendBytes(keepAlive.repeat(400));
    await one.command("keep_alive", 399);
    other.sendBytes(keepAlive);
    await other.command("keep_alive"); // Its debt is noted when it has been dealt with.
    other.sendBytes(keepAlive);
    elsewhere.sendBytes(keepAlive.repeat(10));
    await elsewhere.command("keep_alive", 9);
    expect(other.commands("keep_alive")).toHaveLength(1);
    await bench.clock.advance(10_000);
    await other.command("keep_alive", 1);
  });

  it("does not keep others waiting: the frames of connections are dealt with in turns", async () => {
    await start();
    const [flood, sound] = [await bench.connect(), await bench.connect(false, "127.0.0.2")];
    await answers(sound);
    flood.sendBytes(keepAlive.repeat(50_000));
    await flood.command("keep_alive");
    sound.sendBytes(keepAlive);
    await sound.command("keep_alive");
    expect(flood.commands("keep_alive").length).toBeLessThan(50_000);
  });

  it("is disconnected when nothing but refused commands comes [LT-104]", async () => {
    await start();
    const relay = await bench.connect();
    const refused = `LT\nct:json\ncl:22\nnw:plant\nun:ann\n\n{"command":"get_chat"}`;
    relay.sendBytes(refused.repeat(REFUSED_IN_A_ROW_MAX - 1) + keepAlive + refused);
    await relay.command("ai_message_error", REFUSED_IN_A_ROW_MAX - 1);
    expect(relay.ended).toBe(false);
    relay.sendBytes(refused.repeat(REFUSED_IN_A_ROW_MAX));
    await relay.closed;
    expect(bench.eventsOf("relay_disconnected")).toMatchObject([{ reason: "refused" }]);
  });

  it("has its last words heard, though it hangs up at once", async () => {
    await start(answerNothing, { framesPerSecondMax: 1_000 });
    const relay = await bench.connect();
    const command = `LT\nct:json\ncl:22\nnw:plant\nun:ann\n\n{"command":"get_chat"}`;
    relay.socket.end(keepAlive.repeat(500) + command);
    await bench.event("relay_disconnected");
    expect(bench.eventsOf("command_received")).toHaveLength(1);
  });
});
