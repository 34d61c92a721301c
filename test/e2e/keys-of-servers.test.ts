/**
 * Keys of the servers that the service asks, each in a file: the file is written anew, and the next request carries what it
 * holds then. A file that is gone changes nothing, and is told. No turn fails of it.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { LlmGuardServer } from "../support/llm-guard-server.js";
import { embeddingsReply, rerankReply } from "../support/openai-replies.js";
import { transcriptReply } from "../support/openai-transcriptions.js";
import { OtlpReceiver } from "../support/otlp-receiver.js";
import { spokenPackets } from "../support/spoken.js";
import { LOCKOUT, SPILL } from "./documents.js";
import { address } from "./doors/ask.js";
import { librarian } from "./script.js";
import { temporaryDirectory, World } from "./world.js";

const [FIRST, SECOND] = ["sk-the-first-key-0123456789", "sk-the-second-key-0123456789"];
const QUESTIONS = [
  "Where is the padlock of press 4?",
  "What is the tag of press 4?",
  "Who keeps the padlock?",
];
const VARIABLES = ["OPENAI_API_KEY", "READBACK_GUARD_TOKEN", "LANGFUSE_SECRET_KEY"];
const LOOK_MS = 100;

const respond = {
  ...librarian,
  embeddings: () => embeddingsReply(() => [1, 0, 0, 0, 0, 0, 0, 0]),
  rerank: () => rerankReply(() => 1),
};

/** A service whose every provider wants the first key, which stands in files. */
async function keyedWorld() {
  const folder = temporaryDirectory();
  const files = VARIABLES.map((variable) => join(folder, variable));
  for (const file of files) writeFileSync(file, FIRST);
  const guard = await LlmGuardServer.start();
  onTestFinished(() => guard.close());
  guard.token = FIRST;
  const langfuse = await OtlpReceiver.start();
  const world = await World.start({
    clock: systemClock,
    documents: { acme: { "lockout.md": LOCKOUT, "spill.md": SPILL } },
    respond,
    apiKey: FIRST,
    environment: Object.fromEntries(VARIABLES.map((variable, i) => [`${variable}_FILE`, files[i]!])),
    config: {
      "guard.url": guard.url,
      "embedding.provider": "openai",
      "embedding.dimensions": 8,
      "rerank.provider": "openai",
      "traces.langfuse_host": langfuse.url,
      "traces.langfuse_public_key": "pk-1",
    },
  });
  const ann = (await world.relay()).user("acme", "ann");
  /** Asks aloud, and is answered; which of the providers were asked, with which key. */
  const ask = async (n: number): Promise<readonly string[]> => {
    const from = world.server.requests.length;
    world.server.expectTranscription(transcriptReply(QUESTIONS[n]!));
    ann.say(n, await spokenPackets(QUESTIONS[n]!), { request_id: `r-${n}` });
    expect((await ann.answered(`r-${n}`)).text).toContain("padlock");
    await world.happened("turn_finished", n + 1);
    const asked = world.server.requests.slice(from);
    return [...new Set(asked.map(({ path, headers }) => `${path} ${headers.authorization}`))].sort();
  };
  return { ask, files, guard, langfuse, world };
}

const everywhere = (key: string) =>
  ["audio/speech", "audio/transcriptions", "chat/completions", "embeddings", "rerank"].map(
    (route) => `/v1/${route} Bearer ${key}`,
  );

/** What Langfuse is shown with this key. */
const shown = (key: string) => `Basic ${Buffer.from(`pk-1:${key}`).toString("base64")}`;

test("a key that is replaced in its file is that of the next request; while a file is gone the last one holds", async () => {
  const { ask, files, guard, langfuse, world } = await keyedWorld();
  const seenByLangfuse = async (key: string) => {
    while (!langfuse.requests.some(({ headers }) => headers.authorization === shown(key)))
      await delay(LOOK_MS);
  };
  expect(await ask(0)).toEqual(everywhere(FIRST));
  await seenByLangfuse(FIRST);

  // Written again until it is seen: the service looks at its files for the first time when it has been there for a while.
  while (world.eventsOf("files_reread").length === 0) {
    for (const file of files) writeFileSync(file, `${SECOND}\n`);
    await delay(LOOK_MS);
  }
  world.server.apiKey = SECOND;
  guard.token = SECOND;
  const scanned = guard.prompts.length;
  expect(await ask(1)).toEqual(everywhere(SECOND));
  expect(guard.prompts.length).toBeGreaterThan(scanned);
  await seenByLangfuse(SECOND);

  rmSync(files[0]!);
  const { what, error } = await world.happened("files_unusable");
  expect([what, error]).toEqual(["settings", expect.stringContaining("stays in force")]);
  expect(await (await fetch(address(world, "/readyz"))).json()).toMatchObject({
    unusable_files: ["settings"],
  });
  expect(await ask(2)).toEqual(everywhere(SECOND));

  expect(world.eventsOf("turn_finished").map(({ result }) => result)).toEqual(Array(3).fill("answered"));
  expect(world.eventsOf("model_failed")).toEqual([]);
  for (const key of [FIRST, SECOND]) expect(world.log).not.toContain(key);
});
