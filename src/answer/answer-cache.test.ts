import { beforeEach, describe, expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { passage, ScriptedRetrieval } from "../../test/support/fake-retrieval.js";
import { english } from "../../test/support/locales.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import type { AskRequest, Draft } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import type { Passage } from "../domain/passage.js";
import { loadPrompts } from "../llm/prompts.js";
import { SearchUnavailable } from "../retrieval/port.js";
import { ANSWERS_MAX, createAnswerCache } from "./answer-cache.js";

const prompts = await loadPrompts();
const MAX_AGE_MS = 60_000;
const SEARCH_MS_MAX = 5_000;
const crib = passage("crib", "The tool crib closes at 17:00.");
const end: DraftEvent = { type: "end", searched: "found", degraded: false };
const text = (words: string): DraftEvent => ({ type: "text", text: words });

let clock: VirtualClock;
let events: RecordedEvents;
let retrieval: Passage[] | SearchUnavailable | "hang";
let asked: number;
let searched: string[];

beforeEach(() => {
  clock = new VirtualClock();
  events = new RecordedEvents();
  retrieval = [crib];
  [asked, searched] = [0, []];
});

/** The capability around one that tells these events; each call of the result is one turn. */
function remembered(drafts: (request: AskRequest) => Iterable<DraftEvent>) {
  const search = async ({ query }: { readonly query: string }) => {
    searched.push(query);
    if (retrieval instanceof SearchUnavailable) throw retrieval;
    if (retrieval === "hang") return new Promise<never>(() => {});
    return retrieval;
  };
  const ask: Draft = async function* (request) {
    asked += 1;
    yield { type: "queries", queries: ["crib closing"] };
    yield { type: "passages", passages: [crib] };
    yield* drafts(request);
  };
  const capability = createAnswerCache(ask, {
    clock,
    retrieval: Object.assign(new ScriptedRetrieval(), { search }),
    resultsMax: 5,
    searchTimeoutMs: SEARCH_MS_MAX,
    prompts,
    maxAgeMs: MAX_AGE_MS,
  });
  return async (question = "When does the crib close?", more: Partial<AskRequest> = {}) => {
    const request: AskRequest = {
      question,
      history: [],
      access: { network: "plant", username: "ann", groups: [], kiosk: false },
      locale: english,
      persona: "default",
      responseType: "audio",
      beginByMs: 20_000,
      telemetry: events,
      rewind: () => true,
      ...more,
    };
    const told: DraftEvent[] = [];
    for await (const draft of capability(request, new AbortController().signal)) told.push(draft);
    return told;
  };
}

const results = () => events.of("answer_looked_up").map(({ result }) => result);

describe("an answer that was given before", () => {
  it("is told with the same events, from passages that were found again", async () => {
    const turn = remembered(() => [text("The tool crib "), text("closes at 17:00."), end]);
    const first = await turn();
    const changed = { ...crib, score: 0.1, highlights: ["17:00"] };
    retrieval = [changed];
    const again = await turn();
    expect(again).toEqual([first[0], { type: "passages", passages: [changed] }, ...first.slice(2)]);
    expect([asked, searched, results()]).toEqual([1, ["crib closing"], ["miss", "hit"]]);
  });

  it("is without what was taken back while it was written", async () => {
    const turn = remembered(function* ({ rewind }) {
      yield text("The tool");
      rewind();
      yield* [text("It closes at 17:00."), end];
    });
    await turn();
    expect((await turn()).slice(2)).toEqual([text("It closes at 17:00."), end]);
  });

  it("is forgotten after its time", async () => {
    const turn = remembered(() => [text("It closes at 17:00."), end]);
    await turn();
    await clock.advance(MAX_AGE_MS + 1);
    await turn();
    expect([asked, results()]).toEqual([2, ["miss", "miss"]]);
  });

  it.each([
    ["there is a passage more", [crib, passage("other", "It closes at noon on Fridays.")]],
    ["its text is another", [{ ...crib, text: "The tool crib closes at 19:00." }]],
    ["its revision is another", [{ ...crib, revision: "2" }]],
    ["others may read it", [{ ...crib, access: { ...crib.access, allowedGroups: ["crew"] } }]],
    ["it is gone", []],
  ])("is not told when %s", async (_, found) => {
    const turn = remembered(() => [text("It closes at 17:00."), end]);
    await turn();
    retrieval = found;
    await turn();
    expect([asked, results()]).toEqual([2, ["miss", "stale"]]);
  });

  it("is not told when the documents cannot be asked, and is there again afterwards", async () => {
    const turn = remembered(() => [text("It closes at 17:00."), end]);
    await turn();
    retrieval = new SearchUnavailable("down");
    expect((await turn()).at(-1)).toEqual({ ...end, searched: "unavailable" });
    retrieval = [crib];
    await turn();
    expect([asked, results()]).toEqual([1, ["miss", "miss", "hit"]]);
  });

  it("is not searched for once more where the search that checks it hangs", async () => {
    const turn = remembered(() => [text("It closes at 17:00."), end]);
    await turn();
    retrieval = "hang";
    const again = watch(turn());
    await clock.advance(SEARCH_MS_MAX);
    expect(again.now).toMatchObject({ type: "resolved" });
    expect([asked, searched.length]).toEqual([1, 1]);
  });

  it("gives way to newer ones when there are too many", async () => {
    const turn = remembered(() => [text("It closes at 17:00."), end]);
    await turn("first");
    for (let i = 0; i < ANSWERS_MAX; i++) await turn(`question ${i}`);
    await turn("first");
    await turn(`question ${ANSWERS_MAX - 1}`);
    expect(results().slice(-2)).toEqual(["miss", "hit"]);
  });
});

describe("what is not remembered", () => {
  it.each<[what: string, drafts: readonly DraftEvent[]]>([
    ["is read aloud for want of a model", [text("It closes at 17:00."), { ...end, degraded: true }]],
    ["broke off", [text("It"), { type: "cut" }, { ...end, degraded: true, outcome: "partial" }]],
    ["rests on a search that failed in part", [text("It closes."), { ...end, searched: "partly" }]],
    ["is no answer", [{ type: "phrase", text: "I don't know." }, end]],
    ["has no end", [text("It closes at 17:00.")]],
    ["is very long", [text("It closes at 17:00. ".repeat(2_000)), end]],
  ])("is what %s", async (_, drafts) => {
    const turn = remembered(() => drafts);
    await turn();
    await turn();
    expect([asked, results()]).toEqual([2, ["miss", "miss"]]);
  });
});
