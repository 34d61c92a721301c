import { beforeEach, describe, expect, it } from "vitest";
import { capabilities, capability } from "../../test/support/capabilities.js";
import { RecordedEvents } from "../../test/support/events.js";
import { FakeOutlet } from "../../test/support/fake-outlet.js";
import { passage, ScriptedRetrieval } from "../../test/support/fake-retrieval.js";
import { ScriptedSpeech } from "../../test/support/fake-speech.js";
import { locales } from "../../test/support/locales.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import type { AskRequest } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import { NOTHING_OPEN } from "../domain/dialogue.js";
import type { HistoryEntry } from "../domain/turn.js";
import { GroupsUnknown } from "../retrieval/groups/port.js";
import { routingOptions } from "../routing/options.js";
import { type Announcement, announce } from "./announce.js";
import { Line } from "./line.js";
import type { TurnDeps } from "./turn.js";

const PASSAGE = "Pull the red handle until it clicks.";
const user = { network: "plant", username: "ann" };
const end = (searched: "found" | "unavailable"): DraftEvent => ({ type: "end", searched, degraded: false });
const found: DraftEvent = { type: "passages", passages: [passage("p", PASSAGE)] };

let clock: VirtualClock;
let events: RecordedEvents;
let relay: FakeOutlet;
/** What the capability was given. */
let given: AskRequest[];

beforeEach(() => {
  clock = new VirtualClock();
  events = new RecordedEvents();
  relay = new FakeOutlet();
  given = [];
});

function say(
  told: readonly DraftEvent[],
  more: Partial<Announcement> = {},
  history: readonly HistoryEntry[] = [],
  groups: TurnDeps["groups"] = { fromCommand: true, directories: [] },
) {
  const said = capability("phrase", async function* (request) {
    given.push(request);
    yield* told;
  });
  const [route] = routingOptions.parse({}).routes;
  const deps: TurnDeps = {
    ...{ clock, telemetry: events, tts: new ScriptedSpeech(), nextMid: () => 1, locales, groups },
    retrieval: new ScriptedRetrieval(),
    router: { fallback: route!, route: () => Promise.reject(new Error("nothing is routed")) },
    capabilities: capabilities(() => said.draft),
  };
  const announcement: Announcement = {
    ...{ id: "a", user, subject: "timer 1", capability: said, responseType: "text" },
    ...{ features: [], groups: [], untilMs: clock.now() + 60_000 },
    ...more,
  };
  const line = new Line(relay, clock, () => {});
  return announce(announcement, { ...NOTHING_OPEN, history }, line, deps, new AbortController().signal);
}

describe("an announcement", () => {
  it("is remembered with its documents, and counts as no turn", async () => {
    const { dialogue, isOver } = await say([found, { type: "text", text: PASSAGE }, end("found")]);
    expect(relay.brief).toEqual([`text 1 ${PASSAGE}`]);
    expect(isOver).toBe(true);
    const line = { role: "assistant", text: PASSAGE, sources: [{ id: passage("p", PASSAGE).documentId }] };
    expect(dialogue.history).toMatchObject([line]);
    expect(events.of("announcement_ended")).toMatchObject([{ subject: "timer 1", result: "answered" }]);
    const turns = ["turn_finished", "turn_waterfall", "first_packet"];
    expect(events.all.filter(({ type }) => turns.includes(type))).toEqual([]);
  });

  it("is drafted under the access of the turn that it goes back to, and knows nothing of the chat", async () => {
    const history = [{ role: "user", text: "What is my pay?", sources: [] }] as const;
    await say([end("found")], { features: ["kiosk"], groups: ["fitters"] }, history);
    expect(given).toMatchObject([{ access: { ...user, kiosk: true, groups: ["fitters"] }, history: [] }]);
  });

  it("speaks the language of the chat", async () => {
    const text = "Wie sperre ich die Presse in der Halle ab?";
    await say([end("found")], {}, [{ role: "user", text, sources: [] }]);
    expect(given[0]?.locale.language).toBe("de");
  });

  it.each([
    ["nothing of it holds", [found, { type: "text", text: "Cut the blue wire first." }, end("found")]],
    ["the documents cannot be asked", [end("unavailable")]],
    ["it has no words", [{ type: "end", searched: "not_needed", degraded: false, outcome: "answered" }]],
  ] as const)("says nothing where %s", async (_, told) => {
    const { dialogue, isOver } = await say(told);
    expect(relay.brief).toEqual([]);
    expect([dialogue.history, isOver]).toEqual([[], true]);
    expect(events.of("announcement_ended")).toMatchObject([{ result: "not_found" }]);
  });

  it("says nothing where what its user may read cannot be found out", async () => {
    const directory = { groupsOf: () => Promise.reject(new GroupsUnknown("the file is not JSON")) };
    await say([end("found")], {}, [], { fromCommand: true, directories: [directory] });
    expect([relay.brief, given]).toEqual([[], []]);
    expect(events.of("announcement_ended")).toMatchObject([{ result: "assistant_unavailable" }]);
  });

  it("is not drafted after its time", async () => {
    await say([end("found")], { untilMs: clock.now() });
    expect([relay.brief, given]).toEqual([[], []]);
  });
});
