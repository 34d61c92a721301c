import { getEventListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { capabilities } from "../../test/support/capabilities.js";
import { RecordedEvents } from "../../test/support/events.js";
import { assertWellFormed, FakeOutlet } from "../../test/support/fake-outlet.js";
import { passage, ScriptedRetrieval } from "../../test/support/fake-retrieval.js";
import { atOnce, failing, hanging, opusSample, ScriptedSpeech } from "../../test/support/fake-speech.js";
import { locales } from "../../test/support/locales.js";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import { type AskRequest, type Draft, USUAL_LIMITS } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import { TurnFailure } from "../domain/failure.js";
import { documentSources } from "../domain/source-ref.js";
import type { HistoryEntry, TurnRequest } from "../domain/turn.js";
import { GuardRefusal } from "../guard/port.js";
import { sleep } from "../lib/clock.js";
import { SearchUnavailable } from "../retrieval/port.js";
import { routingOptions } from "../routing/options.js";
import type { RoutingResult } from "../routing/router.js";
import { SpeechFailure } from "../speech/port.js";
import { Line, USER_ABSENCE_MS_MAX } from "./line.js";
import { runTurn } from "./run-turn.js";
import { PREPARE_MS_MAX as TURN_MS_MAX } from "./turn.js";
import { request } from "./voice-bench.test-util.js";

const textRequest: TurnRequest = { ...request, responseType: "text" };
const [route] = routingOptions.parse({}).routes;
/** One that takes every message for a question to the documents. */
const router = {
  fallback: route!,
  route: async (): Promise<RoutingResult> => ({
    type: "route",
    decision: { route: "knowledge", layer: "default", confidence: 1 },
    route: route!,
    usesContext: false,
  }),
};
/** Words that pass the gate as they are. */
const text = (words: string): DraftEvent => ({ type: "phrase", text: words });
/** A sentence that is never finished: it does not pass. */
const unfinished: DraftEvent = { type: "text", text: "And" };
const answered: DraftEvent = { type: "end", searched: "found", degraded: false, outcome: "answered" };
const found: DraftEvent = { type: "passages", passages: [passage("p", "Words."), passage("q", "More.")] };
const hang = () => new Promise<never>(() => {});

let clock: VirtualClock;
let events: RecordedEvents;
let relay: FakeOutlet;
let retrieval: ScriptedRetrieval;
let tts: ScriptedSpeech;
let stop: AbortController;
let line: Line;

beforeEach(() => {
  clock = new VirtualClock();
  events = new RecordedEvents();
  relay = new FakeOutlet();
  retrieval = new ScriptedRetrieval();
  tts = new ScriptedSpeech();
  stop = new AbortController();
  line = new Line(relay, clock, () => {});
});

/** Whatever happened: one end is told, the relay's frames are in order, every call was expected, nothing is left. */
afterEach(() => {
  assertWellFormed(relay.handed);
  retrieval.verify();
  tts.verify();
  expect(clock.pending).toBe(0);
  expect(getEventListeners(stop.signal, "abort")).toEqual([]);
  expect(events.of("turn_finished")).toHaveLength(1);
  const outcomes = relay.handed.filter(({ type }) =>
    ["text_message", "transcription", "error"].includes(type),
  );
  expect(outcomes.length).toBeLessThanOrEqual(1);
});

function run(
  ask: Draft,
  asked: TurnRequest = textRequest,
  history: readonly HistoryEntry[] = [],
  waitedMs = 0,
) {
  let mid = 0;
  const nextMid = () => {
    mid += 1;
    return mid;
  };
  const groups = { fromCommand: true, directories: [] };
  const common = { clock, telemetry: events, tts, nextMid, retrieval, groups, locales, router };
  const deps = { ...common, capabilities: capabilities(() => ask) };
  const dialogue = { history, pending: [] };
  const turn = runTurn(asked, dialogue, line, deps, stop.signal, clock.monotonic() - waitedMs);
  // What the turn adds to it.
  return watch(turn.then((after) => after.history.slice(history.length)));
}

/** An answer of these events; then it hangs, fails, or ends. */
function says(told: readonly DraftEvent[], then: "end" | "hang" | Error = "end"): Draft {
  return async function* () {
    yield* told;
    if (then === "hang") await hang();
    if (then instanceof Error) throw then;
  };
}

const finished = () => events.of("turn_finished")[0]!;

describe("a turn that is answered", () => {
  it("delivers a text, and remembers question and answer with all that they come from", async () => {
    const turn = run(says([found, text("Lock"), text("it."), answered]));
    await settle();
    expect(relay.brief).toEqual(["text 1 Lock it."]);
    expect(relay.handed[0]).toMatchObject({ requestId: "r" });
    expect(turn.now).toEqual({
      type: "resolved",
      value: [
        { role: "user", text: request.text, sources: documentSources(["doc-p", "doc-q"]) },
        {
          role: "assistant",
          text: "Lock it.",
          sources: documentSources(["doc-p", "doc-q"]),
          answer: expect.objectContaining({ outcome: "answered", text: "Lock it." }) as unknown,
        },
      ],
    });
    expect(finished()).toMatchObject({ result: "answered", answered: true, answerCharacters: 8, audioMs: 0 });
    expect(events.of("answer_inspected")).toMatchObject([
      { answer: "Lock it.", passages: ["Words.", "More."] },
    ]);
    expect(events.of("first_packet")).toEqual([]);
  });

  it("tells of a sentence that claims what nobody did, and who wrote it", async () => {
    const { user } = request;
    const usage = { stage: "compose", slot: "main", model: "m-1", inputTokens: 9, outputTokens: 9 } as const;
    const ask: Draft = async function* ({ telemetry }) {
      telemetry.emit({ type: "tokens_used", user, ...usage });
      yield* [found, { type: "text", text: "I have restarted pump two." } as const, answered];
    };
    run(ask);
    await settle();
    expect(events.of("phantom_detected")).toEqual([{ type: "phantom_detected", user, model: "m-1" }]);
  });

  it("delivers a voice, and tells when the first packet left", async () => {
    tts.expect("Lock it.", atOnce(opusSample(4).ogg));
    const ask: Draft = async function* (_, signal) {
      await sleep(clock, 700, signal);
      yield* [text("Lock it."), answered];
    };
    const turn = run(ask, request);
    await clock.advance(2_000);
    expect(relay.story).toEqual(["message 1", "audio 1.0-3", "end 1 240", "transcription 1 Lock it."]);
    expect(turn.now.type).toBe("resolved");
    expect(events.of("first_packet")).toMatchObject([{ ms: 700 }]);
    expect(finished()).toMatchObject({ result: "answered", audioMs: 240, interrupted: false });
  });

  it("tells when a spoken answer came past which point, since the question came in", async () => {
    tts.expect("Lock it.", async function* (signal) {
      await sleep(clock, 250, signal);
      yield opusSample(4).ogg;
    });
    const ask: Draft = async function* ({ telemetry }, signal) {
      await sleep(clock, 700, signal);
      telemetry.emit({ type: "stage_finished", user: request.user, stage: "plan", ms: 700 });
      yield* [text("Lock it."), answered];
    };
    run(ask, request, [], 30);
    await clock.advance(2_000);
    const written = { started: 30, plan: 730, first_sentence: 730, tts_request: 730 };
    const marksMs = { ...written, tts_first_byte: 980, first_packet: 980, last_packet: 1_040 };
    expect(events.of("turn_waterfall")).toMatchObject([{ held: false, marksMs }]);
  });

  it("falls back to text", async () => {
    tts.expect("Lock it.", failing(new SpeechFailure("unavailable", "down")));
    run(says([text("Lock it."), answered]), request);
    await settle();
    expect(relay.brief).toEqual(["text 1 Lock it."]);
    expect(finished()).toMatchObject({ result: "answered", answered: true });
  });

  it("asks with what the turn may read, as the persona of the request, and with the time that it has", async () => {
    const asked: AskRequest[] = [];
    const ask: Draft = async function* (request) {
      asked.push(request);
      yield* [text("Yes."), answered];
    };
    const startMs = clock.monotonic();
    run(ask, { ...textRequest, features: ["kiosk"], groups: ["fitters"] });
    await settle();
    expect(asked).toMatchObject([
      {
        question: request.text,
        persona: "kiosk",
        responseType: "text",
        access: { network: "plant", username: "ann", groups: ["fitters"], kiosk: true },
        history: [],
        beginByMs: startMs + TURN_MS_MAX,
      },
    ]);
  });

  it("lets a capability take back what it said, until it has left", async () => {
    const rewound: boolean[] = [];
    const ask: Draft = async function* ({ rewind }) {
      yield text("Wrong");
      rewound.push(rewind());
      yield* [text("Right."), answered];
    };
    run(ask);
    await settle();
    expect(rewound).toEqual([true]);
    expect(relay.brief).toEqual(["text 1 Right."]);
  });
});

describe("what a turn remembers", () => {
  const entry = (words: string, ...ids: string[]): HistoryEntry => ({
    role: "assistant",
    text: words,
    sources: documentSources(ids),
  });

  it("is passed on to its own lines: an answer may repeat any of it", async () => {
    const seen: (readonly HistoryEntry[])[] = [];
    const ask: Draft = async function* ({ history }) {
      seen.push(history);
      yield* [found, text("Yes."), answered];
    };
    retrieval.expectReadable(["old", "secret"], ["old"]);
    const turn = run(ask, textRequest, [
      entry("public", "old"),
      entry("hidden", "secret", "old"),
      entry("hi"),
    ]);
    await settle();
    expect(seen).toEqual([[entry("public", "old"), entry("hi")]]);
    const sources = documentSources(["old", "doc-p", "doc-q"]);
    expect(turn.now).toMatchObject({
      value: [{ sources }, { sources }],
    });
    expect(retrieval.accesses).toEqual([{ network: "plant", username: "ann", groups: [], kiosk: false }]);
  });

  it("is next to nothing when the search is down", async () => {
    const seen: (readonly HistoryEntry[])[] = [];
    const ask: Draft = async function* ({ history }) {
      seen.push(history);
      yield* [text("Yes."), answered];
    };
    retrieval.expectReadable(["old"], new SearchUnavailable("down"));
    run(ask, textRequest, [entry("public", "old"), entry("hi")]);
    await settle();
    expect(seen).toEqual([[entry("hi")]]);
  });

  it("is found out within the turn's time", async () => {
    retrieval.expectReadable(["old"], "hang");
    const turn = run(says([]), textRequest, [entry("public", "old")]);
    await clock.advance(TURN_MS_MAX);
    expect(relay.brief).toEqual(["error timeout"]);
    expect(turn.now).toEqual({ type: "resolved", value: [] });
  });

  it("holds the question of a turn that failed, with the documents that it had to do with", async () => {
    const turn = run(says([found], new TurnFailure("assistant_unavailable", "No.")));
    await settle();
    expect(turn.now).toEqual({
      type: "resolved",
      value: [{ role: "user", text: request.text, sources: documentSources(["doc-p", "doc-q"]) }],
    });
  });

  it("holds only the words that were heard", async () => {
    tts.expect("Lock the press.", atOnce(opusSample(16).ogg));
    const turn = run(says([text("Lock the press."), unfinished], "hang"), request);
    await clock.advance(9 * 60 - 120);
    stop.abort(new TurnFailure("cancelled", "Stopped."));
    await settle();
    expect(relay.brief.at(-1)).toBe("transcription 1 Lock the");
    expect(turn.now).toMatchObject({ value: [{ role: "user" }, { role: "assistant", text: "Lock the" }] });
    expect(finished()).toMatchObject({ interrupted: true, answered: true, audioMs: 600 });
    expect(events.of("answer_inspected")).toMatchObject([{ answer: "Lock the" }]);
  });
});

describe("a message that is not admitted", () => {
  it("is refused when it is too long, with its length and the limit, and not remembered", async () => {
    const turn = run(says([]), { ...textRequest, text: "word ".repeat(251) });
    await settle();
    expect(relay.handed).toMatchObject([
      {
        type: "error",
        code: "message_too_long",
        error: "The message has 251 tokens and the limit is 250. Send a shorter one.",
        requestId: "r",
      },
    ]);
    expect(turn.now).toEqual({ type: "resolved", value: [] });
  });

  it("is admitted at the limit", async () => {
    run(says([text("Yes."), answered]), { ...textRequest, text: "word ".repeat(250) });
    await settle();
    expect(relay.brief).toEqual(["text 1 Yes."]);
  });

  it("is refused where it holds what nobody sees: nobody else sees it, and it is not remembered", async () => {
    let asked = false;
    const ask: Draft = async function* () {
      yield answered;
      asked = true;
    };
    const turn = run(ask, { ...textRequest, text: "Wie lange b\u200Bremst die Presse?" });
    await settle();
    expect(relay.handed).toMatchObject([
      { code: "blocked", error: "Diese Nachricht wurde abgelehnt. Frag bitte mit anderen Worten." },
    ]);
    expect(asked).toBe(false);
    expect(turn.now).toEqual({ type: "resolved", value: [] });
    expect(events.of("guard_scanned")).toMatchObject([{ to: "turn", scanner: "InvisibleText" }]);
  });

  it("is not remembered where the guard refuses it later", async () => {
    const turn = run(says([], new GuardRefusal()));
    await settle();
    expect(relay.brief).toEqual(["error blocked"]);
    expect(turn.now).toEqual({ type: "resolved", value: [] });
  });
});

describe("a turn that fails", () => {
  it.each([
    ["before anything was said", [], new Error("a fault"), "assistant_unavailable"],
    ["in the middle of a text", [unfinished], new Error("a fault"), "assistant_unavailable"],
    ["with a failure of its own", [], new TurnFailure("rate_limited", "Later."), "rate_limited"],
  ] as const)("tells one error: %s", async (_, told, error, code) => {
    const turn = run(says(told, error));
    await settle();
    expect(relay.brief).toEqual([`error ${code}`]);
    expect(relay.handed[0]).toMatchObject({ requestId: "r" });
    expect(turn.now.type).toBe("resolved");
    expect(finished()).toMatchObject({ result: code, answered: false });
  });

  it("tells an error when asking itself throws", async () => {
    run(() => {
      throw new Error("a fault");
    });
    await settle();
    expect(relay.brief).toEqual(["error assistant_unavailable"]);
    expect(finished().cause).toBe("Error: a fault");
  });

  it.each(["text", "audio"] as const)(
    "is over after 20 s (%s), and whoever still works is stopped",
    async (responseType) => {
      let signal: AbortSignal | undefined;
      const ask: Draft = async function* (_, given) {
        signal = given;
        yield unfinished;
        await hang();
      };
      const turn = run(ask, { ...request, responseType });
      await clock.advance(TURN_MS_MAX - 1);
      expect(turn.now.type).toBe("pending");
      await clock.advance(1);
      expect(relay.brief).toEqual(["error timeout"]);
      expect(turn.now.type).toBe("resolved");
      expect(signal?.aborted).toBe(true);
    },
  );

  it("is not over after 20 s once it speaks, but when its speech takes too long", async () => {
    tts.expect("Lock it.", atOnce(opusSample(2).ogg)).expect("Tag it.", hanging);
    const turn = run(says([text("Lock it. Tag it."), unfinished], "hang"), request);
    await clock.advance(USUAL_LIMITS.speechMs - 1);
    expect(turn.now.type).toBe("pending");
    await clock.advance(1);
    expect(turn.now.type).toBe("resolved");
    expect(relay.brief.slice(-2)).toEqual(["end 1 120", "transcription 1 Lock it."]);
  });

  it("is text after all when only its voice is late", async () => {
    tts.expect("Lock it.", hanging);
    run(says([text("Lock it."), answered]), request);
    await clock.advance(TURN_MS_MAX);
    expect(relay.brief).toEqual(["text 1 Lock it."]);
    expect(finished()).toMatchObject({ result: "answered", answered: true });
  });

  it("is over when the relay takes no more", async () => {
    relay.full = true;
    const turn = run(says([text("Lock it."), answered]));
    await settle();
    expect(relay.brief).toEqual([]);
    expect(turn.now.type).toBe("resolved");
    expect(finished()).toMatchObject({ result: "assistant_unavailable", answered: false });
  });
});

describe("a turn that is stopped", () => {
  const cancelled = new TurnFailure("cancelled", "The answer was stopped.");

  it.each(["text", "audio"] as const)(
    "tells so when nothing has left (%s), though its writer hangs",
    async (responseType) => {
      const turn = run(says([unfinished], "hang"), { ...request, responseType });
      await settle();
      stop.abort(cancelled);
      await settle();
      expect(relay.handed).toMatchObject([{ code: "cancelled", error: "The answer was stopped." }]);
      expect(turn.now.type).toBe("resolved");
      expect(finished()).toMatchObject({ result: "cancelled", answered: false });
    },
  );

  it("does not begin when it was stopped before", async () => {
    stop.abort(cancelled);
    const turn = run(says([text("Lock it."), answered]));
    await settle();
    expect(relay.brief).toEqual(["error cancelled"]);
    expect(turn.now).toEqual({ type: "resolved", value: [] });
  });
});

describe("a user who is away", () => {
  it("is told of the failure when back in time", async () => {
    relay.close();
    const turn = run(says([], new TurnFailure("assistant_unavailable", "No.")));
    await clock.advance(9_000);
    const next = new FakeOutlet();
    line.attach(next);
    await settle();
    expect(next.brief).toEqual(["error assistant_unavailable"]);
    expect(turn.now.type).toBe("resolved");
  });

  it("gets the answer when back in time", async () => {
    relay.close();
    run(says([text("Lock it."), answered]));
    await clock.advance(9_000);
    const next = new FakeOutlet();
    line.attach(next);
    await settle();
    expect(next.brief).toEqual(["text 1 Lock it."]);
    expect(finished()).toMatchObject({ result: "answered", ms: 9_000 });
  });

  it.each(["text", "audio"] as const)("is not waited for twice (%s)", async (responseType) => {
    relay.close();
    if (responseType === "audio") tts.expect("Lock it.", atOnce(opusSample(2).ogg));
    const turn = run(says([text("Lock it."), answered]), { ...request, responseType });
    await clock.advance(USER_ABSENCE_MS_MAX);
    expect(turn.now.type).toBe("resolved");
    expect(finished()).toMatchObject({ result: "assistant_unavailable", answered: false });
    expect(finished().cause).toMatch(/^UserGone/);
  });

  it("is not waited for when the turn is stopped", async () => {
    relay.close();
    const turn = run(says([], "hang"));
    await settle();
    stop.abort(new TurnFailure("shutting_down", "The service is shutting down."));
    await settle();
    expect(turn.now.type).toBe("resolved");
    expect(finished()).toMatchObject({ result: "shutting_down" });
  });

  it("stops the writer of an answer that nobody hears any more", async () => {
    let signal: AbortSignal | undefined;
    const ask: Draft = async function* (_, given) {
      signal = given;
      yield text("Lock the press.");
      yield unfinished;
      await hang();
    };
    tts.expect("Lock the press.", atOnce(opusSample(16).ogg));
    const turn = run(ask, request);
    await clock.advance(9 * 60 - 120);
    relay.close();
    await clock.advance(60 + USER_ABSENCE_MS_MAX);
    expect(turn.now).toMatchObject({ value: [{ role: "user" }, { role: "assistant", text: "Lock the" }] });
    expect(signal?.aborted).toBe(true);
    // The connection is gone: what it got stays without an end.
    relay.handed.splice(0);
  });
});
