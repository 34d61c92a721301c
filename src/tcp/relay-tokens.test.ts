import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { ScriptedRelay } from "../../test/support/scripted-relay.js";
import { WRONG_KEYS } from "../api/wrong-keys.js";
import { NOTHING_OPEN } from "../domain/dialogue.js";
import type { TurnRequest } from "../domain/turn.js";
import { HELLO_MS_MAX } from "./limits.js";
import { RelayBench } from "./relay-bench.test-util.js";

const NORTH = {
  token: "the secret of the north",
  name: "north",
  networks: ["plant"],
  vouchForGroups: true,
  consent: false,
};
const SOUTH = {
  token: "the secret of the south",
  networks: ["depot"],
  vouchForGroups: false,
  consent: false,
};

let bench: RelayBench;
afterEach(() => bench.stop());

const asked: TurnRequest[] = [];

async function start(options: Parameters<typeof RelayBench.start>[1]): Promise<void> {
  asked.length = 0;
  bench = await RelayBench.start(async (request, _history, line) => {
    if ("text" in request) asked.push(request);
    line.send({ type: "text_message", mid: 1, text: "Four bar." });
    return NOTHING_OPEN;
  }, options);
}

function ask(relay: ScriptedRelay, network: string, groups: readonly string[] = []): void {
  relay.send({ command: "ai_message", network, username: "ann", text: "How much?", groups });
}

async function refusal(relay: ScriptedRelay, nth = 0): Promise<string> {
  const { code, error } = await relay.command("ai_message_error", nth);
  return `${code}: ${error}`;
}

describe("where tokens are asked for", () => {
  it("a relay without one is refused, opens no chat, and is answered its keep_alive", async () => {
    await start({ tokens: [NORTH] });
    const relay = await bench.connect();
    ask(relay, "plant");
    expect(await refusal(relay)).toMatch(/^blocked: .*hello/);
    relay.send({ command: "keep_alive" });
    await relay.command("keep_alive");
    expect(bench.chats.size).toBe(0);
    expect(asked).toEqual([]);
  });

  it("a relay speaks for the networks of its token and for no others", async () => {
    await start({ tokens: [NORTH, SOUTH] });
    const relay = await bench.connect();
    relay.send({ command: "hello", token: NORTH.token });
    ask(relay, "plant", ["managers"]);
    await relay.command("text_message");
    ask(relay, "depot");
    expect(await refusal(relay)).toBe("blocked: This relay's token is not for this network.");
    expect(asked.map(({ user, groups }) => [user.network, groups])).toEqual([["plant", ["managers"]]]);
  });

  it("groups count only where the token vouches for them", async () => {
    await start({ tokens: [SOUTH] });
    const relay = await bench.connect();
    relay.send({ command: "hello", token: SOUTH.token });
    ask(relay, "depot", ["managers"]);
    await relay.command("text_message");
    expect(asked[0]?.groups).toEqual([]);
  });

  it("consent to what disrupts counts only where the token says so", async () => {
    await start({ tokens: [NORTH, { ...SOUTH, consent: true }] });
    const relay = await bench.connect();
    relay.send({ command: "hello", token: NORTH.token });
    ask(relay, "plant");
    await relay.command("text_message");
    relay.send({ command: "hello", token: SOUTH.token });
    ask(relay, "depot");
    await relay.command("text_message", 1);
    expect(asked.map(({ consent }) => consent?.isTrusted)).toEqual([false, true]);
    expect(bench.server.believes).toContain("depot, with consent");
  });

  it("an unknown token is refused without repeating it, and takes away the one before", async () => {
    await start({ tokens: [NORTH] });
    const relay = await bench.connect();
    relay.send({ command: "hello", token: NORTH.token });
    relay.send({ command: "hello", token: "the secret of nobody at all" });
    expect(await refusal(relay)).toBe("blocked: This token is not known here.");
    ask(relay, "plant");
    expect(await refusal(relay, 1)).toMatch(/^blocked/);
    expect(JSON.stringify(bench.events)).not.toMatch(/secret of/);
  });

  it("whoever guesses is not listened to for a minute, unless right tokens come from there, too", async () => {
    await start({ tokens: [NORTH] });
    const [guesser, north] = [await bench.connect(false, "127.0.0.2"), await bench.connect()];
    const guess = (relay: ScriptedRelay, token: string) => relay.send({ command: "hello", token });
    for (let nth = 0; nth < WRONG_KEYS.timesMax; nth++) guess(guesser, `the secret of number ${nth}`);
    guess(guesser, NORTH.token);
    expect(await refusal(guesser, WRONG_KEYS.timesMax - 1)).toBe("blocked: This token is not known here.");
    expect(await refusal(guesser, WRONG_KEYS.timesMax)).toMatch(/^blocked: Too many wrong keys/);
    for (let nth = 0; nth < 2 * WRONG_KEYS.timesMax; nth++) {
      guess(north, NORTH.token);
      guess(north, `the secret of number ${nth}`);
    }
    expect(await refusal(north, 2 * WRONG_KEYS.timesMax - 1)).toBe("blocked: This token is not known here.");
    await bench.clock.advance(WRONG_KEYS.windowMs);
    guess(await bench.connect(false, "127.0.0.2"), NORTH.token);
    await bench.event("relay_identified", 2 * WRONG_KEYS.timesMax);
  });

  it("a hello without a token leaves the token in force", async () => {
    await start({ tokens: [NORTH] });
    const relay = await bench.connect();
    relay.send({ command: "hello", token: NORTH.token });
    relay.send({ command: "hello", acknowledgements: true });
    ask(relay, "plant");
    await relay.command("text_message");
  });

  it("a user is moved by relays of the network only", async () => {
    await start({ tokens: [NORTH, SOUTH] });
    const [north, south] = [await bench.connect(), await bench.connect()];
    north.send({ command: "hello", token: NORTH.token });
    south.send({ command: "hello", token: SOUTH.token });
    ask(north, "plant");
    await north.command("text_message");
    const user = { network: "plant", username: "ann" };
    const seenAt = bench.chats.lastSeen(user);
    south.send({ command: "get_chat", ...user });
    south.sendBytes("LT\nct:a\ncl:1\nnw:plant\nun:ann\nmid:1\npid:0\n\nx");
    expect(await refusal(south)).toMatch(/^blocked/);
    await bench.event("audio_dropped");
    expect(bench.chats.lastSeen(user)).toBe(seenAt);
  });

  it("a relay that shows none is disconnected", async () => {
    await start({ tokens: [NORTH] });
    const [stranger, north] = [await bench.connect(), await bench.connect()];
    north.send({ command: "hello", token: NORTH.token });
    await bench.event("relay_identified");
    await bench.clock.advance(HELLO_MS_MAX + 2_000);
    await stranger.closed;
    expect((await bench.event("relay_disconnected")).reason).toBe("untrusted");
    expect(north.ended).toBe(false);
  });
});

describe("without tokens", () => {
  it("every relay is believed, and a token is ignored", async () => {
    await start({});
    const relay = await bench.connect();
    relay.send({ command: "hello", token: "anything at all" });
    ask(relay, "anywhere", ["managers"]);
    await relay.command("text_message");
    expect(asked[0]?.groups).toEqual(["managers"]);
    expect(bench.server.believes).toMatch(/^any relay may name any network/);
  });
});

describe("a file of tokens", () => {
  function fileOf(...tokens: readonly object[]): { readonly path: string; write(text: string): void } {
    const folder = mkdtempSync(join(tmpdir(), "readback-tokens-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, "tokens.json");
    const write = (text: string) => writeFileSync(path, text);
    write(JSON.stringify(tokens));
    return { path, write };
  }

  const written = ({ vouchForGroups, ...rest }: typeof SOUTH) => ({
    ...rest,
    vouch_for_groups: vouchForGroups,
  });

  it("is rotated while relays are connected", async () => {
    const file = fileOf(written(NORTH));
    await start({ tokensFile: file.path });
    const [old, late] = [await bench.connect(), await bench.connect()];
    old.send({ command: "hello", token: NORTH.token });
    await bench.event("relay_identified");
    file.write(JSON.stringify([written({ ...NORTH, token: "the new secret of the north" })]));
    await bench.server.readTokens();
    await old.closed;
    late.send({ command: "hello", token: "the new secret of the north" });
    ask(late, "plant");
    await late.command("text_message");
    expect(bench.server.believes).toMatch(/north: plant, with groups/);
  });

  it("changes nothing while it cannot be used, and says why without showing it", async () => {
    const file = fileOf(written(NORTH));
    await start({ tokensFile: file.path });
    const relay = await bench.connect();
    relay.send({ command: "hello", token: NORTH.token });
    await bench.event("relay_identified");
    file.write('[{"token": "short secret"}]');
    await expect(bench.server.readTokens()).rejects.toThrow(/tokens\.json cannot be used: 0 → token/);
    expect(JSON.stringify(bench.events)).not.toMatch(/short secret/);
    ask(relay, "plant");
    await relay.command("text_message");
  });

  it("that is not there stops the start", async () => {
    await start({});
    await expect(start({ tokensFile: "nowhere.json" })).rejects.toThrow(/nowhere\.json cannot be used/);
  });
});
