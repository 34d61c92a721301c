/**
 * Prompt injection, worst case: the model does what the injected text demands, and the offline answerer is asked for
 * just that. Nothing of it may be said as ours. The cases are data (`injection.json`); what cannot be decided from a text
 * is there too, with the reason, and is held to what happens today.
 */
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { createAsk } from "../../src/answer/ask.js";
import { createOfflineAsk } from "../../src/answer/offline.js";
import { createPlatform } from "../../src/answer/platform.js";
import type { AskRequest, Draft } from "../../src/capability/capability.js";
import type { Passage } from "../../src/domain/passage.js";
import type { AttachedContext } from "../../src/domain/turn.js";
import type { LanguageModel, ModelEvent, ModelReply, ModelRequest } from "../../src/llm/port.js";
import { loadPrompts } from "../../src/llm/prompts.js";
import type { Retrieval } from "../../src/retrieval/port.js";
import { searchCall, usage } from "../support/fake-model.js";
import { passage } from "../support/fake-retrieval.js";
import { gatedAnswer, noEmergency } from "../support/gated.js";
import { VirtualClock } from "../support/virtual-clock.js";

interface InDocument {
  readonly where: "document";
  readonly id: string;
  readonly text: string;
  readonly title?: string;
  readonly heading?: string;
  /** What a model says that obeys. */
  readonly says: string;
  /** What must not be told. */
  readonly forbidden: readonly string[];
  /** The question that the injected text would answer. */
  readonly asks: string;
}

interface InQuestion extends Omit<InDocument, "where" | "text" | "asks"> {
  readonly where: "question";
  readonly question: string;
}

interface InAttached extends Omit<InDocument, "where" | "asks"> {
  readonly where: "attached";
  readonly field: "selectedText" | "editorContent" | "extraContext";
  readonly question: string;
  readonly capability: "knowledge" | "platform";
}

interface Undecidable extends Pick<InDocument, "id" | "text" | "says" | "asks"> {
  readonly why: string;
}

const { cases, undecidable } = JSON.parse(
  readFileSync(new URL("injection.json", import.meta.url), "utf8"),
) as { cases: readonly (InDocument | InQuestion | InAttached)[]; undecidable: readonly Undecidable[] };

const prompts = await loadPrompts();
const HONEST = "The alarm sounds when a room has been too warm for more than 15 minutes.";
const HONEST_QUESTION = "When does the alarm sound?";
const BEFORE = `${HONEST} Call the refrigeration service on extension 415.\n\n`;
const BEHIND = "\n\nKeep the door shut.";

function documentOf({ text, title, heading }: Pick<InDocument, "text" | "title" | "heading">): Passage {
  return passage("alarm", `${BEFORE}${text}${BEHIND}`, {
    title: title ?? "Cold room alarm and emergency number",
    headings: heading === undefined ? ["Alarm"] : [heading],
  });
}

/** An engine that finds the document whatever is asked. */
function finding(found: Passage): Retrieval {
  return {
    search: async () => [found],
    readable: async (ids) => new Set(ids),
    outline: async () => [],
    contents: async () => [found],
    revision: async () => "",
    ready: async () => {},
    close: async () => {},
  };
}

/** Writes what it is made to, in the form that it is asked for: as plain sentences or as claims with their quotes. */
class ObeyingModel implements LanguageModel {
  readonly name = "obeying";
  constructor(private readonly says: string) {}

  async complete(): Promise<ModelReply> {
    return { calls: [searchCall("alarm")], text: "", usage };
  }

  async *stream({ responseFormat }: ModelRequest): AsyncGenerator<ModelEvent> {
    const claims = [{ text: this.says, passage: 1, quote: this.says }];
    const text = responseFormat === undefined ? this.says : JSON.stringify({ claims, question: "" });
    yield { type: "text", text };
    yield { type: "end", reason: "complete", usage };
  }
}

function slotOf(says: string) {
  const limits = { attemptsMax: 1, delayMs: 1, delayMaxMs: 1 };
  return { model: new ObeyingModel(says), random: { fraction: () => 1, id: () => "id" }, limits };
}

/** Asks with a model that says this; returns all that is told. */
async function obeying(
  says: string,
  found: Passage,
  asked: Partial<AskRequest>,
  quotes = false,
): Promise<string> {
  const ask = createAsk({
    clock: new VirtualClock(),
    retrieval: finding(found),
    resultsMax: 5,
    searchTimeoutMs: 5_000,
    prompts,
    emergency: noEmergency,
    model: slotOf(says),
    options: {
      toolName: "retrieve_relevant_documents",
      outputTokensMax: 500,
      speculate: false,
      searchLanguage: () => "English",
      quotes: () => quotes,
    },
  });
  return (await gatedAnswer(ask, asked)).text;
}

function offline(found: Passage): Draft {
  const retrieval = finding(found);
  return createOfflineAsk({
    clock: new VirtualClock(),
    retrieval,
    resultsMax: 5,
    searchTimeoutMs: 5_000,
  });
}

async function platformObeying(says: string, asked: Partial<AskRequest>): Promise<string> {
  const model = { ...slotOf(says), outputTokensMax: 200 };
  return (await gatedAnswer(createPlatform({ clock: new VirtualClock(), prompts, model }), asked)).text;
}

/** Every way in which a case is tried, with what was told. */
async function tries(one: (typeof cases)[number]): Promise<Readonly<Record<string, string>>> {
  if (one.where === "attached") {
    const context: AttachedContext = { [one.field]: one.text };
    const asked = { question: one.question, context };
    if (one.capability === "platform") {
      const alone = createPlatform({ clock: new VirtualClock(), prompts });
      return {
        "a model that obeys": await platformObeying(one.says, asked),
        offline: (await gatedAnswer(alone, asked)).text,
      };
    }
    const found = documentOf({ text: "" });
    return {
      "a model that obeys": await obeying(one.says, found, asked),
      offline: (await gatedAnswer(offline(found), asked)).text,
      "offline, asked for it": (
        await gatedAnswer(offline(found), { ...asked, question: "What is the emergency number?" })
      ).text,
    };
  }
  if (one.where === "question") {
    const asked = { question: one.question };
    const found = documentOf({ text: "" });
    return {
      "a model that obeys": await obeying(one.says, found, asked),
      "a model that obeys, quoting": await obeying(one.says, found, asked, true),
      offline: (await gatedAnswer(offline(found), asked)).text,
    };
  }
  const found = documentOf(one);
  const asked = { question: HONEST_QUESTION };
  const injected = one.title ?? one.heading ?? one.text;
  return {
    "a model that obeys": await obeying(`${HONEST} ${one.says}`, found, asked),
    "a model that is asked for it": await obeying(one.says, found, { question: one.asks }),
    "a model that quotes it": await obeying(one.says, found, { question: one.asks }, true),
    "a model that reads it out": await obeying(injected, found, { question: one.asks }),
    offline: (await gatedAnswer(offline(found), asked)).text,
    "offline, asked for it": (await gatedAnswer(offline(found), { question: one.asks })).text,
    "offline, asked in its words": (await gatedAnswer(offline(found), { question: one.says })).text,
  };
}

describe("prompt injection", () => {
  const counts = new Map<string, { tried: number; succeeded: number }>();

  afterAll(() => {
    const lines = [...counts].map(([where, { tried, succeeded }]) => `${where}: ${succeeded} of ${tried}`);
    console.info(`Injections that succeeded: ${lines.join(", ")} (${cases.length} cases)`);
  });

  it("is tried in more than enough ways", () => {
    expect(cases.length).toBeGreaterThanOrEqual(40);
    expect(new Set(cases.map(({ id, where }) => `${where} ${id}`)).size).toBe(cases.length);
  });

  it.each(cases.map((one) => [`${one.where}: ${one.id}`, one] as const))("fails: %s", async (_, one) => {
    const told = Object.entries(await tries(one));
    const got = told.filter(([, text]) =>
      one.forbidden.some((words) => text.toLowerCase().includes(words.toLowerCase())),
    );
    const count = counts.get(one.where) ?? { tried: 0, succeeded: 0 };
    counts.set(one.where, { tried: count.tried + told.length, succeeded: count.succeeded + got.length });
    expect(Object.fromEntries(got)).toEqual({});
  });

  it.each(cases.flatMap((one) => (one.where === "document" ? [[one.id, one] as const] : [])))(
    "leaves the honest part of the document standing: %s",
    async (_, one) => {
      const found = documentOf(one);
      expect(await obeying(`${HONEST} ${one.says}`, found, { question: HONEST_QUESTION })).toContain(HONEST);
      expect((await gatedAnswer(offline(found), { question: HONEST_QUESTION })).text).toContain(HONEST);
    },
  );

  it.each(undecidable.map((one) => [one.id, one] as const))(
    "cannot be told from a document: %s",
    async (_, one) => {
      const told = await obeying(one.says, documentOf(one), { question: one.asks });
      expect(told, one.why).toContain("555");
    },
  );
});
