import { describe, expect, it } from "vitest";
import { Exchange, type ExchangeResult } from "./exchange.js";
import { distribution, measure } from "./measures.js";
import { isGood, type Report, reportJson, reportText } from "./report.js";
import type { StepExpectation } from "./scenario.js";
import type { Violation } from "./violation.js";

function exchange(
  outcome: ExchangeResult | undefined,
  firstSoundMs?: number,
  expected?: StepExpectation,
): Exchange {
  const step = {
    action: { type: "ask", text: "Why?" },
    when: { type: "after", delayMs: 0 },
    answer: "voice",
    expect: expected,
  } as const;
  return Object.assign(new Exchange("ann", "r1", "ai_message", step, 1_000), {
    outcome,
    firstSoundMs,
    packets: 2,
  });
}

const voice = (atMs: number): ExchangeResult => ({ type: "voice", text: "So.", atMs });

function report(exchanges: readonly Exchange[], violations: readonly Violation[] = []): Report {
  const seen = {
    exchanges,
    violations,
    violationCount: violations.length,
    relayProblems: [],
    gapsMs: [],
    startMs: 1_000,
    endMs: 61_000,
  };
  return {
    title: "A test",
    users: 2,
    relays: 1,
    speed: 4,
    askedSpeed: 10,
    seed: 7,
    measures: measure(seen, "required"),
    seen,
  };
}

const repeated: Violation = {
  kind: "packet_repeated",
  atMs: 3_500,
  relay: "hall",
  username: "ann",
  detail: "packet 2 of message 9",
  frames: ["2.500 s ← hall audio mid 9 pid 2, 60 bytes"],
};

describe("percentiles", () => {
  it("are those of the nearest rank", () => {
    const values = Array.from({ length: 100 }, (_, i) => 100 - i);
    expect(distribution(values)).toEqual({ count: 100, p50: 50, p95: 95, p99: 99, max: 100 });
    expect(distribution([7])).toEqual({ count: 1, p50: 7, p95: 7, p99: 7, max: 7 });
    expect(distribution([])).toBeUndefined();
  });
});

describe("a report", () => {
  it("measures from the end of the question, and leaves out what was not answered", () => {
    const error: ExchangeResult = { type: "error", code: "timeout", error: "late", atMs: 30_000 };
    const { measures } = report([
      exchange(voice(5_000), 1_800),
      exchange(voice(9_000), 2_000),
      exchange(error),
      exchange(undefined),
    ]);
    expect(measures.steps).toEqual([
      {
        kind: "text → voice",
        count: 4,
        firstSoundMs: { count: 2, p50: 800, p95: 1_000, p99: 1_000, max: 1_000 },
        totalMs: { count: 2, p50: 4_000, p95: 8_000, p99: 8_000, max: 8_000 },
      },
    ]);
    expect(measures.outcomes).toEqual({ "error timeout": 1, none: 1, voice: 2 });
    expect(measures.packets).toBe(8);
  });

  it("measures how fast an answer was stopped", () => {
    const stopped = Object.assign(
      exchange({ ...voice(3_000), type: "interrupted" } as ExchangeResult, 1_800),
      {
        stoppedMs: 2_900,
        lastPacketMs: 2_940,
        endedMs: 2_990,
      },
    );
    const { interruptions } = report([stopped]).measures;
    expect([interruptions.lastPacketMs?.max, interruptions.endMs?.max]).toEqual([40, 90]);
  });

  it("is good when nothing was wrong, and says at which speed", () => {
    const good = report([exchange(voice(5_000), 1_800)]);
    expect(isGood(good)).toBe(true);
    const lines = reportText(good).split("\n");
    expect(lines[0]).toBe("A test: 2 users on 1 relays, 60.0 s, accelerated ×4, seed 7");
    expect(lines[1]).toContain("×10 was asked for");
    expect(lines).toContain("violations: none");
    expect(lines).toContain("unmet expectations: none");
  });

  it("shows a violation with its clause and frames", () => {
    const bad = report([], [repeated]);
    expect(isGood(bad)).toBe(false);
    expect(reportText(bad)).toContain(
      "  2.5 s ann on hall: packet_repeated: packet 2 of message 9 (LT-84: a packet came twice)\n      2.500 s ← hall audio",
    );
    expect(JSON.parse(reportJson(bad))).toMatchObject({
      good: false,
      violations: [{ kind: "packet_repeated", atMs: 2_500, username: "ann" }],
    });
  });

  it("shows what was expected in vain", () => {
    const bad = report([exchange(voice(5_000), 1_800, { outcome: ["text"] })]);
    expect(isGood(bad)).toBe(false);
    expect(reportText(bad)).toContain("  0.0 s ann, ask “Why?”: voice came, expected text");
  });

  it("lists only so many, and counts the rest", () => {
    const many = report(
      [],
      Array.from({ length: 30 }, () => repeated),
    );
    expect(reportText(many)).toContain("violations: 30");
    expect(reportText(many)).toContain("  and 10 more");
  });
});
