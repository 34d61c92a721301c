/** The simulator itself: what it makes of a service that works, and of one that does everything wrong. */
import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import type { ListenAddress } from "../../src/lib/listen.js";
import { scaledClock } from "../../src/lib/scaled-clock.js";
import { measure } from "../../src/sim/measures.js";
import { planOf } from "../../src/sim/plan.js";
import { readScenario } from "../../src/sim/read-scenario.js";
import { isGood, reportJson, reportText } from "../../src/sim/report.js";
import { simulate } from "../../src/sim/run.js";
import { VIOLATIONS } from "../../src/sim/violation.js";
import { Utterances } from "../../src/sim/voice.js";
import { FaultyService } from "../support/faulty-service.js";
import { World } from "./world.js";

/** Plays a scenario as the command does. */
async function play(text: string, address: ListenAddress, speed: number) {
  const scenario = readScenario(text, "test.yaml");
  const plan = planOf(scenario, 1);
  const silent = () => Promise.reject(new Error("nobody speaks here"));
  const utterances = await Utterances.prepare(plan, { speak: silent, play: silent });
  const clock = speed === 1 ? systemClock : scaledClock(systemClock, speed);
  const seen = await simulate(
    plan,
    scenario,
    { clock, speed, address, utterances, seed: 1, repeatable: true },
    new AbortController().signal,
  );
  const measures = measure(seen, "required");
  const relays = Object.keys(scenario.relays).length;
  return {
    title: scenario.title,
    users: plan.users.length,
    relays,
    speed,
    askedSpeed: speed,
    seed: 1,
    measures,
    seen,
  };
}

describe("a service that works", () => {
  it("is played to the end, with the outcomes that were expected and nothing violated", async () => {
    const world = await World.start({
      clock: systemClock,
      documents: { acme: { "burns.md": "# Burns\n\nCool a burn under running water for 20 minutes." } },
      config: { "llm.provider": "offline", "speech.provider": "offline" },
    });
    const report = await play(
      `
title: Two users and a bad relay
duration: 6s
relays: { hall: "", yard: "", bad: "" }
users:
  - name: ann
    relays: hall
    steps:
      - { ask: How long do I cool a burn?, expect: { outcome: voice, says: 20 minutes | twenty minutes } }
      - { move: yard, after_sound: 300ms, expect: { outcome: done } }
      - { do: close_chat, after: 100ms, expect: { outcome: done } }
  - name: bob
    relays: yard
    answer: text
    steps:
      - { ask: Who won the match?, expect: { outcome: text, says_not: minutes } }
      - { ask: How long do I cool a burn?, answer: voice, expect: { outcome: [interrupted, voice] } }
      - { do: cancel, after_sound: 200ms }
timeline:
  - { at: 0s, relay: bad, does: garbage, every: 400ms }
`,
      { host: "127.0.0.1", port: world.ports.relay },
      1,
    );
    expect(reportText(report)).toContain("violations: none");
    expect(report.measures.unmet).toEqual([]);
    expect(report.seen.relayProblems).toEqual([]);
    expect(report.measures.packets).toBeGreaterThan(10);
    expect(isGood(report)).toBe(true);
  });
});

describe("a service that does everything wrong", () => {
  it("is told all of it", async () => {
    const service = await FaultyService.start({ lateMs: 2_000 });
    onTestFinished(() => service.close());
    expect(service.faults.toSorted()).toEqual(Object.keys(VIOLATIONS).toSorted());
    // Each has a relay of its own, since some of them cost a connection.
    const users = service.faults.map((fault) => userOf(fault));
    const report = await play(
      `
title: Everything wrong
duration: 1s
patience: 12s
relays: { ${service.faults.map((fault) => `${fault}: ""`).join(", ")}, elsewhere: "" }
users:
${users.join("\n")}
`,
      service.address,
      4,
    );
    const told = new Set(report.seen.violations.map(({ kind }) => kind));
    expect([...told].toSorted()).toEqual(Object.keys(VIOLATIONS).toSorted());
    for (const { kind, relay } of report.seen.violations.filter(({ relay }) =>
      Object.hasOwn(VIOLATIONS, relay),
    ))
      if (!AT_ONCE.has(relay)) expect(kind, `on ${relay}`).toBe(relay);
    expect(isGood(report)).toBe(false);
    expect(JSON.parse(reportJson(report))).toMatchObject({
      good: false,
      violationCount: report.seen.violationCount,
    });
  });
});

/** What cannot be done wrong without something else. */
const AT_ONCE: ReadonlySet<string> = new Set([
  "packet_without_message",
  "message_without_end",
  "transcription_missing",
  "transcription_unexpected",
  "answers_overlap",
  "mid_reused",
  "move_without_cause",
  "end_without_message",
  "bad_command",
  "unknown_code",
]);

function userOf(fault: string): string {
  if (fault === "heard_not_prefix")
    return `  - { name: heard_not_prefix, count: 2, relays: ${fault}, steps: [{ ask: ${fault} }, { do: cancel, after_start: 0s }] }`;
  const then = fault === "left_relay" ? ", { move: elsewhere, after_start: 100ms }" : "";
  return `  - { name: ${fault}, relays: ${fault}, steps: [{ ask: ${fault} }${then}] }`;
}
