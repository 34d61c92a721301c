import { describe, expect, it } from "vitest";
import type { Answer, AnswerClaim } from "../../domain/answer.js";
import { type Passage, PROSE } from "../../domain/passage.js";
import { waitingView } from "../../operate/operations.test-util.js";
import { operationCard } from "../approvals/body.js";
import { pageEventOf, sourceCards } from "./page-events.js";

function passage(chunkId: string, more: Partial<Passage> = {}): Passage {
  return {
    chunkId,
    documentId: "d1",
    title: "The canteen",
    supersedes: [],
    sourceFile: "canteen.md",
    headings: ["The canteen"],
    position: 0,
    kind: PROSE,
    text: "It seats 120 people.",
    highlights: [],
    score: 1,
    access: { network: "acme", visibility: "network", allowedUsers: [], allowedGroups: [] },
    alsoIn: [],
    ...more,
  };
}

function claim(source: string, value: string, more: Partial<AnswerClaim> = {}): AnswerClaim {
  const evidence = [{ type: "passage", source, value } as const];
  return { text: value, verdict: "supported", evidence, reasons: [], confidence: 1, said: true, ...more };
}

function answer(passages: readonly Passage[], claims: readonly AnswerClaim[]): Answer {
  return {
    outcome: "answered",
    route: { route: "knowledge", layer: "rule", confidence: 1 },
    text: "It seats 120.",
    spoken: "It seats one hundred and twenty.",
    queries: ["canteen"],
    passages,
    claims,
    uncertainties: [],
    confidence: 1,
    degraded: false,
  };
}

const report = (whole: Answer) => ({
  answer: whole,
  sources: [],
  timingsMs: {},
  usage: { inputTokens: 0, outputTokens: 0 },
});

describe("the sources that are shown", () => {
  it("are the places of what was said, each once, with the first words taken from it", () => {
    const passages = [
      passage("a", { page: 4, revision: "3", headings: ["The canteen", "Seats"] }),
      passage("b", { page: 4 }),
      passage("c", { documentId: "d2", title: "Spills" }),
    ];
    const claims = [claim("a", "It seats 120 people."), claim("b", "Second."), claim("c", "Third.")];
    expect(sourceCards(answer(passages, claims))).toEqual([
      { title: "The canteen", section: "Seats", page: 4, revision: "3", quote: "It seats 120 people." },
      { title: "Spills", section: "The canteen", quote: "Third." },
    ]);
  });

  it("leave out what was held back, what rests on no passage, and passages that are not there", () => {
    const claims = [
      claim("a", "Held back.", { said: false }),
      claim("a", "On nothing.", { evidence: [] }),
      claim("a", "On a reading.", { evidence: [{ type: "tool_output", source: "a", value: "7" }] }),
      claim("gone", "Elsewhere."),
    ];
    expect(sourceCards(answer([passage("a")], claims))).toEqual([]);
  });

  it("are three at the most", () => {
    const passages = ["a", "b", "c", "d"].map((id) => passage(id, { documentId: id }));
    const claims = passages.map(({ chunkId }) => claim(chunkId, "x"));
    expect(sourceCards(answer(passages, claims))).toHaveLength(3);
  });
});

describe("the page", () => {
  const whole = answer([passage("a")], [claim("a", "It seats 120 people.")]);
  const finished = { type: "event", event: { type: "finished", report: report(whole) } } as const;

  it("is told the end, with sources only where it shows them", () => {
    const source = { title: "The canteen", quote: "It seats 120 people." };
    const told = { outcome: "answered", text: "It seats 120." };
    expect(pageEventOf(finished, true)).toEqual(["finished", { ...told, sources: [source] }]);
    expect(pageEventOf(finished, false)).toEqual(["finished", { ...told, sources: [] }]);
  });

  it("is told sound packet by packet", () => {
    const shape = { sampleRateHz: 48_000, packetMs: 20 };
    expect(pageEventOf({ type: "frame", frame: { type: "message", mid: 1, shape } }, true)).toEqual([
      "voice",
      { packet_ms: 20 },
    ]);
    const frame = { type: "audio", mid: 1, pid: 0, packet: Uint8Array.of(1, 2) } as const;
    expect(pageEventOf({ type: "frame", frame }, true)).toEqual(["packet", { data: "AQI=" }]);
  });

  it("is told what was read, as sentences with their age, where it shows sources", () => {
    const value = { target: "plant/pump/p6", signal: "status", value: "running" } as const;
    const evidence = [{ ...value, text: "Pump six, status: running.", ageMs: 40 }];
    const step = { type: "step", tool: "plant.read_status", ok: true, ms: 5, evidence } as const;
    const heard = { type: "event", event: { ...step, target: "pump six" } } as const;
    const told = { ok: true, evidence: [{ text: "Pump six, status: running.", age_ms: 40 }] };
    expect(pageEventOf(heard, true)).toEqual(["step", { target: "pump six", ...told }]);
    expect(pageEventOf({ type: "event", event: step }, true)).toEqual(["step", told]);
    expect(pageEventOf(heard, false)).toBeUndefined();
  });

  it("is told what is asked to be done, with the word and the state before, whatever it shows of sources", () => {
    const event = { type: "proposed", operation: waitingView() } as const;
    const told = ["operation", operationCard(waitingView())] as const;
    expect(pageEventOf({ type: "event", event }, false)).toEqual(told);
    expect(told[1]).toMatchObject({
      challenge: "tango",
      risk_level: "medium",
      calls: [{ before: "stopped" }],
    });
  });

  it("is not told what was searched for and found", () => {
    const events = [
      { type: "queries", queries: ["canteen"] },
      { type: "passages", passages: [passage("a")] },
      { type: "routed", decision: whole.route },
      { type: "answer", answer: whole },
    ] as const;
    for (const event of events) expect(pageEventOf({ type: "event", event }, true)).toBeUndefined();
  });

  it("is not told an answer that there is not", () => {
    const failed = {
      ...report(whole),
      answer: undefined,
      failure: { code: "timeout", error: "Too late." },
    } as const;
    expect(() => pageEventOf({ type: "event", event: { type: "finished", report: failed } }, true)).toThrow(
      "Too late.",
    );
  });
});
