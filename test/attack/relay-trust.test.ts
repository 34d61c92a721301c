/**
 * Line 4 of the red team: a stranger on the relays' port claims to be a relay. Without tokens it may claim everything,
 * so such a port binds no address that strangers reach; with tokens it may claim nothing.
 */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { TestRelay } from "../e2e/relay.js";
import { World } from "../e2e/world.js";

const BIN = fileURLToPath(new URL("../../bin/readback.js", import.meta.url));

const DOCUMENTS = {
  plant: {
    "boiler.md": "# Boiler\n\nThe boiler runs at 4 bar.\n",
    "codes.md":
      "---\nvisibility: restricted\nallowed_groups: [managers]\n---\n# Safe\n\nThe safe opens with the code 4711.\n",
  },
};

const NORTH = { token: "north shows this to the service", name: "north", networks: ["plant"] };
const GUESSES = [
  "",
  "north",
  "north shows this to the servicE",
  "north shows this to the service ",
  "x".repeat(1_024),
];

/** The codes of what this relay was refused. */
function refusals({ frames }: TestRelay): unknown[] {
  return frames.flatMap(({ json }) => (json?.command === "ai_message_error" ? [json.code] : []));
}

function start(tokens: readonly object[]): Promise<World> {
  return World.start({ documents: DOCUMENTS, config: { "llm.provider": "offline", "relay.tokens": tokens } });
}

describe("a stranger without a token", () => {
  it("is refused whatever it claims, moves nobody and hears nothing", async () => {
    const world = await start([NORTH]);
    const north = await world.relay();
    north.send({ command: "hello", token: NORTH.token });
    const ann = north.user("plant", "ann");
    ann.ask("At how many bar does the boiler run?");
    expect((await ann.received("text_message")).text).toMatch(/4 bar/);

    const stranger = await world.relay();
    const claimed = stranger.user("plant", "ann");
    for (const command of ["get_chat", "close_chat", "cancel", "suggested_questions", "summarize"])
      claimed.send(command);
    claimed.ask("What is the code of the safe?", { groups: ["managers"] });
    for (const token of GUESSES) stranger.send({ command: "hello", token });
    await stranger.until(() => refusals(stranger).length === 6 + GUESSES.length);
    expect(new Set(refusals(stranger))).toEqual(new Set(["blocked", "bad_parameter"]));
    expect(JSON.stringify(stranger.frames)).not.toMatch(/4711|boiler/);

    ann.send("get_chat");
    expect(await ann.received("chat")).toMatchObject({ message_count: 2 });
    expect(world.log).not.toContain(NORTH.token);
  });

  it("with a token of its own reads no other network, and no groups that it may not vouch for", async () => {
    const south = { token: "south shows that to the service", networks: ["depot"], vouch_for_groups: true };
    const world = await start([NORTH, south]);
    const relay = await world.relay();
    relay.send({ command: "hello", token: south.token });
    const far = relay.user("plant", "ann");
    far.ask("At how many bar does the boiler run?");
    await relay.until(() => refusals(relay).length === 1);
    relay.send({ command: "hello", token: NORTH.token });
    far.ask("What is the code of the safe?", { groups: ["managers"] });
    await far.received("text_message");
    expect(refusals(relay)).toEqual(["blocked"]);
    expect(JSON.stringify(relay.frames)).not.toMatch(/4711|4 bar/);
  });
});

describe("a port for relays that strangers reach", () => {
  function serve(
    environment: Record<string, string>,
  ): Promise<{ readonly code: number; readonly told: string }> {
    const folder = mkdtempSync(join(tmpdir(), "readback-trust-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, "bad-tokens.json"), '[{"token": "a file of secrets"}');
    const env = { PATH: process.env.PATH, READBACK_DATA_DIR: join(folder, "data"), ...environment };
    return new Promise((resolve) => {
      execFile(process.execPath, [BIN, "serve"], { cwd: folder, env }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code), told: stdout + stderr }),
      );
    });
  }

  it.each(["0.0.0.0", "::", "8.8.8.8", "relays.example.org"])(
    "is not opened on %s without tokens",
    async (host) => {
      const { code, told } = await serve({ READBACK_RELAY_HOST: host });
      expect(code).toBeGreaterThan(0);
      expect(told).toMatch(/relay\.host.*expected a loopback address.*relay\.tokens/s);
    },
  );

  it("is not opened with tokens that cannot be read, which are not shown", async () => {
    const ports = { READBACK_RELAY_PORT: "0", READBACK_HTTP_PORT: "0", READBACK_METRICS_PORT: "0" };
    const { code, told } = await serve({
      ...ports,
      READBACK_RELAY_HOST: "127.0.0.1",
      READBACK_RELAY_TOKENS_FILE: "bad-tokens.json",
    });
    expect(code).toBeGreaterThan(0);
    expect(told).toMatch(/bad-tokens\.json cannot be used/);
    expect(told).not.toMatch(/file of secrets/);
  });
});
