/** What a newcomer types first: the commands of the README against a running service, with as little said as possible. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { readVoiceFile } from "../../src/cli/voice-file.js";
import { loadConfig } from "../../src/config/load.js";
import { systemClock } from "../../src/lib/clock.js";
import { LocalRecogniser } from "../../src/speech/local-recogniser.js";
import { patience } from "../support/patience.js";
import { Child, FREE_PORTS, serve } from "./child.js";
import { LOCKOUT } from "./documents.js";
import { ingestFolder, temporaryDirectory } from "./world.js";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const RELAY = join(ROOT, "dist/examples/relay.js");
const DEMO = join(ROOT, "dist/examples/demo.js");
const QUESTION = "Who keeps the padlock of press 4?";

/** Six answers at the pace of speech, and the start of a process through npm. */
const DEMO_MS_MAX = patience(120_000);
const START_MS_MAX = patience(30_000);

/** Answers the question in few words: what is played is waited for. */
const SHORT = "# Press 4\n\nThe shift lead keeps the padlock of press 4.\n";

/** A service with the document in these networks, and the environment of whoever runs it. */
async function site(networks: readonly string[], document = LOCKOUT) {
  const dataDir = join(temporaryDirectory(), "data");
  const documents = temporaryDirectory();
  writeFileSync(join(documents, "lockout.md"), document);
  for (const network of networks)
    await ingestFolder(documents, network, loadConfig({}, { data_dir: dataDir }));
  const offline = { READBACK_DATA_DIR: dataDir, READBACK_TRANSCRIPTION_PROVIDER: "none" };
  const { ports } = await serve(offline);
  return { port: ports.relay, environment: { ...offline, READBACK_RELAY_PORT: String(ports.relay) } };
}

async function run(child: Child): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { code } = await child.exited;
  return { code, stdout: child.stdout, stderr: child.stderr };
}

const ask = (environment: Readonly<Record<string, string>>, ...args: string[]) =>
  run(Child.run(["ask", QUESTION, ...args], environment));

describe("a question without a network", { timeout: patience(60_000) }, () => {
  test("is asked in the one that has documents, by `ask` and by the sample relay", async () => {
    const { environment, port } = await site(["acme"]);
    const asked = await ask(environment);
    expect(asked).toMatchObject({ code: 0, stderr: "" });
    expect(asked.stdout).toContain("shift lead keeps the padlock");
    const relayed = await run(
      Child.runBy(process.execPath, [RELAY, "127.0.0.1", String(port), QUESTION], environment),
    );
    expect(relayed.stdout).toContain("shift lead keeps the padlock");
  });

  test("is asked in none of several: they are named", async () => {
    const { environment } = await site(["depot", "acme"]);
    expect(await ask(environment)).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(/Several networks have documents: acme, depot\..*--network <name>/),
    });
    expect((await ask(environment, "--network", "depot")).stdout).toContain("shift lead keeps the padlock");
  });

  test("says to the operator that there are no documents; the service says it to nobody", async () => {
    const { environment, port } = await site([]);
    const { stdout, stderr } = await ask(environment);
    expect(stdout).toContain("I can't find that in your documents.");
    expect(stdout).not.toMatch(/ingest/);
    expect(stderr).toMatch(/no documents of the network demo in .*readback ingest <folder> --network demo/);
    // Somebody who reaches the port and not the data folder is no operator.
    const elsewhere = await run(
      Child.run(["ask", QUESTION, "--relay", `127.0.0.1:${port}`], {
        READBACK_DATA_DIR: temporaryDirectory(),
      }),
    );
    expect(elsewhere).toMatchObject({ code: 0, stderr: "" });
  });

  test("that names another one than those with documents is told which have some", async () => {
    const { environment } = await site(["acme"]);
    const { stderr } = await ask(environment, "--network", "acne");
    expect(stderr).toMatch(/no documents of the network acne in .*, only of acme\./);
  });
});

describe("an answer through the loudspeaker", { timeout: patience(60_000) }, () => {
  /** A folder of programs: each is a script of the shell. */
  function players(scripts: Readonly<Record<string, string>>): string {
    const folder = temporaryDirectory();
    mkdirSync(folder, { recursive: true });
    for (const [name, script] of Object.entries(scripts))
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return folder;
  }

  test("is played by the first player that can, and leaves nothing behind", async () => {
    const { environment } = await site(["acme"], SHORT);
    const out = temporaryDirectory();
    const PATH = players({
      paplay: "echo no server >&2; exit 1",
      aplay: `while [ $# -gt 1 ]; do shift; done; /bin/cp "$1" ${out}/played.wav`,
    });
    const TMPDIR = temporaryDirectory();
    expect(await ask({ ...environment, PATH, TMPDIR }, "--play")).toMatchObject({ code: 0, stderr: "" });
    const [, stream] = execFileSync(
      "ffprobe",
      ["-v", "error", "-show_entries", "stream=codec_name,channels:format=duration", join(out, "played.wav")],
      { encoding: "utf8" },
    ).split(/\[STREAM\]|\[\/STREAM\]/);
    expect(stream).toMatch(/codec_name=pcm_s16le\s+channels=1/);
    expect(readFileSync(join(out, "played.wav")).length).toBeGreaterThan(48_000 * 2);
    expect(readdirSync(TMPDIR).filter((name) => name.startsWith("readback-play"))).toEqual([]);
  });

  test("by a real player that has no loudspeaker", async () => {
    const { environment } = await site(["acme"], SHORT);
    expect(await ask({ ...environment, SDL_AUDIODRIVER: "dummy" }, "--play")).toMatchObject({ code: 0 });
  });

  test("says what to install where there is no player, and what failed where there is one", async () => {
    const { environment } = await site(["acme"], SHORT);
    const none = await ask({ ...environment, PATH: players({}) }, "--play");
    expect(none).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/install one of .*ffplay.*--voice/),
    });
    expect(none.stderr).not.toMatch(/^\s+at /m);
    const PATH = players({ mpv: "echo no sound card >&2; exit 3" });
    const failed = await ask({ ...environment, PATH }, "--play");
    expect(failed.stderr).toContain("cannot be played. mpv: ended with 3, no sound card");
  });
});

describe("the demonstration on a terminal", { timeout: patience(300_000) }, () => {
  test("ends with a kiosk that answers from its documents, until Ctrl-C", async () => {
    const TMPDIR = temporaryDirectory();
    const command = `echo process $$; exec ${process.execPath} ${DEMO}`;
    const demo = Child.runBy("script", ["-qfec", command, "/dev/null"], { TMPDIR });
    const [, pid] = await demo.printed(/process (\d+)/);
    const [, address, token] = await demo.printed(/(http:\/\/localhost:\d+\/kiosk)#token=(\w+)/, DEMO_MS_MAX);
    expect((await fetch(address!)).status).toBe(200);
    const ask = (bearer: string) =>
      fetch(`${address}/api/ask`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${bearer}` },
        body: JSON.stringify({ text: "How long do I cool a burn?", session: "s-1" }),
      });
    expect((await ask("not-the-token-of-the-link")).status).toBe(401);
    const told = await (await ask(token!)).text();
    expect(told).toMatch(/event: finished\ndata: .*"outcome":"answered".*20 minutes/);
    process.kill(Number(pid), "SIGINT");
    expect((await demo.exited).code).toBe(0);
    expect(demo.stdout).toMatch(/routes were decided/);
    expect(readdirSync(TMPDIR)).toEqual([]);
  });
});

describe("a simulation without a terminal", { timeout: patience(120_000) }, () => {
  test("says now and then how far it is, beside its result", async () => {
    const folder = temporaryDirectory();
    const scenario = join(folder, "short.yaml");
    writeFileSync(
      scenario,
      'title: Short\nduration: 4s\nrelays: { hall: "" }\nusers:\n' +
        "  - { name: ann, relays: hall, steps: [{ do: cancel }, { do: cancel, at: 3s }] }\n",
    );
    const { code, stderr, stdout } = await run(
      Child.run(["relay-sim", scenario, "--json", "--speed", "1"], {}),
    );
    expect({ code, title: (JSON.parse(stdout) as { title: string }).title }).toEqual({
      code: 0,
      title: "Short",
    });
    const lines = stderr.trim().split("\n");
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines) expect(line).toMatch(/^[0-3] s of 4 s$/);
  });
});

describe("npm start", { timeout: patience(60_000) }, () => {
  test("hands SIGTERM on: the service stops as it should, and npm ends with it", async () => {
    const npm = Child.runBy("npm", ["start", "--prefix", ROOT], {
      ...FREE_PORTS,
      READBACK_DATA_DIR: temporaryDirectory(),
      READBACK_TRANSCRIPTION_PROVIDER: "none",
    });
    await npm.printed(/"event":"service_started"/, START_MS_MAX);
    npm.kill("SIGTERM");
    await npm.exited;
    expect(npm.stderr).toContain('"event":"service_stopping"');
    expect(npm.groupRunning).toBe(false);
  });
});

describe("the spoken question of the examples", () => {
  test("is what a radio could send, and what the local recogniser understands", async () => {
    const { packets, packetMs, sampleRateHz } = await readVoiceFile(join(ROOT, "examples/question.ogg"));
    const options = loadConfig({}).config.transcription;
    const recogniser = await LocalRecogniser.find(systemClock, options, new AbortController().signal);
    const shape = { packetMs, sampleRateHz };
    const utterance = {
      shape,
      async *packets() {
        yield* packets;
      },
    };
    const heard = await recogniser!.recognise(utterance, { words: [] }, new AbortController().signal);
    expect(heard).toMatchObject({ type: "words", text: expect.stringContaining("shop open on saturday") });
    await recogniser!.close();
  });
});
