import { beforeEach, describe, expect, it } from "vitest";
import { answerOf } from "../../test/support/evaluation.js";
import { RecordedEvents } from "../../test/support/events.js";
import { passage, ScriptedRetrieval } from "../../test/support/fake-retrieval.js";
import { english } from "../../test/support/locales.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import type { AskRequest } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import { documentSources } from "../domain/source-ref.js";
import { loadPrompts } from "../llm/prompts.js";
import { SearchUnavailable } from "../retrieval/port.js";
import { createOfflineAsk } from "./offline.js";
import { phrasesFor } from "./phrases.js";

const prompts = await loadPrompts();
const phrases = phrasesFor("default", english);
const refunds = passage(
  "refunds",
  "A refund needs the receipt. Refunds are paid within 14 days of the purchase. Vouchers are not refunded.",
  { title: "Refund policy" },
);

let clock: VirtualClock;
let retrieval: ScriptedRetrieval;

beforeEach(() => {
  clock = new VirtualClock();
  retrieval = new ScriptedRetrieval();
});

async function ask(more: Partial<AskRequest>): Promise<DraftEvent[]> {
  const deps = {
    clock,
    retrieval,
    resultsMax: 5,
    searchTimeoutMs: 5_000,
    prompts,
  };
  const request: AskRequest = {
    question: "Within how many days are refunds paid?",
    history: [],
    access: { network: "shop", username: "ann", groups: [], kiosk: false },
    locale: english,
    persona: "default",
    responseType: "text",
    beginByMs: clock.monotonic() + 20_000,
    telemetry: new RecordedEvents(),
    rewind: () => true,
    ...more,
  };
  const told: DraftEvent[] = [];
  for await (const event of createOfflineAsk(deps)(request, new AbortController().signal)) told.push(event);
  retrieval.verify();
  return told;
}

describe("answering offline", () => {
  it("says the sentences that fit, word for word", async () => {
    retrieval.expectSearch("Within how many days are refunds paid?", [refunds]);
    const told = await ask({});
    expect(told[0]).toEqual({ type: "queries", queries: ["Within how many days are refunds paid?"] });
    expect(told[1]).toEqual({ type: "passages", passages: [refunds] });
    expect(told[2]).toMatchObject({
      text: expect.stringContaining("Refunds are paid within 14 days of the purchase."),
    });
    expect(told[3]).toEqual({ type: "end", searched: "found", degraded: false });
    expect(told).toHaveLength(4);
  });

  it("searches for the last two turns of the user where this one leans on that, with the access of this one", async () => {
    retrieval.expectSearch("What about refunds?\nAnd when are they paid?", [refunds]);
    await ask({
      question: "And when are they paid?",
      history: [
        { role: "user", text: "What about refunds?", sources: [] },
        { role: "assistant", text: "A refund needs the receipt.", sources: documentSources(["doc-refunds"]) },
      ],
      access: { network: "shop", username: "ann", groups: ["till"], kiosk: true },
    });
    expect(retrieval.accesses).toEqual([{ network: "shop", username: "ann", groups: ["till"], kiosk: true }]);
  });

  it("says first that it is not the whole procedure, when it has too many steps to be read out", async () => {
    const steps = Array.from(
      { length: 40 },
      (_, i) => `${i + 1}. Close valve number ${i + 1} of the boiler by hand.`,
    );
    const shutdown = passage("boiler", steps.join("\n"), {
      title: "Boiler shutdown",
      headings: ["Shut down the boiler"],
    });
    retrieval.expectSearch("How do I shut down the boiler?", [shutdown]);
    const told = await ask({ question: "How do I shut down the boiler?" });
    expect(told[2]).toEqual({ type: "phrase", text: phrases.partOfProcedure("Boiler shutdown") });
    const text = told[3]?.type === "text" ? told[3].text : "";
    expect(text).toContain("Close valve number 1 of the boiler by hand.");
    expect(text).not.toContain("number 40");
    expect(told[4]).toEqual({ type: "phrase", text: phrases.goOn });
    const said = text.match(/Step \d+:/g)!.length;
    expect(told[5]).toMatchObject({
      type: "end",
      outcome: "partial",
      options: [{ words: "", means: { type: "rest", said } }],
    });
    retrieval.expectSearch("How do I shut down the boiler?", [shutdown]);
    const rest = await ask({ question: "How do I shut down the boiler?", alreadySaid: said });
    expect(JSON.stringify(rest)).toContain(`Step ${said + 1}: `);
  });

  it("goes on with the document that was chosen, which a yes to the rest still means", async () => {
    const steps = Array.from({ length: 40 }, (_, i) => `${i + 1}. Close valve number ${i + 1} by hand.`);
    const boiler = passage("boiler", steps.join("\n"), { title: "Boiler", headings: ["Shutdown"] });
    const oven = { ...boiler, chunkId: "oven", documentId: "doc-oven", title: "Oven" };
    const chosen = { documentId: boiler.documentId, asked: "How do I do the shutdown?" };
    const question = `${chosen.asked} Boiler`;
    retrieval.expectSearch(question, [oven, boiler]);
    const told = await ask({ question, chosen });
    expect(told.find(({ type }) => type === "passages")).toEqual({ type: "passages", passages: [boiler] });
    const end = told.at(-1);
    const means = end?.type === "end" ? end.options?.[0]?.means : undefined;
    expect(means).toMatchObject({ type: "rest", chosen });
  });

  it("reads nothing but the document that was chosen, even where it cannot be found any more", async () => {
    const chosen = { documentId: "doc-gone", asked: "When is the money back?" };
    const question = `${chosen.asked} Returns`;
    retrieval.expectSearch(question, [refunds]);
    const told = await ask({ question, chosen });
    expect(told.filter(({ type }) => type === "text")).toEqual([]);
    expect(told).toContainEqual({ type: "passages", passages: [] });
  });

  it("says one sentence at a kiosk", async () => {
    retrieval.expectSearch("Within how many days are refunds paid?", [refunds]);
    const told = await ask({ persona: "kiosk" });
    expect(told[2]).toEqual({ type: "text", text: "Refunds are paid within 14 days of the purchase." });
  });

  it("answers the question of two that the documents answer, and says that there is no more", async () => {
    const [first, second] = ["Within how many days are refunds paid", "who won the football match?"];
    retrieval.expectSearch(first, [refunds]).expectSearch(second, [refunds]);
    const told = await ask({ question: `${first}, and ${second}` });
    expect(told).toEqual([
      { type: "queries", queries: [first, second] },
      { type: "passages", passages: [refunds] },
      { type: "text", text: expect.stringMatching(/^Refunds are paid within 14 days of the purchase\./) },
      { type: "phrase", text: phrases.restNotCovered },
      { type: "end", searched: "found", degraded: false, outcome: "partial" },
    ]);
  });

  it("answers both of two questions", async () => {
    const [first, second] = ["Within how many days are refunds paid", "are the vouchers refunded?"];
    retrieval.expectSearch(first, [refunds]).expectSearch(second, [refunds]);
    const told = await ask({ question: `${first} and ${second}` });
    const texts = told.filter(({ type }) => type === "text").map((event) => JSON.stringify(event));
    expect(texts.join()).toContain("within 14 days");
    expect(texts.join()).toContain("Vouchers are not refunded.");
    expect(told.at(-1)).toEqual({ type: "end", searched: "found", degraded: false });
  });

  it("refuses two questions as one when the documents answer neither", async () => {
    const [first, second] = ["Who won the match", "what is for lunch today?"];
    retrieval.expectSearch(first, [refunds]).expectSearch(second, [refunds]);
    retrieval.expectSearch(`${first} and ${second}`, [refunds]);
    const told = await ask({ question: `${first} and ${second}` });
    expect(told.at(-1)).toEqual({ type: "end", searched: "found", degraded: false });
    expect(told.map(({ type }) => type)).toEqual(["queries", "passages", "end"]);
  });

  it("does not answer as a question of its own what leans on the one before", async () => {
    const lugs = passage("lugs", "The lugs are of copper.", { title: "Lugs" });
    const history = [{ role: "user", text: "How hot do the sockets get?", sources: [] }] as const;
    retrieval.expectSearch("How hot do the sockets get?\nAnd they, the lugs?", [lugs]);
    const told = await ask({ question: "And they, the lugs?", history });
    expect(told.filter(({ type }) => type === "text")).toEqual([]);
  });

  it("answers by the better evidence where the words do not tell whether a question leans on the one before", async () => {
    const opening = passage("opening", "The canteen opens at noon.", { title: "Canteen" });
    const canteen = passage("canteen", "The canteen stands behind hall 2.", { title: "Canteen" });
    const history = [{ role: "user", text: "Where do I get a helmet?", sources: [] }] as const;
    const joined = "Where do I get a helmet?\nWhere is the canteen?";
    retrieval.expectSearch("Where is the canteen?", [canteen]).expectSearch(joined, [opening]);
    const told = await ask({ question: "Where is the canteen?", history });
    expect(told.slice(0, 3)).toEqual([
      { type: "queries", queries: ["Where is the canteen?", joined] },
      { type: "passages", passages: [canteen] },
      { type: "text", text: "The canteen stands behind hall 2." },
    ]);
  });

  it("answers another question in place of a reply to a question back", async () => {
    const answer = answerOf("Which one?", { outcome: "ambiguous", passages: [refunds] });
    const history = [
      { role: "user", text: "Which extension do I call?", sources: [] },
      { role: "assistant", text: "Which one?", sources: [], answer },
    ] as const;
    retrieval.expectSearch("Within how many days are refunds paid?", [refunds]);
    const told = await ask({ history });
    expect(told[2]).toMatchObject({ text: expect.stringContaining("within 14 days") });
  });

  it("asks back which row of a table is meant", async () => {
    const rooms = passage(
      "rooms",
      "- Room: Cold room 1; Set point: 3 °C\n- Room: Cold room 2; Set point: 6 °C\n- Room: Freezer; Set point: -20 °C",
      { title: "Cold room alarm" },
    );
    retrieval.expectSearch("What is the set point of the room?", [rooms]);
    const told = await ask({ question: "What is the set point of the room?" });
    expect(told.slice(2)).toEqual([
      { type: "phrase", text: phrases.whichOne("Cold room 1, Cold room 2", "Freezer") },
      {
        type: "end",
        searched: "found",
        degraded: false,
        outcome: "ambiguous",
        options: ["Cold room 1", "Cold room 2", "Freezer"].map((words) => ({
          words,
          means: { type: "question", question: `What is the set point of the room ${words}` },
        })),
      },
    ]);
  });

  it.each([
    ["nothing was found", []],
    ["nothing fits", [passage("other", "The canteen opens at noon.")]],
  ] as const)("says nothing when %s", async (_, passages) => {
    for (const persona of ["default", "kiosk", "onboarding"] as const) {
      retrieval.expectSearch("Within how many days are refunds paid?", passages);
      const told = await ask({ persona });
      expect(told.slice(2)).toEqual([{ type: "end", searched: "found", degraded: false }]);
    }
  });

  it("does not say so when the search failed", async () => {
    retrieval.expectSearch("Within how many days are refunds paid?", new SearchUnavailable("down"));
    const told = await ask({});
    expect(told.slice(2)).toEqual([{ type: "end", searched: "unavailable", degraded: false }]);
  });

  it("says so when the search takes too long", async () => {
    retrieval.expectSearch("Within how many days are refunds paid?", "hang");
    const told = watch(ask({}));
    await clock.advance(5_000);
    expect(told.now).toMatchObject({ type: "resolved" });
    expect(clock.pending).toBe(0);
  });
});
