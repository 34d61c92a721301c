/** What a newcomer types first: the commands of the README against a running service, with as little said as possible. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../../src/config/load.js";
import { Child, serve } from "./child.js";
import { LOCKOUT } from "./documents.js";
import { ingestFolder, temporaryDirectory } from "./world.js";

const RELAY = fileURLToPath(new URL("../../dist/examples/relay.js", import.meta.url));
const QUESTION = "Who keeps the padlock of press 4?";

/** A service with the document in these networks, and the environment of whoever runs it. */
async function site(networks: readonly string[]) {
  const dataDir = join(temporaryDirectory(), "data");
  const documents = temporaryDirectory();
  writeFileSync(join(documents, "lockout.md"), LOCKOUT);
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

describe("a question without a network", { timeout: 60_000 }, () => {
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

describe("an answer through the loudspeaker", { timeout: 60_000 }, () => {
  /** A folder of programs: each is a script of the shell. */
  function players(scripts: Readonly<Record<string, string>>): string {
    const folder = temporaryDirectory();
    mkdirSync(folder, { recursive: true });
    for (const [name, script] of Object.entries(scripts))
      writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return folder;
  }

  test("is played by the first player that can, and leaves nothing behind", async () => {
    const { environment } = await site(["acme"]);
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
    const { environment } = await site(["acme"]);
    expect(await ask({ ...environment, SDL_AUDIODRIVER: "dummy" }, "--play")).toMatchObject({ code: 0 });
  });

  test("says what to install where there is no player, and what failed where there is one", async () => {
    const { environment } = await site(["acme"]);
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
