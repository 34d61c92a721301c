import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canRepeat, type Happening, next, READY, type State } from "./state.js";

const FINISHED: Happening = { type: "finished", outcome: "answered", text: "On floor 2.", sources: [] };

/** What the screen shows after all of these. */
function shownAfter(...happenings: readonly Happening[]): State {
  return happenings.reduce<State>(next, { type: "starting" });
}

const asked: readonly Happening[] = [{ type: "set_up" }, { type: "asked", question: "Where?" }];

describe("a question", () => {
  it("is answered in text and sound; the screen stays with the sound until it ends", () => {
    const spoken = shownAfter(...asked, { type: "text", text: "On " }, { type: "sound_began" }, FINISHED);
    expect(spoken).toMatchObject({ type: "speaking", turn: { question: "Where?", answer: "On floor 2." } });
    expect(next(spoken, { type: "sound_ended" })).toMatchObject({ type: "answered" });
  });

  it("may be answered without sound, or with sound that ends before the answer does", () => {
    expect(shownAfter(...asked, FINISHED)).toMatchObject({ type: "answered" });
    const early = shownAfter(...asked, { type: "sound_began" }, { type: "sound_ended" });
    expect(early.type).toBe("thinking");
    expect(next(early, FINISHED).type).toBe("answered");
  });

  it.each(["not_in_documents", "not_offered", "search_unavailable"])(
    "without an answer (%s) sends to a colleague",
    (outcome) => {
      expect(shownAfter(...asked, { ...FINISHED, outcome }).type).toBe("unanswered");
    },
  );

  it.each([
    ...["answered", "partial", "conflicting", "ambiguous"],
    ...["proposed", "verified", "contradicted", "unknown"],
  ])("with something to say (%s) does not", (outcome) => {
    expect(shownAfter(...asked, { ...FINISHED, outcome }).type).toBe("answered");
  });

  it("starts over where the answer does", () => {
    const again = shownAfter(
      ...asked,
      { type: "text", text: "Perhaps" },
      { type: "rewound" },
      { type: "text", text: "No" },
    );
    expect(again).toMatchObject({ turn: { answer: "No" } });
  });

  it("keeps what was read for it, also where its words start over", () => {
    const [read, other] = ["Pump six, status: running.", "pump two"].map((text) => ({ text, readAtMs: 1 }));
    const shown = shownAfter(
      ...asked,
      { type: "read", readings: [read!] },
      { type: "text", text: "Perhaps" },
      { type: "rewound" },
      { type: "read", readings: [other!] },
      FINISHED,
    );
    expect(shown).toMatchObject({ turn: { readings: [read, other] } });
    expect(next(shown, { type: "asked" })).toMatchObject({ turn: { readings: [] } });
  });

  it("that is spoken is shown as it was understood", () => {
    const heard = shownAfter(
      { type: "set_up" },
      { type: "pressed" },
      { type: "sound_came" },
      { type: "asked" },
      { type: "understood", text: "Where is it?" },
    );
    expect(heard).toMatchObject({ type: "thinking", turn: { question: "Where is it?" } });
  });

  it("leaves on the screen what was said of its answer when it is stopped", () => {
    expect(shownAfter(...asked, { type: "stopped" })).toEqual(READY);
    expect(shownAfter(...asked, { type: "text", text: "On" }, { type: "stopped" }).type).toBe("answered");
  });

  it("gives way to the next: what was on its way does not come back", () => {
    const next = shownAfter(...asked, { type: "text", text: "On" }, { type: "pressed" }, FINISHED, {
      type: "sound_ended",
    });
    expect(next).toEqual({ type: "opening" });
  });
});

describe("a press", () => {
  it("is heard only when sound comes, and is a tap when it is too short", () => {
    expect(shownAfter({ type: "set_up" }, { type: "pressed" }).type).toBe("opening");
    expect(shownAfter({ type: "set_up" }, { type: "pressed" }, { type: "sound_came" }).type).toBe(
      "listening",
    );
    expect(shownAfter({ type: "set_up" }, { type: "pressed" }, { type: "tapped" })).toEqual({
      type: "ready",
      hint: true,
    });
  });

  it("does nothing while there is no service or no token", () => {
    for (const type of ["connection_lost", "locked_out"] as const) {
      const asleep = shownAfter({ type: "set_up" }, { type });
      expect(next(asleep, { type: "pressed" })).toBe(asleep);
      expect(next(asleep, { type: "asked", question: "Where?" })).toBe(asleep);
    }
  });
});

describe("a lost connection", () => {
  it("keeps an answer on the screen, and gives it back", () => {
    const lost = shownAfter(...asked, FINISHED, { type: "connection_lost" });
    expect(lost).toMatchObject({ type: "offline", turn: { answer: "On floor 2." } });
    expect(next(lost, { type: "connected" })).toMatchObject({ type: "answered" });
    expect(shownAfter({ type: "set_up" }, { type: "connection_lost" }, { type: "connected" })).toEqual(READY);
  });
});

describe("whatever happens", () => {
  const happening: fc.Arbitrary<Happening> = fc.constantFrom<Happening>(
    { type: "set_up" },
    { type: "locked_out" },
    { type: "connection_lost" },
    { type: "connected" },
    { type: "forgotten" },
    { type: "pressed" },
    { type: "sound_came" },
    { type: "tapped" },
    { type: "asked", question: "Where?" },
    { type: "asked" },
    { type: "understood", text: "Where?" },
    { type: "text", text: "x" },
    { type: "read", readings: [{ text: "Where?", readAtMs: 1 }] },
    { type: "rewound" },
    { type: "sound_began" },
    { type: "sound_ended" },
    FINISHED,
    { ...FINISHED, outcome: "not_in_documents" },
    { type: "stopped" },
    { type: "repeated" },
    { type: "went_wrong", failure: "again" },
  );
  const history = fc.array(happening, { maxLength: 30 });

  it("forgetting leaves nothing of anybody on the screen", () => {
    fc.assert(
      fc.property(history, (happenings) => {
        const forgotten = next(shownAfter({ type: "set_up" }, ...happenings), { type: "forgotten" });
        expect(["ready", "offline", "locked"]).toContain(forgotten.type);
        expect(JSON.stringify(forgotten)).not.toMatch(/Where|floor/);
        if (forgotten.type === "ready") expect(forgotten).toEqual(READY);
      }),
    );
  });

  it("a service that is back can be asked", () => {
    fc.assert(
      fc.property(history, (happenings) => {
        const back = next(shownAfter(...happenings), { type: "connected" });
        expect(next(back, { type: "pressed" })).toEqual({ type: "opening" });
      }),
    );
  });

  it("only a whole answer that was heard is heard again", () => {
    fc.assert(
      fc.property(history, (happenings) => {
        const state = shownAfter(...happenings);
        const again = next(state, { type: "repeated" });
        expect(again !== state).toBe(canRepeat(state));
        if (again !== state)
          expect(again).toMatchObject({ type: "speaking", turn: { answer: FINISHED.text } });
      }),
    );
  });
});
