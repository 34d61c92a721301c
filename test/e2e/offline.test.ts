/** The service on a machine with nothing: no key, no server; sentences of the documents in a voice of its own. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { muxOggOpus, OpusPacketDecoder, parseToc } from "@readback/audio";
import { describe, expect, onTestFinished, test } from "vitest";
import { OpenAiServer } from "../support/openai-server.js";
import { transcriptReply } from "../support/openai-transcriptions.js";
import { spokenPackets } from "../support/spoken.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { Child, serve } from "./child.js";
import { LOCKOUT, OPENING, PAYROLL } from "./documents.js";
import { packetsOf, pidsOf, type TestRelay } from "./relay.js";
import { librarian } from "./script.js";
import { temporaryDirectory, World, type WorldOptions } from "./world.js";

const documents = { acme: { "lockout.md": LOCKOUT, "payroll.md": PAYROLL, "opening.md": OPENING } };
const OFFLINE = { "llm.base_url": undefined, "llm.api_key": undefined };
const NOT_FOUND = "I can't find that in your documents.";

async function begin(options: WorldOptions = {}): Promise<{ world: World; relay: TestRelay }> {
  const world = await World.start({ documents, config: OFFLINE, ...options });
  return { world, relay: await world.relay() };
}

describe("without a key", () => {
  test("says so at start, and answers in the document's words", async () => {
    const { world, relay } = await begin();
    expect(world.eventsOf("service_started")[0]?.engine).toContain("offline");
    const ann = relay.user("acme", "ann");
    ann.ask("How is press 4 locked out?", { request_id: "r-1" });
    expect((await ann.answered("r-1")).text).toContain("red padlock at breaker B12");
    expect(world.server.requests).toEqual([]);
  });

  test("refuses what the documents do not say, and what this user may not read, in the same words", async () => {
    const { world, relay } = await begin();
    const ann = relay.user("acme", "ann");
    const questions = ["What code opens the payroll safe?", "Who won the chess tournament?"];
    for (const [n, text] of questions.entries()) {
      ann.ask(text, { request_id: `r-${n}` });
      expect((await ann.answered(`r-${n}`)).text).toBe(NOT_FOUND);
    }
    ann.ask(questions[0]!, { groups: ["managers"], request_id: "m-1" });
    expect((await ann.answered("m-1")).text).toContain("PAYROLL93");
    ann.ask("And on which day?", { request_id: "r-9" });
    await ann.answered("r-9");
    const outside = ann.frames.filter(({ json }) => json?.request_id !== "m-1");
    expect(outside.some(({ text }) => /PAYROLL93|first working day/.test(text ?? ""))).toBe(false);
    expect(world.log).not.toMatch(/PAYROLL93/);
    expect(
      world
        .eventsOf("turn_finished")
        .map(({ result }) => result)
        .slice(0, 3),
    ).toEqual(["not_in_documents", "not_in_documents", "answered"]);
  });

  test("answers a question as well after another one as before it", async () => {
    const { relay } = await begin();
    const ann = relay.user("acme", "ann");
    const questions = [
      "How is press 4 locked out?",
      "When does the shop open?",
      "How is press 4 locked out?",
    ];
    for (const [n, text] of questions.entries()) {
      ann.ask(text, { request_id: `r-${n}`, groups: ["kiosks"] });
      await ann.answered(`r-${n}`);
    }
    expect((await ann.answered("r-2")).text).toBe((await ann.answered("r-0")).text);
    expect((await ann.answered("r-0")).text).toContain("B12");
  });

  test("is a kiosk in one sentence, and only with what was granted", async () => {
    const { relay } = await begin();
    const kiosk = relay.user("acme", "kiosk-1");
    kiosk.ask("When does the shop open?", { f: "kiosk", request_id: "r-1" });
    expect((await kiosk.answered("r-1")).text).toContain("opens at eight");
    kiosk.ask("How is press 4 locked out?", { f: "kiosk", request_id: "r-2" });
    expect((await kiosk.answered("r-2")).text).toBe(
      "I don't know that one, please ask a colleague in the shop.",
    );
  });

  test("speaks: Opus of 16 kHz in packets of 60 ms that decode to sound of the length that was told", async () => {
    const clock = new VirtualClock();
    const { relay } = await begin({ clock });
    const ann = relay.user("acme", "ann");
    ann.askAloud("How is press 4 locked out?", { request_id: "r-1" });
    await ann.packets(3); // the cushion
    await clock.advance(30_000);
    const words = await ann.answered("r-1");
    expect(words.text).toContain("red padlock");
    expect(ann.frames[0]?.json).toMatchObject({ command: "message", codec_header: "gD4BPA==", duration: 60 });
    const packets = packetsOf(ann.frames);
    expect(pidsOf(ann.frames)).toEqual(packets.map((_, pid) => pid));
    const decoder = new OpusPacketDecoder({ sampleRateHz: 16_000 });
    let loudest = 0;
    for (const packet of packets) {
      expect(parseToc(packet)).toMatchObject({ ok: true, toc: { channels: 1 } });
      const pcm = decoder.decode(packet);
      expect(pcm.length).toBe(960);
      loudest = Math.max(loudest, ...pcm.map(Math.abs));
    }
    expect(loudest).toBeGreaterThan(3_000);
    expect((await ann.received("end_message")).duration_ms).toBe(packets.length * 60);
  });
});

describe("readback ask", () => {
  test("shows the answer as it comes and writes it as a playable file", async () => {
    const directory = temporaryDirectory();
    const environment = { READBACK_DATA_DIR: join(directory, "data") };
    const folder = join(directory, "documents");
    mkdirSync(folder);
    writeFileSync(join(folder, "padlock.md"), "# Padlock\n\nThe padlock is red.\n");
    expect((await Child.run(["ingest", folder, "--network", "acme"], environment).exited).code).toBe(0);
    const { ports } = await serve(environment);
    const file = join(directory, "answer.ogg");
    const asked = Child.run([
      "ask",
      "Is the padlock red?",
      ...["--network", "acme", "--username", "ann", "--voice", file, "--relay", `127.0.0.1:${ports.relay}`],
    ]);
    expect(await asked.exited).toEqual({ code: 0, signal: null });
    expect(asked.stdout).toMatch(/first sound/);
    expect(asked.stdout).toContain("The padlock is red.");
    expect(readFileSync(file).subarray(0, 4).toString()).toBe("OggS");
    const refused = Child.run(["ask", "Anything?", "--relay", "127.0.0.1:1"]);
    expect((await refused.exited).code).toBe(1);
    expect(refused.stderr).toContain("npm start");
    const unclear = Child.run(["ask", "Anything?", "--say", file]);
    expect((await unclear.exited).code).toBe(2);
    expect(unclear.stderr).toContain("one of the two");
  });

  test("asks with somebody's voice", async () => {
    const directory = temporaryDirectory();
    const voice = join(directory, "question.ogg");
    writeFileSync(
      voice,
      muxOggOpus(await spokenPackets("Is the padlock red?"), { inputSampleRateHz: 16_000 }),
    );
    const server = await OpenAiServer.start({ respond: librarian });
    onTestFinished(() => server.close());
    server.expectTranscription(transcriptReply("Is the padlock red?"));
    const { ports } = await serve({
      READBACK_DATA_DIR: join(directory, "data"),
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_API_KEY: server.apiKey,
    });
    const relay = ["--relay", `127.0.0.1:${ports.relay}`];
    const asked = Child.run(["ask", "--say", voice, ...relay]);
    expect(await asked.exited).toEqual({ code: 0, signal: null });
    expect(asked.stdout).toMatch(/heard “Is the padlock red\?”/);
    expect(asked.stdout).toMatch(/can't find/);
    const noVoice = Child.run(["ask", "--say", join(directory, "none.ogg"), ...relay]);
    expect((await noVoice.exited).code).toBe(2);
    expect(noVoice.stderr).toContain("cannot be read");
  });

  test("fails when the service turns the question down", async () => {
    const { ports } = await serve({ READBACK_DATA_DIR: temporaryDirectory() });
    const asked = Child.run(["ask", "word ".repeat(300), "--relay", `127.0.0.1:${ports.relay}`]);
    expect((await asked.exited).code).toBe(1);
    expect(asked.stdout).toContain("message_too_long");
  });
});
