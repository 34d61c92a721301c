import { describe, expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { searchCall } from "../../test/support/fake-model.js";
import { passage } from "../../test/support/fake-retrieval.js";
import { english } from "../../test/support/locales.js";
import type { AskRequest, Persona } from "../capability/capability.js";
import { countTokens } from "../lib/tokens.js";
import { loadPrompts } from "../llm/prompts.js";
import { HISTORY_TOKENS_MAX, RETRIEVED_TOKENS_MAX } from "./budget.js";
import { openingMessages, resultMessages } from "./messages.js";
import { phrasesFor } from "./phrases.js";
import type { SearchResult } from "./search.js";

const prompts = await loadPrompts();
const phrases = phrasesFor("default", english);
const request: AskRequest = {
  question: "And after that?",
  history: [],
  access: { network: "plant", username: "ann", groups: [], kiosk: false },
  locale: english,
  persona: "default",
  responseType: "audio",
  beginByMs: 0,
  telemetry: new RecordedEvents(),
  rewind: () => true,
};

describe("openingMessages", () => {
  it("are the persona, what is remembered, and the question", () => {
    const history = [
      { role: "user", text: "How do I lock it?", sources: [] },
      { role: "assistant", text: "Turn the key.", sources: [] },
    ] as const;
    const [system, ...rest] = openingMessages({ ...request, history }, phrases, prompts);
    expect(system).toMatchObject({ role: "system" });
    expect(rest).toEqual([
      { role: "user", content: "How do I lock it?" },
      { role: "assistant", content: "Turn the key." },
      {
        role: "user",
        content: "And after that?",
        foreign: [{ what: "question", text: "And after that?" }],
      },
    ]);
  });

  it("say what of the question the caller attached", () => {
    const context = { selectedText: "Valve 7 is shut.", extraContext: "" };
    const asked = openingMessages({ ...request, context }, phrases, prompts).at(-1);
    expect(asked?.foreign).toEqual([
      { what: "attached_text", text: "Valve 7 is shut." },
      { what: "question", text: "And after that?" },
    ]);
  });

  it("hold as much of the past as its budget allows", () => {
    const long = { role: "user", text: "word ".repeat(HISTORY_TOKENS_MAX), sources: [] } as const;
    const short = { role: "assistant", text: "Yes.", sources: [] } as const;
    const messages = openingMessages({ ...request, history: [long, short] }, phrases, prompts);
    expect(messages.slice(1).map(({ role }) => role)).toEqual(["assistant", "user"]);
  });

  it.each(["default", "onboarding", "kiosk"] as const)(
    "leave no variable of the %s persona open",
    (persona: Persona) => {
      const own = phrasesFor(persona, english);
      for (const responseType of ["text", "audio"] as const) {
        const [system] = openingMessages({ ...request, persona, responseType }, own, prompts);
        const content = system?.role === "system" ? system.content : "";
        expect(content).toContain(own.notInDocuments);
        expect(content).toContain(prompts.render(`output-${responseType}`));
        expect(content).not.toMatch(/%\w+%/);
      }
    },
  );
});

describe("resultMessages", () => {
  const [one, two] = [
    passage("one", "Turn the key.", { title: "Lockout", revision: "4", headings: ["Press", "Before work"] }),
    passage("two", "Wear gloves."),
  ];
  const found = (...passages: ReturnType<typeof passage>[]): SearchResult => ({
    type: "found",
    query: "q",
    passages,
  });
  const searches = (...queries: string[]) =>
    queries.map((query, i) => ({ call: searchCall(query, i), query }));
  const contents = async (...args: Parameters<typeof resultMessages>) =>
    (await resultMessages(...args)).messages.flatMap((message) =>
      message.role === "tool" ? [message.content] : [],
    );

  it("repeat the model's calls as it wrote them and answer each, in order", async () => {
    const planned = searches("lock", "gloves");
    const { messages, truncated } = await resultMessages(planned, [found(one), found(two)], phrases, prompts);
    expect(messages[0]).toEqual({ role: "tool_calls", calls: planned.map(({ call }) => call) });
    expect(messages.slice(1)).toMatchObject([
      { role: "tool", callId: "call_1" },
      { role: "tool", callId: "call_2" },
    ]);
    expect(truncated).toBe(false);
  });

  it("show a passage with what is known of its source", async () => {
    const [content] = await contents(searches("lock"), [found(one)], phrases, prompts);
    expect(content).toContain("[Passage 1]");
    for (const known of ["Lockout", "4", "Press, Before work", "Turn the key."])
      expect(content).toContain(known);
  });

  it("show a line only where something is known for it", async () => {
    const paged = passage("p", "Turn the key.", { title: "Lockout", page: 3, supersedes: ["2", "1"] });
    const [bare, known] = await contents(searches("a", "b"), [found(two), found(paged)], phrases, prompts);
    expect(bare).not.toMatch(/Revision|Section|Page/);
    expect(known).toContain("Page: 3\n");
    expect(known).toContain("Replaces revision: 2, 1\n");
    expect(known).not.toContain("Section");
  });

  it("show source text with what it is", async () => {
    const kind = { docType: "code", blockType: "function", tags: ["uses_http", "uses_auth"] } as const;
    const code = passage("f#1", "def login():\n    pass", {
      kind,
      headings: ["auth"],
      sourceFile: "app/auth.py",
    });
    const [content] = await contents(searches("login"), [found(code)], phrases, prompts);
    for (const line of [
      "code]",
      "Id: f#1",
      "Type: code",
      "Block: function",
      "Section: auth",
      "File: app/auth.py",
    ])
      expect(content).toContain(line);
    expect(content).toContain("Tags: uses_http, uses_auth\n");
    expect(content).toContain("def login():\n    pass\n");
  });

  it("show a passage once, and number all of them through", async () => {
    const [first, second, third] = await contents(
      searches("a", "b", "c"),
      [found(one), found(one, two), found(two)],
      phrases,
      prompts,
    );
    expect(first).toContain("[Passage 1]");
    expect(second).toContain("[Passage 2]");
    expect(second).not.toContain("Turn the key.");
    expect(third).toBe("No further passages.");
  });

  it("tell nothing found from not searched", async () => {
    const [none, down] = await contents(
      searches("a", "b"),
      [found(), { type: "unavailable", error: "down", query: "b" }],
      phrases,
      prompts,
    );
    expect(none).toBe(prompts.render("passages-none"));
    expect(down).toContain(phrases.searchUnavailable);
  });

  it("cut what exceeds the budget, and tell by how much", async () => {
    const long = (id: string) => passage(id, "word ".repeat(1_000).trim());
    const results = await resultMessages(
      searches("a", "b"),
      [found(long("a"), long("b")), found(long("c"), long("d"))],
      phrases,
      prompts,
    );
    expect(results.truncated).toBe(true);
    expect(results.tokens).toBe(4_000);
    const shown = results.messages.flatMap((message) => (message.role === "tool" ? [message.content] : []));
    const words = shown.join(" ").match(/\bword\b/g)!;
    expect(words).toHaveLength(RETRIEVED_TOKENS_MAX);
    expect(countTokens(words.join(" "))).toBe(RETRIEVED_TOKENS_MAX);
  });
});
