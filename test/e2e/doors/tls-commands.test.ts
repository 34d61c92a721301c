/** `readback ask` and `readback relay-sim` as relays that speak TLS: whom they trust, what they show, what they say of it. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/lib/clock.js";
import { Authority, type CertificateFiles } from "../../support/certificates.js";
import { Child } from "../child.js";
import { temporaryDirectory, type World } from "../world.js";
import { offline, QUESTION, WHO } from "./ask.js";

const SCENARIO = `
title: One question
network: ${WHO.network}
duration: 1s
relays: { hall: "" }
users:
  - { name: ann, relays: hall, answer: text, steps: [{ ask: "${QUESTION}", expect: { outcome: text } }] }
`;

let folder: string;
let authority: Authority;
let stranger: Authority;
let service: CertificateFiles;

beforeEach(() => {
  folder = temporaryDirectory();
  authority = new Authority(folder);
  stranger = new Authority(folder, "stranger");
  service = authority.issue("service");
  writeFileSync(join(folder, "scenario.yaml"), SCENARIO);
});

function secured(config: Readonly<Record<string, unknown>> = {}): Promise<World> {
  const tls = { "relay.tls.cert_file": service.cert, "relay.tls.key_file": service.key };
  return offline({ clock: systemClock, config: { ...tls, ...config } });
}

/** Plays a relay by either command, with these options. */
async function play(command: "ask" | "relay-sim", world: World, options: readonly string[]) {
  const where = `127.0.0.1:${world.ports.relay}`;
  const own =
    command === "ask"
      ? ["ask", QUESTION, "--network", WHO.network, "--relay", where]
      : ["relay-sim", join(folder, "scenario.yaml"), "--server", where];
  const child = Child.run([...own, ...options]);
  const { code } = await child.exited;
  return { code, told: child.stdout + child.stderr };
}

describe.each(["ask", "relay-sim"] as const)("readback %s", (command) => {
  test("over TLS trusts whom --ca names, and nobody else", async () => {
    const world = await secured();
    expect(await play(command, world, ["--ca", authority.cert])).toMatchObject({ code: 0 });
    const doubted = await play(command, world, ["--tls"]);
    expect(doubted.code).not.toBe(0);
    expect(doubted.told).toMatch(/over TLS: .*(?:certificate|issuer)/);
    const other = await play(command, world, ["--ca", stranger.cert]);
    expect(other.code).not.toBe(0);
    expect(other.told).toContain("over TLS");
    expect((await play(command, world, [])).code).not.toBe(0);
  });

  test("over mutual TLS shows its certificate", async () => {
    const world = await secured({ "relay.tls.client_ca_file": authority.cert });
    const { cert, key } = authority.issue("hall");
    const trusting = ["--ca", authority.cert];
    expect(await play(command, world, [...trusting, "--cert", cert, "--key", key])).toMatchObject({
      code: 0,
    });
    expect((await play(command, world, trusting)).code).not.toBe(0);
  });
});

describe("files that cannot be used", () => {
  test.each([
    ["a certificate without its key", ["--cert", "own.pem"], /--cert and --key belong together/],
    ["a file that is not there", ["--ca", "none.pem"], /--ca names none\.pem, which cannot be read: ENOENT/],
    [
      "a file that is no PEM",
      ["--ca", fileURLToPath(import.meta.url)],
      /cannot be used for TLS: .* Expected PEM files/,
    ],
  ])("%s", async (_name, options, told) => {
    const child = Child.run([
      "ask",
      QUESTION,
      "--network",
      WHO.network,
      "--relay",
      "127.0.0.1:9",
      ...options,
    ]);
    expect((await child.exited).code).toBe(2);
    expect(child.stderr).toMatch(told);
    expect(child.stderr).not.toMatch(/^\s+at /m);
  });

  test("a service that the simulator starts itself speaks no TLS", async () => {
    const child = Child.run(["relay-sim", join(folder, "scenario.yaml"), "--tls"]);
    expect((await child.exited).code).toBe(2);
    expect(child.stderr).toContain("--server");
  });
});
