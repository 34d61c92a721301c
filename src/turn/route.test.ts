import { describe, expect, it } from "vitest";
import { capabilities } from "../../test/support/capabilities.js";
import { RecordedEvents } from "../../test/support/events.js";
import { english, locales } from "../../test/support/locales.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import type { AskRequest, Capabilities, Draft, GuideCapability } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import type { Answer } from "../domain/answer.js";
import type { Pending } from "../domain/dialogue.js";
import type { HistoryEntry, TurnRequest } from "../domain/turn.js";
import { loadPrompts } from "../llm/prompts.js";
import { loadClassifier } from "../routing/classifier.js";
import { routingOptions } from "../routing/options.js";
import { pastRoutes } from "../routing/past-routes.js";
import { Router } from "../routing/router.js";
import { chooseCapability, emergencyChoice } from "./route.js";

const prompts = await loadPrompts();
const classifier = await loadClassifier();
const { routes, confidence_min: confidenceMin, ask_below: askBelow } = routingOptions.parse({});
const named = (name: string): Draft =>
  async function* () {
    yield { type: "phrase", text: name };
  };
const answer = { route: { route: "knowledge", layer: "rule", confidence: 1 } } as Answer;
const before: readonly HistoryEntry[] = [
  { role: "user", text: "How long may the door stay open?", sources: [] },
  { role: "assistant", text: "Ten minutes.", sources: [], answer },
];

/** What the chosen capability says first, and the decision. */
async function chosen(
  text: string,
  history: readonly HistoryEntry[] = [],
  more: Partial<TurnRequest> = {},
  pending: readonly Pending[] = [],
  others: Partial<Capabilities> = {},
) {
  const router = new Router(
    { routes, confidenceMin, askBelow },
    { clock: new VirtualClock(), telemetry: new RecordedEvents(), prompts, classifier },
  );
  const request: TurnRequest = {
    id: "turn",
    user: { network: "plant", username: "ann" },
    text,
    responseType: "text",
    features: [],
    groups: [],
    ...more,
  };
  const signal = new AbortController().signal;
  const { capability, decision, context, notFound } = await chooseCapability(
    request,
    { history, pending, access: { ...request.user, groups: [], kiosk: false }, locale: english },
    { router, capabilities: { ...capabilities(named), ...others }, locales, telemetry: new RecordedEvents() },
    signal,
  );
  for await (const event of capability.draft({} as AskRequest, signal)) {
    if (event.type === "phrase") return { says: event.text, decision, context, notFound };
  }
  throw new Error("nothing is said");
}

describe("the capability of a message", () => {
  it.each([
    ["How long may the cold room door stay open?", "knowledge"],
    ["say again", "repeat"],
    ["what is your source", "source"],
    ["say that again slower", "slower"],
    ["thank you", "conversational"],
  ])("%s → %s", async (text, says) => {
    expect((await chosen(text, before)).says).toBe(says);
  });

  it("asks the documents what is ordered, and never sounds as if it was done where they say nothing", async () => {
    const { notFound, says } = await chosen("open valve 3");
    expect([says, notFound]).toEqual([
      "knowledge",
      { outcome: "not_offered", text: english.say("operate_not_offered") },
    ]);
  });

  it("introduces itself to a newcomer", async () => {
    expect((await chosen("can you hear me?")).says).toBe("introduction");
  });

  it("never passes what a document says for a live value", async () => {
    const { notFound, says } = await chosen("what is the temperature in cold room 2 right now");
    expect([says, notFound]).toEqual([english.say("check_not_offered"), { outcome: "not_offered" }]);
  });

  it("is what the caller declares", async () => {
    expect((await chosen("open valve 3", [], { route: "platform" })).says).toBe("platform");
  });

  it("asks the documents rather than having nothing to go by", async () => {
    const { says, decision } = await chosen("what did you mean by that last bit about the door");
    expect(says).toBe(decision.route);
    expect((await chosen("How much of my quota is left this month?")).says).not.toBe("conversational");
  });

  it("offers no account where the caller attached none", async () => {
    const { decision, says } = await chosen("CO2 is above 3 percent");
    expect([says, decision.route]).toEqual(["knowledge", "platform"]);
  });

  it("hands over what the caller attached only when the message refers to it", async () => {
    const context = { selectedText: "Close the valve." };
    expect((await chosen("explain this selection", [], { context })).context).toEqual(context);
    expect(
      (await chosen("How long may the cold room door stay open?", [], { context })).context,
    ).toBeUndefined();
  });
});

it("answers an emergency first, and tells those who help whom a guide leads", async () => {
  const done: string[] = [];
  const emergency: Draft = async function* () {
    done.push("answered");
    yield { type: "phrase", text: "Dial 2222." };
    yield { type: "end", searched: "found", degraded: false };
  };
  const guide = {
    name: "guide",
    leads: ({ username }) => username === "ann",
    callsHelp: async () => {
      done.push("called");
      return [{ text: "Dora is being told." }];
    },
  } as Partial<GuideCapability> as GuideCapability;
  const heard = async (username: string) => {
    const request = { text: "help", user: { network: "plant", username } } as TurnRequest;
    const deps = { router: { fallback: routes[0]! }, capabilities: { ...capabilities(named), guide } };
    deps.capabilities.emergency = { ...deps.capabilities.emergency, name: "emergency", draft: emergency };
    const { capability } = emergencyChoice(request, deps as never);
    const events: DraftEvent[] = [];
    for await (const event of capability.draft({} as AskRequest, new AbortController().signal))
      events.push(event);
    return events.at(-1);
  };
  expect(await heard("bob")).not.toHaveProperty("last");
  expect(await heard("ann")).toMatchObject({ type: "end", last: [{ text: "Dora is being told." }] });
  expect(done).toEqual(["answered", "called", "answered"]);
});

it("begins a guide that a question back of guides offered", async () => {
  const question = "walk me through Clear a jam";
  const means = { type: "question", question } as const;
  const pending = (route: string): Pending => ({
    ...{ type: "question", turn: "before", untilMs: 9, sources: [], asked: "the jam", route },
    words: "Do you mean Clear a jam?",
    options: [{ words: "Clear a jam", means }],
  });
  const guide = {
    ...{ name: "guide", route: "guide", leads: () => false, draft: named("guide") },
    claims: async (asked) => asked.question === question && asked.pending?.length === 0,
  } as Partial<GuideCapability> as GuideCapability;
  expect((await chosen("yes", [], {}, [pending("guide")], { guide })).says).toBe("guide");
  expect((await chosen("yes", [], {}, [pending("knowledge")], { guide })).says).toBe("knowledge");
});

it("remembers of a chat the last routes and the beginnings of their questions", () => {
  expect(pastRoutes([...before, { role: "user", text: "unanswered", sources: [] }], "knowledge")).toEqual([
    { route: "knowledge", topic: "How long may the door stay open?" },
  ]);
  const long = Array.from({ length: 9 }, () => before).flat();
  expect(pastRoutes(long, "knowledge")).toHaveLength(6);
});
