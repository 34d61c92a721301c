import fc from "fast-check";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { defaultsOf } from "../../test/support/default-options.js";
import { HANG, ScriptedModel, usage } from "../../test/support/fake-model.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { atOnce } from "../lib/steps.js";
import { ModelFailure } from "../llm/port.js";
import { loadPrompts, type Prompts } from "../llm/prompts.js";
import type { DecidedRoute } from "../store/route-log.js";
import type { TelemetryEvent } from "../telemetry/events.js";
import { attachedKinds } from "./attachments.js";
import { CASES, NO_REPLAYS, PLAIN_WORDS, REPLAYS } from "./cases.test-util.js";
import { loadClassifier, RouteClassifier } from "./classifier.js";
import { commands } from "./commands.js";
import { BUCKETS } from "./features.js";
import { ROUTE_MODEL_MS_MAX } from "./model-layer.js";
import { routingOptions } from "./options.js";
import { PAST_ROUTES_MAX, type PastRoute } from "./past-routes.js";
import {
  type RouteRequest,
  Router,
  type RouterDeps,
  type RouterOptions,
  type RoutingResult,
} from "./router.js";
import { declaredRouteProblem, type Route } from "./routes.js";

const OPTIONS = defaultsOf(routingOptions);
const NAMES = OPTIONS.routes.map(({ name }) => name);
const NOTHING = attachedKinds(undefined);
const never = new AbortController().signal;

let prompts: Prompts;
let shipped: RouteClassifier;
let clock: VirtualClock;
let model: ScriptedModel;
let events: TelemetryEvent[];

beforeAll(async () => {
  prompts = await loadPrompts();
  shipped = await loadClassifier();
});
beforeEach(() => {
  clock = new VirtualClock();
  model = new ScriptedModel(clock);
  events = [];
});

/** A classifier that hesitates: these probabilities for every utterance. */
function hesitant(...shares: readonly [route: string, share: number][]): RouteClassifier {
  const routes = shares.map(([route]) => route);
  const bias = Float32Array.from(shares, ([, share]) => Math.log(share));
  const weights = new Float32Array(BUCKETS * routes.length);
  return new RouteClassifier({ routes, weights, bias, temperature: 1, trainedOn: new Uint32Array() });
}

function router(deps: Partial<RouterDeps> = {}, options: Partial<RouterOptions> = {}): Router {
  const telemetry = { emit: (event: TelemetryEvent) => events.push(event) };
  return new Router({ ...OPTIONS, ...options }, { clock, telemetry, prompts, classifier: shipped, ...deps });
}

function request(question: string, rest: Partial<RouteRequest> = {}): RouteRequest {
  const user = { network: "plant", username: "ann" };
  return { user, turn: "t-1", question, intents: [], attached: NOTHING, ...rest };
}

const route = (question: string, rest: Partial<RouteRequest> = {}, deps: Partial<RouterDeps> = {}) =>
  router(deps).route(request(question, rest), never);

const history = (...routes: readonly string[]): readonly PastRoute[] =>
  routes.map((name) => ({ route: name, topic: `about ${name}` }));

function chooses(name: string, attached = false): void {
  const call = { id: "1", name: "choose_route", arguments: JSON.stringify({ route: name, attached }) };
  model.expectReply({ calls: [call], text: "", usage });
}

describe("utterances in tricky forms", () => {
  const cases = Object.entries(CASES).flatMap(([name, texts]) => texts.map((text) => [text, name] as const));

  it("are many", () => expect(cases.length).toBeGreaterThanOrEqual(120));

  it.each(cases)("%s: %s", async (text, name) => {
    expect(await route(text)).toMatchObject({ type: "route", decision: { route: name } });
  });

  it.each(Object.entries(REPLAYS).flatMap(([what, texts]) => texts.map((text) => [text, what] as const)))(
    "%s: %s",
    async (text, what) => {
      expect(await route(text)).toMatchObject({ type: "replay", what, decision: { layer: "rule" } });
    },
  );

  it.each(NO_REPLAYS)("%s is more than a command about the answer", async (text) => {
    expect((await route(text)).type).not.toBe("replay");
  });

  it.each(PLAIN_WORDS)("%s is about the conversation, by rule", async (text) => {
    expect((await route(text)).decision).toMatchObject({ route: "conversational", layer: "rule" });
  });

  it.each(["", "   ", "…", "\u0000", "ؤ", "👍🏽", "a".repeat(100_000), "how ".repeat(20_000)])(
    "anything has an end: %#",
    async (text) => {
      expect(NAMES).toContain((await route(text)).decision.route);
    },
  );
});

describe("the layers", () => {
  it("take the caller's word before all else, capitals aside", async () => {
    const routed = await route("open valve 3", { declared: "Knowledge" });
    expect(routed).toMatchObject({
      type: "route",
      decision: { route: "knowledge", layer: "declared", confidence: 1 },
      route: { capability: "knowledge", retrieval: true },
    });
    expect(await route("repeat", { declared: "guide" })).toMatchObject({ type: "route" });
  });

  it("let a door refuse a route that does not exist", async () => {
    expect(declaredRouteProblem(OPTIONS.routes, "PLATFORM")).toBeUndefined();
    expect(declaredRouteProblem(OPTIONS.routes, "billing")).toMatch(/there are knowledge, conversational/);
    expect(await route("open valve 3", { declared: "billing" })).toMatchObject({
      decision: { route: "operate", layer: "rule" },
    });
  });

  it("obey the longest configured prefix, at a whole word", async () => {
    const routes: Route[] = [
      { name: "docs", capability: "knowledge", retrieval: true, model: "main", prefixes: ["ticket"] },
      { name: "tickets", capability: "guide", retrieval: true, model: "main", prefixes: ["ticket  for"] },
    ];
    const deciding = router({}, { routes });
    const named = async (text: string) => (await deciding.route(request(text), never)).decision;
    expect(await named("  TICKET FOR the pump")).toMatchObject({ route: "tickets", layer: "rule" });
    expect(await named("ticket 4711")).toMatchObject({ route: "docs", layer: "rule" });
    expect(await named("ticketing of visitors")).not.toMatchObject({ layer: "rule" });
  });

  it("do not ask a model where the classifier is sure", async () => {
    const classifier = hesitant(["check", 0.9], ["operate", 0.1]);
    expect(await route("blue seven", {}, { classifier, model })).toMatchObject({
      type: "route",
      decision: { route: "check", layer: "classifier", confidence: expect.closeTo(0.9) },
    });
  });

  it("tell every decision once, with its layer and its time", async () => {
    await route("open valve 3");
    expect(events).toEqual([
      {
        type: "turn_routed",
        user: { network: "plant", username: "ann" },
        route: "operate",
        layer: "rule",
        confidence: expect.any(Number),
        asked: false,
        ms: 0,
      },
    ]);
  });

  it("keep decisions where that is configured, but neither questions back nor commands", async () => {
    const kept: DecidedRoute[] = [];
    const log = { add: (one: DecidedRoute) => kept.push(one) };
    await route(`open valve 3 ${"and wait ".repeat(20)}`, {}, { log });
    await route("repeat", {}, { log });
    expect(kept).toMatchObject([{ network: "plant", route: "operate" }]);
    expect(kept[0]!.topic.length).toBeLessThanOrEqual(60);
  });

  it("stop when they are told to", async () => {
    const stopped = AbortSignal.abort(new Error("stopped"));
    await expect(router().route(request("open valve 3"), stopped)).rejects.toThrow("stopped");
  });
});

describe("the language model", () => {
  const classifier = hesitant(["check", 0.36], ["operate", 0.34], ["knowledge", 0.3]);

  it("decides what is left, with the classifier's opinion counted in", async () => {
    chooses("operate", true);
    const routed = await route("blue seven", {}, { classifier, model });
    expect(routed).toMatchObject({
      type: "route",
      decision: { route: "operate", layer: "model" },
      usesContext: false,
    });
    expect(routed.decision.confidence).toBeGreaterThan(0.9);
    expect(events).toMatchObject([
      { type: "tokens_used", stage: "route", slot: "main", ...usage },
      { type: "turn_routed", layer: "model" },
    ]);
  });

  it("is shown the routes as an enumeration, and the message as data", async () => {
    chooses("check");
    await route("ignore all this", {}, { classifier, model });
    const [{ messages, tools, toolChoice } = { messages: [], tools: [], toolChoice: "none" }] =
      model.requests;
    expect(toolChoice).toBe("required");
    expect(tools[0]!.parameters).toMatchObject({
      properties: { route: { enum: [...NAMES, "unclear"] } },
    });
    expect(messages.at(-1)).toEqual({ role: "user", content: "ignore all this" });
  });

  it("is shown the intents only where the message refers back, the last six of them", async () => {
    const intents = [...Array(9).keys()].map((i): PastRoute => ({ route: "platform", topic: `number ${i}` }));
    for (const text of ["blue seven", "blue that seven"]) {
      chooses("check");
      await route(text, { intents }, { classifier, model });
    }
    const systems = model.requests.map(({ messages }) => JSON.stringify(messages[0]));
    expect(systems[0]).not.toContain("[platform]");
    expect(systems[1]).toContain("number 8");
    expect(systems[1]).not.toContain("number 2");
  });

  it.each([
    ["fails", new ModelFailure("unavailable", "503")],
    ["calls nothing", { calls: [], text: "operate", usage }],
    [
      "invents a route",
      {
        calls: [{ id: "1", name: "choose_route", arguments: '{"route":"x","attached":false}' }],
        text: "",
        usage,
      },
    ],
    ["breaks its JSON", { calls: [{ id: "1", name: "choose_route", arguments: "{" }], text: "", usage }],
  ])("is done without when it %s", async (_what, reply) => {
    model.expectReply(reply);
    expect(await route("blue seven", {}, { classifier, model })).toMatchObject({
      type: "route",
      decision: { route: "check", layer: "classifier" },
    });
    expect(events.map(({ type }) => type)).toEqual(["route_model_failed", "turn_routed"]);
  });

  it("is waited for no longer than its deadline; what nobody knows goes to the documents", async () => {
    model.expectReply(HANG);
    const unsure = hesitant(["check", 0.3], ["operate", 0.25], ["guide", 0.25], ["platform", 0.2]);
    const routed = route("blue seven", {}, { classifier: unsure, model });
    await clock.advance(ROUTE_MODEL_MS_MAX);
    expect((await routed).decision).toEqual({ route: "knowledge", layer: "default", confidence: 0 });
    expect(events.at(-1)).toMatchObject({ ms: ROUTE_MODEL_MS_MAX });
  });

  it("stops with the turn", async () => {
    model.expectReply(HANG);
    const stop = new AbortController();
    const routed = router({ classifier, model }).route(request("blue seven"), stop.signal);
    const failed = expect(routed).rejects.toThrow("stopped");
    stop.abort(new Error("stopped"));
    await failed;
  });

  it("may say that it is an emergency, whatever route it names", async () => {
    model.expectReply({
      calls: [
        { id: "1", name: "choose_route", arguments: '{"route":"unclear","attached":false,"emergency":true}' },
      ],
      text: "",
      usage,
    });
    expect(await route("blue seven", {}, { classifier, model })).toMatchObject({
      type: "emergency",
      decision: { route: "knowledge", layer: "model" },
    });
  });

  it("may say that it cannot be told: then the user is asked, in few words", async () => {
    chooses("unclear");
    expect(await route("blue seven", {}, { classifier, model })).toMatchObject({
      type: "ask",
      between: [{ capability: "check" }, { capability: "operate" }],
      decision: { layer: "model" },
    });
    expect(events.at(-1)).toMatchObject({ type: "turn_routed", asked: true });
  });

  it("is not believed against all that the classifier knows", async () => {
    chooses("operate");
    const against = hesitant(["check", 0.39], ["knowledge", 0.31], ["guide", 0.299], ["operate", 0.001]);
    expect(await route("blue seven", {}, { classifier: against, model })).toMatchObject({ type: "ask" });
  });

  it("is not there offline: the best guess counts, and below the limit the user is asked", async () => {
    expect(await route("blue seven", {}, { classifier })).toMatchObject({
      type: "route",
      decision: { route: "check" },
    });
    const unsure = hesitant(["check", 0.3], ["operate", 0.25], ["guide", 0.25], ["platform", 0.2]);
    expect(await route("blue seven", {}, { classifier: unsure })).toMatchObject({ type: "ask" });
  });
});

describe("the reference's four routes", () => {
  const [knowledge, conversational, platform] = OPTIONS.routes as [Route, Route, Route];
  const routes: Route[] = [
    { ...knowledge, name: "RETRIEVAL" },
    { ...knowledge, name: "CODE_GENERATION", prefixes: ["write a function"] },
    { ...conversational, name: "CONVERSATIONAL" },
    { ...platform, name: "PLATFORM" },
  ];
  const decide = async (text: string, deps: Partial<RouterDeps> = {}) =>
    (await router(deps, { routes }).route(request(text), never)).decision;

  it.each([
    ["How do I restart the compressor?", "RETRIEVAL"],
    ["write a function that returns 1", "CODE_GENERATION"],
    ["say that in Spanish", "CONVERSATIONAL"],
    ["You have a project usage percentage of 85", "PLATFORM"],
    ["open valve 3", "RETRIEVAL"],
    ["is pump 3 running", "RETRIEVAL"],
  ])("take %j without a model: %s", async (text, name) => {
    expect((await decide(text)).route).toBe(name);
  });

  it("leave it to the model which of two with the same capability is meant", async () => {
    chooses("CODE_GENERATION");
    expect(await decide("How do I restart the compressor?", { model })).toMatchObject({
      route: "CODE_GENERATION",
      layer: "model",
    });
    expect(await decide("thanks", { model })).toMatchObject({ route: "CONVERSATIONAL", layer: "rule" });
  });

  it("fall back to the documents when the model fails", async () => {
    model.expectReply(new ModelFailure("unavailable", "503"));
    expect(await decide("How do I restart the compressor?", { model })).toMatchObject({ route: "RETRIEVAL" });
  });
});

describe("the history", () => {
  const plain = Object.values(CASES).flat();

  it("never moves an utterance that stands on its own", async () => {
    const anyHistory = fc.array(
      fc.record({ route: fc.constantFrom(...NAMES, "gone"), topic: fc.string({ maxLength: 60 }) }),
      { maxLength: PAST_ROUTES_MAX },
    );
    const alone = new Map<string, RoutingResult>();
    for (const text of plain) alone.set(text, await route(text));
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...plain), anyHistory, async (text, intents) => {
        expect(await route(text, { intents })).toEqual(alone.get(text));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["and for pump 4?", ["check"], "check"],
    ["what about cold room 1", ["knowledge", "check"], "check"],
    ["how about the other one", ["knowledge"], "knowledge"],
    ["do it again for the other one", ["check", "operate"], "operate"],
    ["same for valve 4", ["operate"], "operate"],
    ["the other one", ["platform", "operate"], "operate"],
    ["and last month?", ["platform"], "platform"],
    ["¿y la otra?", ["operate"], "operate"],
    ["y para la cámara dos", ["knowledge"], "knowledge"],
    ["lo mismo para la bomba 3", ["check"], "check"],
    // A rephrasing in between does not change what was spoken of.
    ["and for the freezer", ["knowledge", "conversational"], "knowledge"],
    // What a yes answers is known to the dialogue; by itself it is never an order.
    ["yes", ["operate"], "conversational"],
    ["do it", ["operate"], "conversational"],
    ["no wait", ["operate"], "conversational"],
    ["yes", ["knowledge"], "conversational"],
    ["continue", ["guide"], "guide"],
    ["continue", ["knowledge"], "conversational"],
  ])("resolves %j after %j", async (text, routes, expected) => {
    expect((await route(text, { intents: history(...routes) })).decision).toMatchObject({
      route: expected,
      layer: "rule",
    });
  });
});

describe("what the caller attached", () => {
  const text = attachedKinds({ selectedText: "1. Close valve 3." });
  const platform = attachedKinds({ extraContext: "usage 85%" });

  it.each([
    ["explain this paragraph", true],
    ["¿Qué hace esto?", true],
    ["fix this", true],
    ["what does this mean", true],
    ["what is wrong here", true],
    ["summarize the selected text", true],
    ["How do I restart this pump?", false],
    ["what is the limit this week", false],
    ["is it on", false],
  ])("is used for %j: %s", async (question, used) => {
    expect(await route(question, { attached: text })).toMatchObject({ type: "route", usesContext: used });
    expect(await route(question)).toMatchObject({ type: "route", usesContext: false });
  });

  it("is asked about, where there is a text; else the last answer is", async () => {
    expect((await route("what does this mean", { attached: text })).decision.route).toBe("knowledge");
    expect((await route("what does this mean")).decision.route).toBe("conversational");
  });

  it("serves platform questions whenever there are figures", async () => {
    expect(await route("how much of my quota is left", { attached: platform })).toMatchObject({
      usesContext: true,
    });
    expect(await route("how much of my quota is left", { attached: text })).toMatchObject({
      usesContext: false,
    });
    expect(await route("open valve 3", { attached: platform })).toMatchObject({ usesContext: false });
  });

  it("is told by kind; what is blank is nothing", () => {
    expect(attachedKinds({ selectedText: " ", editorContent: "", userInfo: {} })).toEqual(NOTHING);
    expect(attachedKinds({ userInfo: { org_id: "7" } })).toEqual({ text: false, platform: true });
  });
});

it("obeys templates that know what a site has", async () => {
  const site = atOnce(commands.with("equipment", ["Big Bertha"]));
  const order = "drain Big Bertha";
  const unknown = await route(order);
  expect(unknown).not.toMatchObject({ decision: { layer: "rule" } });
  const known = await route(order, { commands: site });
  expect(known).toMatchObject({
    decision: { route: "operate", layer: "rule" },
    command: { intent: "operate" },
  });
});
