/**
 * Text that is meant to keep the process busy, sent through each door that takes a question, and written by a model:
 * meanwhile another relay's keep_alives and `/healthz` are answered. The service is a process of its own, so that what
 * blocks it does not block those who watch.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loadConfig } from "../../src/config/load.js";
import { serve } from "../e2e/child.js";
import { LOCKOUT } from "../e2e/documents.js";
import { TestRelay } from "../e2e/relay.js";
import { ingestFolder, temporaryDirectory } from "../e2e/world.js";
import { FAMILIES } from "../support/doubling.js";
import { type ChatReply, searchReply, textReply, toolReply } from "../support/openai-replies.js";
import { OpenAiServer, type OpenAiServerOptions } from "../support/openai-server.js";
import { watched } from "./support/bystander.js";

/** UTF-16 units of a question, of a line of history and of an attachment. */
const QUESTION_CHARS = 3_900;
const LINE_CHARS = 20_000;
const ATTACHED_CHARS = 60_000;

/** Families of text that met something quadratic once, and one that never did. */
const HOSTILE = [
  "digits and blanks",
  "CJK",
  "CJK sentences",
  "blanks",
  "commas",
  "nested brackets",
  "one long word",
];

/** Answers that others get while an attack is under way, at the least. */
const ANSWERED_MIN = 3;

/** Of the loop's time under an attack, between two keep_alives. */
const SHARE_MAX = 1 / 3;

/** Pieces of a model's answer, for want of an end. */
const PIECES_MAX = 200_000;

const texts = (chars: number) =>
  FAMILIES.filter(({ name }) => HOSTILE.includes(name)).map(({ text }) => text(chars));

async function begin(environment: Readonly<Record<string, string>> = {}) {
  const directory = temporaryDirectory();
  const data = join(directory, "data");
  const documents = join(directory, "documents");
  mkdirSync(documents);
  writeFileSync(join(documents, "lockout.md"), LOCKOUT);
  for (const [i, text] of texts(LINE_CHARS).entries())
    writeFileSync(
      join(documents, `hostile-${i}.md`),
      `# Press ${i}\n\nThe padlock of press ${i} is red. ${text}\n`,
    );
  await ingestFolder(documents, "acme", loadConfig({}, { data_dir: data }));
  return serve({ READBACK_DATA_DIR: data, ...environment });
}

type Served = Awaited<ReturnType<typeof serve>>;
type Ports = Served["ports"];

/** The status of each request; all of them are under way at once. */
function post(ports: Ports, path: string, bodies: readonly object[]): Promise<readonly number[]> {
  return Promise.all(
    bodies.map(async (body) => {
      const response = await fetch(`http://127.0.0.1:${ports.http}${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      await response.arrayBuffer();
      return response.status;
    }),
  );
}

/** Holds that the others were served in between, and prints how long they had to wait. */
async function holds(
  { child, ports }: Served,
  name: string,
  attack: () => Promise<readonly number[]>,
): Promise<void> {
  const { result, keepAlives, healthChecks, longestWaitMs, rounds } = await watched(ports, attack, child.pid);
  console.log(
    `${name}: ${result.length} requests (${[...new Set(result)].join(", ")}); meanwhile ${keepAlives} keep_alives, ` +
      `${healthChecks} health checks, the longest wait ${longestWaitMs.toFixed(0)} ms; ${rounds}`,
  );
  expect(result.filter((status) => status >= 500 && status !== 503)).toEqual([]);
  expect(keepAlives).toBeGreaterThanOrEqual(ANSWERED_MIN);
  expect(healthChecks).toBeGreaterThanOrEqual(ANSWERED_MIN);
  expect(rounds.longestShare).toBeLessThan(SHARE_MAX);
}

const user = (i: number) => ({ network: "acme", username: `mallory-${i}` });

describe("text that is meant to keep the process busy", () => {
  test("in the question, the history and the attachments of /api/v1/answers", async () => {
    const served = await begin();
    const { ports } = served;
    const answers = (name: string, bodies: readonly object[]) =>
      holds(served, name, () => post(ports, "/api/v1/answers", bodies));
    await answers(
      "questions",
      texts(QUESTION_CHARS).map((text, i) => ({
        ...user(i),
        text: `How red is the padlock ${text}`.slice(0, 4_000),
      })),
    );
    await answers(
      "CJK of a permitted length",
      Array.from({ length: 20 }, (_, i) => ({ ...user(i), text: "漢".repeat(990) })),
    );
    await answers(
      "lines of history",
      texts(LINE_CHARS).map((text, i) => ({
        ...user(i),
        text: "And the padlock of press 4?",
        history: Array.from({ length: 300 }, (_, line) => ({
          role: line % 2 === 0 ? "user" : "assistant",
          text: line > 296 ? text : "Which padlock?",
        })),
      })),
    );
    await answers(
      "attachments",
      texts(ATTACHED_CHARS).map((text, i) => ({
        ...user(i),
        text: "What does this selected text say about press 4?",
        context: { selected_text: text, editor_content: text, extra_context: { usage: text } },
      })),
    );
  });

  test("among the names of a site that has thousands", async () => {
    const names = ["pump", "press", "label printer", "freezer"];
    const resources = Array.from({ length: 5_000 }, (_, i) => ({
      address: `unit-${i}`,
      kind: "service",
      names: [`${names[i % names.length]} ${i}`],
    }));
    const config = join(temporaryDirectory(), "config.json");
    const site = { name: "plant", networks: ["acme"], server: { type: "host" }, resources };
    writeFileSync(config, JSON.stringify({ sites: [site] }));
    const served = await begin({ READBACK_CONFIG: config });
    const asked = ["pump and press and ", "pamp tu fraser for lable printar ", "is pump 2 running "];
    await holds(served, "names", () =>
      post(
        served.ports,
        "/api/v1/answers",
        asked.map((text, i) => ({ ...user(i), text: text.repeat(200).slice(0, 600) })),
      ),
    );
  });

  test("in conversations of OpenAI's and Ollama's protocols", async () => {
    const served = await begin();
    const conversation = (text: string) => [
      { role: "user", content: text.slice(0, LINE_CHARS) },
      { role: "assistant", content: text },
      { role: "user", content: "Which padlock does press 4 have?" },
    ];
    const bodies = texts(LINE_CHARS).map((text) => ({
      model: "readback",
      messages: conversation(text),
      stream: false,
      user: JSON.stringify({ network: "acme", username: "mallory" }),
    }));
    for (const path of ["/v1/chat/completions", "/api/chat"])
      await holds(served, path, () => post(served.ports, path, bodies));
  });

  test("from many users of one relay", async () => {
    const served = await begin();
    const relay = await TestRelay.connect(served.ports.relay);
    const attack = async () => {
      const users = Array.from({ length: 60 }, (_, i) => relay.user("acme", `mallory-${i}`));
      for (const one of users) one.ask("漢".repeat(990), { request_id: "r" });
      for (const one of users)
        await one.until((frames) => frames.some(({ json }) => json?.request_id === "r"), "an answer");
      return users.map(() => 200);
    };
    await holds(served, "ai_message", attack);
    const refused = relay.user("acme", "trudy");
    refused.ask("漢".repeat(3_900));
    expect(await refused.received("ai_message_error")).toMatchObject({
      code: "message_too_long",
      error: "The message has 3900 words and the limit is 1000. Send a shorter one.",
    });
    relay.close();
  });
});

describe("a model that never stops", () => {
  const withModel = async (chat: (isFirst: boolean) => ChatReply) => {
    const respond: OpenAiServerOptions["respond"] = {
      chat: ({ body }) => chat(body.stream !== true),
    };
    const server = await OpenAiServer.start({ respond });
    const served = await begin({
      READBACK_LLM_BASE_URL: server.baseUrl,
      READBACK_LLM_API_KEY: server.apiKey,
      READBACK_LLM_RETRY_DELAY_MS: "0",
    });
    return { server, served };
  };
  const ask = (ports: Ports, count: number) =>
    post(
      ports,
      "/api/v1/answers",
      Array.from({ length: count }, (_, i) => ({ ...user(i), text: "Which padlock does press 4 have?" })),
    );

  test.each([
    { name: "in the arguments of its call", written: "a ".repeat(500_000) },
    { name: "in brackets", written: "{".repeat(1_000_000) },
  ])("$name", async ({ name, written }) => {
    const reply = toolReply([
      { name: "retrieve_relevant_documents", arguments: JSON.stringify({ search_query: written }) },
    ]);
    const { served, server } = await withModel(() => reply);
    await holds(served, `a model that never stops ${name}`, () => ask(served.ports, 6));
    await server.close();
  });

  test.each([
    { name: "in its text", piece: "The padlock of press 4 is red. ", begin: "" },
    { name: "in one word", piece: "aaaaaaaaaaaaaaaa", begin: "" },
    { name: "thinking aloud", piece: "Which padlock is it? ", begin: "<think>" },
  ])("$name", async ({ name, piece, begin }) => {
    let sent = 0;
    const pieces = function* () {
      yield begin;
      for (; sent < PIECES_MAX; sent++) yield piece;
    };
    const { served, server } = await withModel((isFirst) =>
      isFirst ? searchReply("padlock press 4") : textReply(pieces()),
    );
    await holds(served, `a model that never stops ${name}`, () => ask(served.ports, 2));
    // The request is given up long before the model would have ended.
    expect(sent).toBeLessThan(PIECES_MAX);
    await server.close();
  });
});
