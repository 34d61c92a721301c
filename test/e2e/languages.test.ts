/** Fixed phrases in the language of the turn: asked for, configured for the network, or told by the question. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { locales } from "../support/locales.js";
import { searchReply, speechReply, textReply } from "../support/openai-replies.js";
import { World, type WorldOptions } from "./world.js";

const COLD_ROOM =
  "---\ntitle: Cold room rules\nrevision: 2026-03\n---\n# Cold room rules\n\nThe cold room door stays open for at most 10 minutes.\n";
const documents = { acme: { "cold-room.md": COLD_ROOM }, usine: { "cold-room.md": COLD_ROOM } };

const OFFLINE = { "llm.provider": "offline" };

const NOT_FOUND = (language: string) => locales.of(language).say("not_in_documents");

const ABOUT_NOTHING: Readonly<Record<string, string>> = {
  en: "What is the rule for smoking on the roof?",
  es: "¿Cuál es la norma para fumar en el tejado?",
  fr: "Quelle est la règle pour fumer sur le toit ?",
  de: "Was gilt für das Rauchen auf dem Dach?",
  pl: "Jaka jest zasada palenia na dachu?",
  uk: "Яке правило щодо куріння на даху?",
};

function start(config: Readonly<Record<string, unknown>>, more: WorldOptions = {}): Promise<World> {
  return World.start({
    documents,
    config: { "retrieval.speculate": false, ...config },
    respond: { speech: () => speechReply({ packets: 1 }) },
    ...more,
  });
}

async function overHttp(world: World, text: string, more: object = {}) {
  const response = await fetch(`http://127.0.0.1:${world.ports.http}/api/v1/answers`, {
    method: "POST",
    headers: { "content-type": "application/json", connection: "close" },
    body: JSON.stringify({ network: "acme", username: "zoe", text, ...more }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as { outcome: string; answer: string; claims: unknown[] };
}

const OPEN_VALVE: Readonly<Record<string, string>> = {
  en: "Open valve 3.",
  es: "Abre la válvula 3.",
  fr: "Ouvre la vanne 3.",
  de: "Öffne Ventil 3.",
  pl: "Otwórz zawór 3.",
  uk: "Відкрий клапан 3.",
};

test.each(Object.entries(OPEN_VALVE))(
  "an order is told that nothing can be operated, in its own language: %s",
  async (language, order) => {
    const world = await start(OFFLINE);
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask(order);
    expect(await ann.answered()).toMatchObject({ text: locales.of(language).say("operate_not_offered") });
    const answer = locales.of(language).say("operate_not_offered");
    expect(await overHttp(world, order)).toMatchObject({ outcome: "not_offered", answer });
  },
);

describe("a question that the documents do not answer", () => {
  test.each(Object.entries(ABOUT_NOTHING))(
    "is told so in its own language: %s",
    async (language, question) => {
      const world = await start(OFFLINE);
      const ann = (await world.relay()).user("acme", "ann");
      ann.ask(question);
      expect(await ann.answered()).toMatchObject({ text: NOT_FOUND(language) });
      ann.askAloud(question, { request_id: "r-2" });
      await ann.answered("r-2");
      expect(world.server.speeches.map(({ input }) => input).join(" ")).toBe(NOT_FOUND(language));
    },
  );

  test.each(Object.keys(ABOUT_NOTHING))(
    "is told so in the language that is asked for: %s",
    async (language) => {
      const world = await start(OFFLINE);
      const ann = (await world.relay()).user("acme", "ann");
      ann.ask(ABOUT_NOTHING.en!, { language });
      expect(await ann.answered()).toMatchObject({ text: NOT_FOUND(language) });
      const answer = await overHttp(world, ABOUT_NOTHING.de!, { language: `${language}-MX` });
      expect(answer).toMatchObject({ outcome: "not_in_documents", answer: NOT_FOUND(language) });
    },
  );

  test("is told so in the language of its network, unless another is asked for", async () => {
    const world = await start({ ...OFFLINE, "locale.language_by_network": { usine: "fr" } });
    const marie = (await world.relay()).user("usine", "marie");
    marie.ask(ABOUT_NOTHING.en!);
    expect(await marie.answered()).toMatchObject({ text: NOT_FOUND("fr") });
    marie.ask(ABOUT_NOTHING.en!, { language: "pl", request_id: "r-2" });
    expect(await marie.answered("r-2")).toMatchObject({ text: NOT_FOUND("pl") });
    expect(await overHttp(world, ABOUT_NOTHING.de!)).toMatchObject({ answer: NOT_FOUND("de") });
  });

  test("is told so in the language that is usual here, where nothing tells another", async () => {
    const world = await start({ ...OFFLINE, "locale.default_language": "uk" });
    expect(await overHttp(world, "Pozzo X9?")).toMatchObject({ answer: NOT_FOUND("uk") });
    expect(await overHttp(world, ABOUT_NOTHING.es!)).toMatchObject({ answer: NOT_FOUND("es") });
  });
});

test("a word or two do not change the language of a chat", async () => {
  const world = await start(OFFLINE);
  const ann = (await world.relay()).user("acme", "ann");
  ann.ask(ABOUT_NOTHING.es!, { request_id: "r-1" });
  await ann.answered("r-1");
  ann.ask("Compressor X9?", { request_id: "r-2" });
  expect(await ann.answered("r-2")).toMatchObject({ text: NOT_FOUND("es") });
  ann.ask(ABOUT_NOTHING.en!, { request_id: "r-3" });
  expect(await ann.answered("r-3")).toMatchObject({ text: NOT_FOUND("en") });
});

test("the source of an answer is named in the language that it is asked for in", async () => {
  const world = await start(OFFLINE);
  const ann = (await world.relay()).user("acme", "ann");
  ann.ask("How long may the cold room door stay open?", { request_id: "r-1" });
  await ann.answered("r-1");
  ann.askAloud("Wo steht das?", { request_id: "r-2", language: "de" });
  const said = "Das stammt aus Cold room rules, Stand März 2026.";
  expect(await ann.answered("r-2")).toMatchObject({ text: said });
});

describe("the model", () => {
  const respond = (says: string): WorldOptions["respond"] => ({
    chat: ({ body }) => (body.tool_choice === "required" ? searchReply("smoking rooftop") : textReply(says)),
  });

  test.each([
    ["es", { language: "es" }, 'the language with the BCP 47 tag "es", whatever'],
    [
      "es",
      {},
      'the language of the question, or, where its words do not tell, the language with the BCP 47 tag "es"',
    ],
  ])("is told the same language as the phrases are in: %s, %j", async (language, parameters, told) => {
    const world = await start({}, { respond: respond(NOT_FOUND(language)) });
    const ann = (await world.relay()).user("acme", "ann");
    ann.ask(ABOUT_NOTHING.es!, parameters);
    expect(await ann.answered()).toMatchObject({ text: NOT_FOUND(language) });
    expect(world.requestText).toContain(JSON.stringify(told).slice(1, -1));
    expect(world.requestText).toContain(NOT_FOUND(language));
    expect(world.requestText).not.toContain(NOT_FOUND("en"));
  });

  test.each(Object.entries(ABOUT_NOTHING))(
    "says that it does not know, and that is no claim: %s",
    async (language, question) => {
      const world = await start({}, { respond: respond(NOT_FOUND(language)) });
      expect(await overHttp(world, question)).toMatchObject({
        outcome: "not_in_documents",
        answer: NOT_FOUND(language),
        claims: [],
      });
    },
  );
});

test("an operator's own words take the place of those that come with the service", async () => {
  const dir = mkdtempSync(join(tmpdir(), "readback-own-locales-"));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, "es.json"), JSON.stringify({ not_in_documents: "Pregunte a la jefa de turno." }));
  const world = await start({ ...OFFLINE, "locale.dir": dir });
  expect(await overHttp(world, ABOUT_NOTHING.es!)).toMatchObject({ answer: "Pregunte a la jefa de turno." });
  expect(await overHttp(world, ABOUT_NOTHING.en!)).toMatchObject({ answer: NOT_FOUND("en") });
});
