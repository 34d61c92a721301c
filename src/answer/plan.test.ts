import { beforeEach, expect, it } from "vitest";
import { ScriptedModel, searchCall, usage } from "../../test/support/fake-model.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import { ModelFailure } from "../llm/port.js";
import { loadPrompts } from "../llm/prompts.js";
import { plan, SEARCHES_MAX, searchTool } from "./plan.js";

const tool = searchTool("retrieve_relevant_documents", await loadPrompts(), "English");
const messages = [{ role: "user", content: "How?" }] as const;
const unavailable = new ModelFailure("unavailable", "down");

let clock: VirtualClock;
let model: ScriptedModel;

beforeEach(() => {
  clock = new VirtualClock();
  model = new ScriptedModel(clock);
});

function run(giveUpAfterMs = 10_000) {
  const limits = { attemptsMax: 3, delayMs: 200, delayMaxMs: 1_000 };
  const deps = { model, clock, random: { fraction: () => 1, id: () => "id" }, limits };
  const giveUpAtMs = clock.monotonic() + giveUpAfterMs;
  return watch(plan(messages, tool, 500, giveUpAtMs, deps, new AbortController().signal));
}

it("makes the model call the search tool, and nothing else", async () => {
  model.expectSearches("press lockout");
  const planned = run();
  await clock.advance(0);
  expect(model.requests).toMatchObject([
    { messages, tools: [tool], toolChoice: "required", outputTokensMax: 500 },
  ]);
  expect(tool.parameters).toMatchObject({
    type: "object",
    properties: { search_query: { type: "string" }, emergency: { type: "boolean" } },
    required: ["search_query"],
    additionalProperties: false,
  });
  expect(planned.now).toEqual({
    type: "resolved",
    value: {
      isEmergency: false,
      searches: [{ call: searchCall("press lockout"), query: "press lockout" }],
      usage,
    },
  });
  model.verify();
});

it.each([
  [true, true],
  [false, false],
  ["yes", false],
])("takes the model's word for an emergency where it is a boolean: %s", async (emergency, isEmergency) => {
  const call = { ...searchCall("fire"), arguments: JSON.stringify({ search_query: "fire", emergency }) };
  model.expectReply({ calls: [searchCall("smoke"), call], text: "", usage });
  const planned = run();
  await clock.advance(0);
  expect(planned.now).toMatchObject({ type: "resolved", value: { isEmergency } });
});

it("takes all calls, up to a limit", async () => {
  model.expectSearches("1", "2", "3", "4", "5", "6");
  const planned = run();
  await clock.advance(0);
  expect(planned.now).toMatchObject({
    value: { searches: ["1", "2", "3", "4"].map((query) => ({ query })) },
  });
  expect(SEARCHES_MAX).toBe(4);
});

it("tries again after a failure or a malformed call", async () => {
  model
    .expectReply(unavailable)
    .expectReply(new ModelFailure("malformed", "the model did not call the tool"))
    .expectSearches("lock");
  const planned = run();
  await clock.advance(200 + 400);
  expect(planned.now).toMatchObject({ value: { searches: [{ query: "lock" }] } });
  model.verify();
});

it("gives up with the last failure", async () => {
  model.expectReply(unavailable).expectReply(unavailable).expectReply(unavailable);
  const planned = run();
  await clock.advance(10_000);
  expect(planned.now).toEqual({ type: "rejected", error: unavailable });
  model.verify();
});

it("does not begin an attempt for which there is no time", async () => {
  model.expectReply(unavailable);
  const planned = run(200);
  await clock.advance(0);
  expect(planned.now).toEqual({ type: "rejected", error: unavailable });
  model.verify();
});

it("does not go on without a query", async () => {
  model.expectReply({
    calls: [{ id: "c", name: tool.name, arguments: '{"search_query": 7}' }],
    text: "",
    usage,
  });
  const planned = run();
  await clock.advance(0);
  expect(planned.now).toMatchObject({ type: "rejected", error: { kind: "malformed" } });
});
