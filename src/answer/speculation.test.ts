import { beforeEach, describe, expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { passage, ScriptedRetrieval } from "../../test/support/fake-retrieval.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { SearchUnavailable } from "../retrieval/port.js";
import { type Asker, searchAll } from "./search.js";
import { fitOf } from "./search-again.js";
import { Speculation } from "./speculation.js";

const access = { network: "plant", username: "ann", groups: ["fitters"], kiosk: false };
const never = new AbortController().signal;
const lockout = passage("lockout", "Hang your tag on it.");
const QUESTION = "How do I lock out the press?";
const FOUND = { type: "found", passages: [lockout] } as const;

let events: RecordedEvents;
let asker: Asker;
let retrieval: ScriptedRetrieval;
let deps: ConstructorParameters<typeof Speculation>[2];

beforeEach(() => {
  events = new RecordedEvents();
  asker = { access, telemetry: events };
  retrieval = new ScriptedRetrieval();
  deps = {
    clock: new VirtualClock(),
    retrieval,
    resultsMax: 5,
    searchTimeoutMs: 5_000,
  };
});

const results = () => events.of("speculation_ended").map(({ result }) => result);

describe("a search ahead", () => {
  it.each(["lock out press", "Locking out the presses", "press lock-out", QUESTION])(
    "is used for %j",
    async (query) => {
      retrieval.expectSearch(QUESTION, [lockout]);
      const ahead = new Speculation(QUESTION, asker, deps, never);
      expect(await searchAll([query], asker, deps, never, ahead)).toEqual([
        { type: "found", query, passages: [lockout] },
      ]);
      ahead.end();
      expect(results()).toEqual(["saved"]);
      retrieval.verify();
    },
  );

  it("has worked out whether the answer is there before anybody asks", async () => {
    retrieval.expectSearch(QUESTION, [lockout]);
    const ahead = new Speculation(QUESTION, asker, { ...deps, retryBelow: 0.1 }, never);
    const found = await searchAll(["lock out press"], asker, deps, never, ahead);
    expect(found).toMatchObject([{ query: "lock out press", fit: fitOf([{ ...FOUND, query: QUESTION }]) }]);
    expect(fitOf(found)).toBeGreaterThan(0);
    ahead.end();
  });

  it.each(["press lockout", "lock out", "lock out press 4", "", "Presse sperren"])(
    "is not used for %j",
    async (query) => {
      retrieval.expectSearch(QUESTION, [lockout]).expectSearch(query, []);
      const ahead = new Speculation(QUESTION, asker, deps, never);
      expect(await searchAll([query], asker, deps, never, ahead)).toMatchObject([{ passages: [] }]);
      ahead.end();
      expect(results()).toEqual(["wasted"]);
      retrieval.verify();
    },
  );

  it.each([
    { ...access, username: "bob" },
    { ...access, groups: [] },
    { ...access, groups: ["fitters", "managers"] },
    { ...access, network: "werk" },
    { ...access, kiosk: true },
  ])("is not used for another access", async (other) => {
    retrieval.expectSearch(QUESTION, [lockout]);
    const ahead = new Speculation(QUESTION, asker, deps, never);
    expect(await ahead.take(QUESTION, other)).toBeUndefined();
    ahead.end();
  });

  it("is stopped when nobody asks for it", async () => {
    retrieval.expectSearch(QUESTION, "hang");
    const ahead = new Speculation(QUESTION, asker, deps, never);
    const found = ahead.take(QUESTION, access);
    ahead.end();
    await expect(found).rejects.toThrow("nobody asks");
  });

  it("is not repeated when it failed", async () => {
    retrieval.expectSearch(QUESTION, new SearchUnavailable("down"));
    const ahead = new Speculation(QUESTION, asker, deps, never);
    expect(await searchAll([QUESTION], asker, deps, never, ahead)).toMatchObject([{ type: "unavailable" }]);
    expect(events.of("search_failed")).toMatchObject([{ error: "down" }]);
    ahead.end();
    expect(results()).toEqual(["wasted"]);
    retrieval.verify();
  });

  it("serves several queries that ask for the same thing", async () => {
    retrieval.expectSearch(QUESTION, [lockout]);
    const ahead = new Speculation(QUESTION, asker, deps, never);
    const found = await searchAll(["lock out press", "press lock out"], asker, deps, never, ahead);
    expect(found.map((one) => one.type)).toEqual(["found", "found"]);
    ahead.end();
    expect(results()).toEqual(["saved"]);
  });
});
