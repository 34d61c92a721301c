import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planOf } from "./plan.js";
import { readScenario } from "./read-scenario.js";

function planned(users: string, more = "", seed = 1) {
  const text = `
title: t
duration: 10m
relays: { hall: "", yard: "" }
questions:
  list: [one, two, { ask: three, expect: { says: [3] } }]
${more}
users:
${users}`;
  return planOf(readScenario(text, "t.yaml"), seed);
}

const CREW = `
  - name: packer
    count: 5
    relays: [hall, yard]
    from: 1m
    until: 8m
    every: 40s to 90s
    expect: { outcome: answer }
    does:
      - { weight: 3, steps: [{ ask_from: list }] }
      - { steps: [{ say: hello, expect: { outcome: voice } }, { do: cancel, after_sound: 1s to 2s }] }
`;

describe("a plan", () => {
  it("is the same for the same seed, and another for another", () => {
    expect(planned(CREW, "", 7)).toEqual(planned(CREW, "", 7));
    expect(planned(CREW, "", 7)).not.toEqual(planned(CREW, "", 8));
  });

  it("does not change for one user when another joins", () => {
    const more = planned(CREW.replace("count: 5", "count: 6"));
    expect(more.users.slice(0, 5)).toEqual(planned(CREW).users);
  });

  it("gives each user of a crew a name and a relay in turn", () => {
    const { users } = planned(CREW);
    expect(users.map(({ username }) => username)).toEqual([
      "packer-1",
      "packer-2",
      "packer-3",
      "packer-4",
      "packer-5",
    ]);
    expect(users.map(({ relay }) => relay)).toEqual(["hall", "yard", "hall", "yard", "hall"]);
    expect(new Set(users.map(({ activities }) => activities[0]?.atMs)).size).toBe(5);
  });

  it("keeps to the time on shift and to the pauses", () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        for (const { activities } of planned(CREW, "", seed).users) {
          expect(activities[0]?.atMs).toBeLessThan(60_000 + 90_000);
          for (const [i, { atMs }] of activities.entries()) {
            expect(atMs).toBeGreaterThanOrEqual(60_000);
            expect(atMs).toBeLessThan(480_000);
            if (i === 0) continue;
            const pauseMs = atMs - activities[i - 1]!.atMs;
            expect(pauseMs).toBeGreaterThanOrEqual(40_000 - 0.001);
            expect(pauseMs).toBeLessThanOrEqual(90_000 + 0.001);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it("draws what is done by its weight, and questions from their list", () => {
    const { users } = planned(CREW.replace("count: 5", "count: 400"));
    const steps = users.flatMap(({ activities }) => activities.map((activity) => activity.steps[0]!));
    const asked = steps.filter(({ action }) => action.type === "ask");
    expect(asked.length / steps.length).toBeCloseTo(0.75, 1);
    expect(new Set(asked.map(({ action }) => ("text" in action ? action.text : "")))).toEqual(
      new Set(["one", "two", "three"]),
    );
  });

  it("expects what is said most closely", () => {
    const { users } = planned(`
  - name: ann
    relays: hall
    expect: { outcome: answer, finished: 40s }
    steps:
      - { ask: one }
      - { ask: two, expect: { outcome: text } }
      - { ask: three, expect: { any_of: [{ outcome: voice }] } }
      - { do: get_chat }
`);
    expect(users[0]?.activities[0]?.steps.map(({ expect: expected }) => expected)).toEqual([
      { outcome: ["answer"], finished: 40_000 },
      { outcome: ["text"], finished: 40_000 },
      { any_of: [{ outcome: ["voice"] }] },
      undefined,
    ]);
  });

  it("has what happens to relays in the order of time", () => {
    const { relayEvents } = planned(
      CREW,
      `timeline:
  - { at: 4m, relay: hall, does: disconnect, users_to: yard, within: 3s, for: 1m }
  - { at: 1m, every: 1m, until: 6m, relay: yard, does: garbage, kinds: noise }
  - { at: 90s, relay: yard, does: stop_reading, for: 2s }`,
    );
    expect(relayEvents.map(({ atMs }) => atMs)).toEqual([
      60_000, 90_000, 120_000, 180_000, 240_000, 240_000, 300_000,
    ]);
    expect(relayEvents.find(({ does }) => does.type === "disconnect")?.does).toEqual({
      type: "disconnect",
      awayMs: 60_000,
      usersTo: ["yard"],
      withinMs: 3_000,
    });
  });
});
