/** The service as a process: killed, told to stop, in its own way or in somebody else's. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../src/config/load.js";
import { hangReply, searchReply, textReply } from "../support/openai-replies.js";
import { OpenAiServer, type OpenAiServerOptions } from "../support/openai-server.js";
import { Child, FREE_PORTS, serve } from "./child.js";
import { LOCKOUT, SPILL } from "./documents.js";
import { TestRelay } from "./relay.js";
import { Drip, drippedSpeech, librarian, packets, spoken } from "./script.js";
import { ingestFolder, temporaryDirectory } from "./world.js";

const ANSWER = "The padlock is red.";

interface Site {
  readonly server: OpenAiServer;
  readonly documents: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** A model server, a folder of documents and the variables for both; the documents are ingested. */
async function site(respond: OpenAiServerOptions["respond"] = librarian): Promise<Site> {
  const directory = temporaryDirectory();
  const server = await OpenAiServer.start({ respond });
  onTestFinished(() => server.close());
  const documents = join(directory, "documents");
  mkdirSync(documents);
  writeFileSync(join(documents, "lockout.md"), LOCKOUT);
  const dataDir = join(directory, "data");
  await ingestFolder(documents, "acme", loadConfig({}, { data_dir: dataDir }));
  const environment = {
    READBACK_DATA_DIR: dataDir,
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_API_KEY: server.apiKey,
  };
  return { server, documents, environment };
}

async function connect(port: number): Promise<TestRelay> {
  const relay = await TestRelay.connect(port);
  onTestFinished(() => relay.close());
  return relay;
}

describe("kill -9 in the middle of an answer", () => {
  test("costs the answer; the index is whole, and the next process answers from it", async () => {
    const { server, documents, environment } = await site();
    const first = await serve(environment);
    const words = new Drip<string>();
    server.expectChat(searchReply("press 4")).expectChat(textReply(words));
    server.expectSpeech(spoken(packets(2)));
    const relay = await connect(first.ports.relay);
    const ann = relay.user("acme", "ann");
    ann.askAloud("How do I lock out press 4?");
    words.put("The padlock is red. And ");
    await ann.packets(2);
    first.child.kill("SIGKILL");
    expect(await first.child.exited).toEqual({ code: null, signal: "SIGKILL" });
    await relay.closed();

    const second = await serve(environment);
    const again = (await connect(second.ports.relay)).user("acme", "ann");
    again.ask("How do I lock out press 4?");
    expect((await again.answered()).text).toContain("LOCKOUT71");
    // The writer finds its index whole too.
    writeFileSync(join(documents, "spill.md"), SPILL);
    const ingested = Child.run(["ingest", documents, "--network", "acme"], environment);
    expect(await ingested.exited).toEqual({ code: 0, signal: null });
    expect(ingested.stdout).toContain("1 added, 0 updated, 1 unchanged");
    again.ask("solvent spill", { request_id: "r-2" });
    expect((await again.answered("r-2")).text).toContain("SPILL52");
  });
});

describe("SIGTERM", () => {
  test("while it speaks: the answer finishes, chats are told, exit code 0", async () => {
    const { server, environment } = await site();
    const { child, ports } = await serve(environment);
    const relay = await connect(ports.relay);
    const [ann, bob] = [relay.user("acme", "ann"), relay.user("acme", "bob")];
    bob.ask("How do I lock out press 4?");
    await bob.answered();
    const speech = drippedSpeech(packets(6));
    server.expectChat(searchReply("press 4")).expectChat(textReply(ANSWER)).expectSpeech(speech.reply);
    ann.askAloud("How do I lock out press 4?", { request_id: "r-1" });
    speech.release(0, 2);
    await ann.packets(2);
    ann.ask("and then?", { request_id: "r-2" });
    await relay.flushed();
    child.kill("SIGTERM");
    await bob.received("chat_closed");

    // Nobody sends anything here any more, and whoever does is told why.
    const ready = await fetch(`http://127.0.0.1:${ports.http}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([
      503,
      { status: "not_ready", reason: "no new turns are taken: stopping" },
    ]);
    const asked = { method: "POST", headers: { "content-type": "application/json" } };
    const body = JSON.stringify({ network: "acme", username: "dan", text: "hello?" });
    const refused = await fetch(`http://127.0.0.1:${ports.http}/api/v1/answers`, { ...asked, body });
    expect([refused.status, refused.headers.has("retry-after")]).toEqual([503, true]);
    expect(await refused.json()).toMatchObject({ error: { code: "shutting_down" } });

    // No new work, on any connection.
    await expect(TestRelay.connect(ports.relay)).rejects.toThrow();
    bob.ask("one more", { request_id: "b-2" });
    expect(await bob.answered("b-2")).toMatchObject({ command: "ai_message_error", code: "shutting_down" });
    relay.user("acme", "cid").ask("hello?", { request_id: "c-1" });
    expect(await relay.user("acme", "cid").answered("c-1")).toMatchObject({ code: "shutting_down" });

    speech.release(2, 6);
    await relay.closed();
    const mid = ann.frames[0]?.json?.message_id;
    expect(ann.summary).toEqual([
      `message ${mid}`,
      ...[0, 1, 2, 3, 4, 5].map((pid) => `audio ${mid}/${pid}`),
      `end_message ${mid} 120 ms`,
      `transcription ${mid} "${ANSWER}"`,
      "ai_message_error shutting_down",
      "chat_closed shutdown",
    ]);
    expect(ann.frames.at(-2)?.json).toMatchObject({ request_id: "r-2" });
    expect(bob.summary).toContain("chat_closed shutdown");
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(child.stderr).toContain('"event":"service_stopping"');
  });

  test("does not wait longer than it may: the answer ends with the words that were heard", async () => {
    const { server, environment } = await site();
    const { child, ports } = await serve({ ...environment, READBACK_SHUTDOWN_GRACE_MS: "100" });
    const speech = drippedSpeech(packets(6));
    server.expectChat(searchReply("press 4")).expectChat(textReply(ANSWER)).expectSpeech(speech.reply);
    const relay = await connect(ports.relay);
    const ann = relay.user("acme", "ann");
    ann.askAloud("How do I lock out press 4?");
    speech.release(0, 2);
    await ann.packets(2);
    child.kill("SIGTERM");
    await relay.closed();
    expect(ann.summary.slice(3)).toEqual([
      "end_message 1 40 ms interrupted",
      expect.stringMatching(/^transcription 1 "/),
      "chat_closed shutdown",
    ]);
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });

  test("in stage 1, over its time: the question ends with shutting_down", async () => {
    const { server, environment } = await site();
    const { child, ports } = await serve({ ...environment, READBACK_SHUTDOWN_GRACE_MS: "0" });
    server.expectChat(hangReply);
    const relay = await connect(ports.relay);
    const ann = relay.user("acme", "ann");
    ann.ask("How do I lock out press 4?");
    await server.received(1);
    child.kill("SIGTERM");
    await relay.closed();
    expect(ann.summary).toEqual(["ai_message_error shutting_down", "chat_closed shutdown"]);
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });

  test("twice ends it at once", async () => {
    const { server, environment } = await site();
    const { child, ports } = await serve(environment);
    server.expectChat(hangReply);
    const ann = (await connect(ports.relay)).user("acme", "ann");
    ann.ask("How do I lock out press 4?");
    await server.received(1);
    child.kill("SIGTERM");
    await child.printed(/"event":"service_stopping"/);
    child.kill("SIGTERM");
    expect(await child.exited).toEqual({ code: null, signal: "SIGTERM" });
  });

  test("as soon as it listens, with nobody connected: exit code 0", async () => {
    const { environment } = await site();
    const { child } = await serve(environment);
    child.kill("SIGTERM");
    expect(await child.exited).toEqual({ code: 0, signal: null });
  });
});

describe("Ctrl-C", () => {
  test("stops the service like SIGTERM", async () => {
    const { environment } = await site();
    const { child, ports } = await serve(environment);
    const relay = await connect(ports.relay);
    await relay.flushed();
    child.kill("SIGINT");
    await relay.closed();
    expect(await child.exited).toEqual({ code: 0, signal: null });
    expect(child.stderr).not.toMatch(/^\s+at /m);
  });

  test("ends a question at the terminal with 130 and no stack", async () => {
    const { server, environment } = await site();
    const { ports } = await serve(environment);
    server.expectChat(hangReply);
    const relay = `127.0.0.1:${ports.relay}`;
    const child = Child.run(["ask", "How do I lock out press 4?", "--network", "acme", "--relay", relay]);
    await server.received(1);
    child.kill("SIGINT");
    expect(await child.exited).toEqual({ code: 130, signal: null });
    expect(child.stdout + child.stderr).not.toMatch(/^\s+at |Error/m);
  });
});

describe("a service that cannot start", () => {
  test.each(["RELAY", "HTTP", "METRICS", "GRPC"])(
    "says so when its %s port is in use, and exits",
    async (door) => {
      const taken = createServer();
      await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void taken.close());
      const { port } = taken.address() as { port: number };
      const child = Child.run(["serve"], {
        ...FREE_PORTS,
        READBACK_DATA_DIR: temporaryDirectory(),
        [`READBACK_${door}_PORT`]: String(port),
      });
      expect((await child.exited).code).toBe(1);
      expect(child.stderr).toContain(String(port));
      expect(child.stderr).toContain(`READBACK_${door}_PORT`);
      expect(child.stderr).not.toMatch(/^\s+at /m);
    },
  );

  test("says which setting is wrong and what is expected, and exits", async () => {
    const child = Child.run(["serve"], { ...FREE_PORTS, READBACK_RELAY_PORT: "eighty" });
    expect((await child.exited).code).toBe(2);
    expect(child.stderr).toMatch(/relay\.port.*eighty.*READBACK_RELAY_PORT/);
    expect(child.stderr).not.toMatch(/^\s+at /m);
  });
});

describe("storage that cannot be used", () => {
  test("a data folder that cannot be made: ingest says so, and the service does not start", async () => {
    const { documents, environment } = await site();
    const file = join(documents, "lockout.md");
    const broken = { ...environment, READBACK_DATA_DIR: join(file, "data") };
    const ingested = Child.run(["ingest", documents, "--network", "acme"], broken);
    expect((await ingested.exited).code).toBe(1);
    expect(ingested.stderr).toContain(join(file, "data"));
    expect(ingested.stderr).not.toMatch(/^\s+at /m);
    const served = Child.run(["serve"], { ...FREE_PORTS, ...broken });
    expect((await served.exited).code).toBe(1);
    expect(served.stderr).toContain("READBACK_DATA_DIR");
  });

  test("a full disk: ingest fails and says so, the previous index goes on answering", async () => {
    const { documents, environment } = await site();
    const { ports } = await serve(environment);
    for (let n = 0; n < 50; n++) {
      const text = Array.from({ length: 400 }, (_, word) => `term${n}x${word}`).join(" ");
      writeFileSync(join(documents, `extra-${n}.md`), `# Extra ${n}\n\n${text}.\n`);
    }
    const full = Child.runOnFullDisk(64, ["ingest", documents, "--network", "acme"], environment);
    expect((await full.exited).code).toBe(1);
    expect(full.stderr).not.toMatch(/^\s+at /m);
    expect(full.stderr).toMatch(/disk|full|I\/O/i);
    const ann = (await connect(ports.relay)).user("acme", "ann");
    ann.ask("How do I lock out press 4?", { request_id: "r-1" });
    expect((await ann.answered("r-1")).text).toContain("LOCKOUT71");
    const later = Child.run(["ingest", documents, "--network", "acme"], environment);
    expect(await later.exited).toEqual({ code: 0, signal: null });
    expect(later.stdout).toContain("50 added");
    ann.ask("Where do I find term49x399?", { request_id: "r-2" });
    expect((await ann.answered("r-2")).text).toContain("term49x399");
  });
});

describe("health", () => {
  test("is told on the HTTP port", async () => {
    const { environment } = await site();
    const { ports } = await serve(environment);
    for (const path of ["healthz", "readyz"]) {
      const response = await fetch(`http://127.0.0.1:${ports.http}/${path}`);
      expect(response.status).toBe(200);
    }
  });
});
