import { beforeEach, describe, expect, it } from "vitest";
import { capabilities } from "../../test/support/capabilities.js";
import { RecordedEvents } from "../../test/support/events.js";
import { FakeOutlet } from "../../test/support/fake-outlet.js";
import { passage, ScriptedRetrieval } from "../../test/support/fake-retrieval.js";
import { atOnce, opusSample, ScriptedSpeech } from "../../test/support/fake-speech.js";
import { locales } from "../../test/support/locales.js";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import type { AskRequest, Capability, Draft, HeardReport } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import { type Dialogue, NOTHING_OPEN, QUESTION_MS_MAX } from "../domain/dialogue.js";
import { TurnFailure } from "../domain/failure.js";
import { CONSENT_MS_MAX } from "../domain/operation.js";
import type { TurnRequest } from "../domain/turn.js";
import { routingOptions } from "../routing/options.js";
import type { RoutingResult } from "../routing/router.js";
import { Line } from "./line.js";
import { runTurn } from "./run-turn.js";
import { request } from "./voice-bench.test-util.js";

const textRequest: TurnRequest = { ...request, responseType: "text" };
const [route] = routingOptions.parse({}).routes;
const decision = { route: "knowledge", layer: "default", confidence: 1 } as const;
const routed: RoutingResult = { type: "route", decision, route: route!, usesContext: false };
const router = { fallback: route!, route: async () => routed };
const text = (words: string): DraftEvent => ({ type: "phrase", text: words });
const unfinished: DraftEvent = { type: "text", text: "And" };
const answered: DraftEvent = { type: "end", searched: "found", degraded: false, outcome: "answered" };
const hang = () => new Promise<never>(() => {});

let clock: VirtualClock;
let events: RecordedEvents;
let relay: FakeOutlet;
let tts: ScriptedSpeech;
let stop: AbortController;
let line: Line;
const retrieval = new ScriptedRetrieval();

beforeEach(() => {
  clock = new VirtualClock();
  events = new RecordedEvents();
  relay = new FakeOutlet();
  tts = new ScriptedSpeech();
  stop = new AbortController();
  line = new Line(relay, clock, () => {});
});

/** An answer of these events; then it hangs, fails, or ends. */
function says(told: readonly DraftEvent[], then: "end" | "hang" | Error = "end"): Draft {
  return async function* () {
    yield* told;
    if (then === "hang") await hang();
    if (then instanceof Error) throw then;
  };
}

const finished = () => events.of("turn_finished")[0]!;

describe("the limits of a capability", () => {
  /** A turn of which the knowledge capability is this one. */
  function runOf(one: Partial<Capability>, draft: Draft, asked: TurnRequest = textRequest) {
    const all = capabilities(() => draft);
    const knowledge = { ...all.knowledge, ...one };
    let mid = 0;
    const nextMid = () => {
      mid += 1;
      return mid;
    };
    const groups = { fromCommand: true, directories: [] };
    const common = { clock, telemetry: events, tts, nextMid, retrieval, groups, locales, router };
    const deps = { ...common, capabilities: { ...all, knowledge } };
    return watch(runTurn(asked, NOTHING_OPEN, line, deps, stop.signal));
  }
  const never: Draft = async function* () {
    yield unfinished;
    await hang();
  };

  it.each([
    ["longer than the usual time", { beginMs: 60_000, speechMs: 180_000 }, 60_000],
    ["shorter", { beginMs: 2_000, speechMs: 180_000 }, 2_000],
    ["its own deadline", { beginMs: 60_000, speechMs: 180_000, deadlineMs: 5_000 }, 5_000],
  ])("count from leaving the mailbox: %s", async (_, limits, ms) => {
    const turn = runOf({ limits }, never);
    await clock.advance(ms - 1);
    expect(turn.now.type).toBe("pending");
    await clock.advance(1);
    expect(relay.brief).toEqual(["error timeout"]);
  });

  it("end its speech", async () => {
    tts.expect("Lock the press.", atOnce(opusSample(100).ogg));
    const draft = says([text("Lock the press."), unfinished], "hang");
    runOf({ limits: { beginMs: 20_000, speechMs: 180_000, deadlineMs: 1_000 } }, draft, request);
    await clock.advance(1_000);
    expect(finished()).toMatchObject({ answered: true, interrupted: false });
  });

  it("is told what was heard of its answer, and when the last packet was due", async () => {
    const reports: HeardReport[] = [];
    const heard = (report: HeardReport) => void reports.push(report);
    tts.expect("Lock the press.", atOnce(opusSample(16).ogg));
    const startMs = clock.monotonic();
    runOf({ heard }, says([text("Lock the press."), unfinished], "hang"), request);
    await clock.advance(9 * 60 - 120);
    stop.abort(new TurnFailure("cancelled", "Stopped."));
    await settle();
    const lastDueMs = startMs + 9 * 60 - 120;
    expect(reports).toEqual([{ turn: "turn-1", heard: "Lock the", isWhole: false, lastDueMs }]);
  });

  it("is told that nothing was heard of it", async () => {
    const reports: HeardReport[] = [];
    runOf({ heard: (report) => void reports.push(report) }, says([], new Error("a fault")));
    await settle();
    expect(reports).toEqual([{ turn: "turn-1", heard: "", isWhole: false }]);
  });
});

it("knows how long its button was held", async () => {
  const words = Promise.resolve({ type: "words", text: "How?" } as const);
  const { text: _, ...asked } = textRequest;
  const pressedMs = clock.monotonic() - 2_500;
  const deps = {
    ...{ clock, telemetry: events, tts, retrieval, locales, router, nextMid: () => 1 },
    ...{ groups: { fromCommand: true, directories: [] } },
    capabilities: capabilities(() => says([text("Yes."), answered])),
  };
  await runTurn({ ...asked, messageId: 7, words, pressedMs }, NOTHING_OPEN, line, deps, stop.signal);
  expect(events.of("turn_waterfall")).toMatchObject([{ buttonMs: 2_500 }]);
});

describe("what a chat has open", () => {
  const option = (words: string, documentId: string) =>
    ({ words, means: { type: "document", documentId, title: words } }) as const;
  const options = [
    option("Starting the parts washer", "parts"),
    option("Starting the bottle washer", "bottle"),
  ];
  const asksBack: readonly DraftEvent[] = [
    text("Which one?"),
    { type: "end", searched: "found", degraded: false, outcome: "ambiguous", options },
  ];
  const asked: AskRequest[] = [];

  /** The dialogue after these messages, each answered by the draft for it. */
  async function dialogueAfter(
    ...messages: readonly (readonly [string, readonly DraftEvent[]])[]
  ): Promise<Dialogue> {
    return goneOn(NOTHING_OPEN, ...messages);
  }

  async function goneOn(
    before: Dialogue,
    ...messages: readonly (readonly [string, readonly DraftEvent[]])[]
  ): Promise<Dialogue> {
    let dialogue = before;
    asked.length = 0;
    for (const [words, told] of messages) {
      events.all.length = 0;
      const draft: Draft = async function* (request) {
        asked.push(request);
        yield* told;
      };
      const deps = {
        ...{ clock, telemetry: events, tts, retrieval, locales, router, nextMid: () => 1 },
        ...{ groups: { fromCommand: true, directories: [] }, capabilities: capabilities(() => draft) },
      };
      dialogue = await runTurn({ ...textRequest, text: words }, dialogue, line, deps, stop.signal);
    }
    return dialogue;
  }
  const again = [text("Yes."), answered] as const;

  it("remembers an answer apart from the passages of its turn, and from all that was worked out of them", async () => {
    const given = [passage("p", "Lock it.")];
    const { history } = await dialogueAfter(["How?", [{ type: "passages", passages: given }, ...again]]);
    const kept = history[1]!.answer!.passages;
    expect(kept).toEqual(given);
    expect(kept[0]).not.toBe(given[0]);
  });

  it("is a question back with its options, which a reply chooses from", async () => {
    const open = await dialogueAfter(["How do I start it?", asksBack]);
    expect(open.pending).toMatchObject([
      { type: "question", asked: "How do I start it?", words: "Which one?", options },
    ]);
    const closed = await dialogueAfter(["How do I start it?", asksBack], ["the second", again]);
    expect(asked[1]).toMatchObject({
      question: "How do I start it Starting the bottle washer",
      chosen: { documentId: "bottle", asked: "How do I start it?" },
    });
    expect(closed.pending).toEqual([]);
  });

  it("is asked again after a yes to several, and lapses with time and with another question", async () => {
    expect((await dialogueAfter(["How do I start it?", asksBack], ["yes", again])).pending).toHaveLength(1);
    expect(relay.brief.at(-1)).toBe("text 1 Which one?");
    expect(
      (await dialogueAfter(["How do I start it?", asksBack], ["Where is the key?", again])).pending,
    ).toEqual([]);
    const open = await dialogueAfter(["How do I start it?", asksBack]);
    expect(open.pending[0]?.untilMs).toBe(clock.monotonic() + QUESTION_MS_MAX);
  });

  it.each([-7_200_000, 7_200_000])(
    "stays open when the clock is set by %d ms, for its time",
    async (byMs) => {
      const open = await dialogueAfter(["How do I start it?", asksBack]);
      clock.aheadMs = byMs;
      expect((await goneOn(open, ["the second", again])).pending).toEqual([]);
      expect(asked).toMatchObject([{ chosen: { documentId: "bottle" } }]);
      await clock.advance(QUESTION_MS_MAX);
      await goneOn(open, ["the second", again]);
      expect(asked.filter(({ chosen }) => chosen !== undefined)).toEqual([]);
    },
  );

  it.each([-7_200_000, 7_200_000])(
    "is still the proposal that waits when the clock is set by %d ms",
    async (byMs) => {
      const untilMs = clock.monotonic() + CONSENT_MS_MAX;
      const proposes = { ...answered, outcome: "proposed", opens: { operation: "op-1", untilMs } } as const;
      const open = await dialogueAfter(["Restart pump two", [text("Restart pump two."), proposes]]);
      clock.aheadMs = byMs;
      await goneOn(open, ["confirm tango", again]);
      expect(asked).toMatchObject([{ pending: [{ type: "proposal", operation: "op-1" }] }]);
    },
  );

  it("is never an order to a bare yes", async () => {
    const dialogue = await dialogueAfter(["do it", again], ["ok", again], ["yes", again]);
    expect(asked).toEqual([]);
    expect(new Set(relay.brief).size).toBe(1);
    expect(dialogue.pending).toEqual([]);
  });
});
