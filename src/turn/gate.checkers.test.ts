/** The gate asks every checker and joins what they say, whatever kind of evidence theirs is. */
import { describe, expect, it } from "vitest";
import { passage } from "../../test/support/fake-retrieval.js";
import { english } from "../../test/support/locales.js";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import { phrasesFor } from "../answer/phrases.js";
import type { DraftEvent } from "../capability/draft.js";
import type { Answer } from "../domain/answer.js";
import type { Checker, Conclusion, DraftedSentence, DraftSoFar, Judgement } from "../grounding/checker.js";
import type { Steps } from "../lib/steps.js";
import { checkersFor } from "./checkers.js";
import { Gate, type GateJob } from "./gate.js";

const phrases = phrasesFor("default", english);
const clock = new VirtualClock();
const manual = passage(
  "manual",
  "The pump P-12 may run at 6 bar at most. Only the shift lead starts the pump.",
  {
    title: "Pumps",
  },
);

/** What was done: knows which valves were opened, and makes what it bears out wait. */
class ToyLedger implements Checker {
  constructor(private readonly opened: readonly string[]) {}

  *add(): Steps<void> {}

  *check({ text }: DraftedSentence): Steps<Judgement | undefined> {
    yield;
    const valve = /valve (\S+) is open/i.exec(text)?.[1];
    if (valve === undefined) return undefined;
    const isOpen = this.opened.includes(valve);
    return {
      role: "claim",
      verdict: isOpen ? "supported" : "contradicted",
      evidence: [{ type: "tool_output", source: "ledger", value: this.opened.join(", ") }],
      reasons: isOpen ? [] : [{ code: "opposite_state", text: `valve ${valve} was not opened` }],
      confidence: isOpen ? 0.99 : 0.01,
      waits: true,
      before: [{ text: "It is done.", once: "done" }],
      doubt: { reason: "conflicting_readings", suggestion: "Look at the valve." },
    };
  }

  *conclude({ held }: DraftSoFar): Steps<Conclusion> {
    yield;
    return { parts: held.filter(({ by }) => by === this), withheld: false, relevance: 0.9 };
  }
}

async function gated(drafts: readonly DraftEvent[], more: Partial<GateJob> = {}): Promise<Answer> {
  const job: GateJob = {
    question: "What about the pump and the valves?",
    persona: "default",
    phrases,
    route: { route: "knowledge", layer: "default", confidence: 1 },
    nowMs: () => clock.now(),
    ...more,
  };
  const all = async function* (): AsyncGenerator<DraftEvent> {
    yield { type: "passages", passages: [manual] };
    yield* drafts;
    yield { type: "end", searched: "found", degraded: false };
  };
  let answer: Answer | undefined;
  for await (const event of new Gate(job, () => 0).run(all()))
    if (event.type === "answer") answer = event.answer;
  return answer!;
}

const says = (text: string): DraftEvent => ({ type: "text", text });

describe("a third checker", () => {
  const withLedger = (opened: readonly string[]): Partial<GateJob> => ({
    checkers: [...checkersFor({ persona: "default", phrases }, () => clock.now()), new ToyLedger(opened)],
  });

  it("bears out what no other does, has its remark said, and has it wait", async () => {
    const draft = says("Valve 3 is open. The pump P-12 may run at 6 bar at most.");
    expect((await gated([draft])).text).toBe(
      `The pump P-12 may run at 6 bar at most. ${phrases.restNotCovered}`,
    );
    const answer = await gated([draft], withLedger(["3"]));
    expect(answer).toMatchObject({
      text: "The pump P-12 may run at 6 bar at most. It is done. Valve 3 is open.",
      outcome: "answered",
      claims: [{ said: true, evidence: [{ source: "ledger" }], confidence: 0.99 }, { said: true }],
    });
    expect(answer.confidence).toBeGreaterThan(0.5);
  });

  it("withholds what it contradicts, though a document says so, and tells what is uncertain", async () => {
    const form = { ...manual, chunkId: "form", text: "Valve 3 is open in summer." };
    const found: DraftEvent = { type: "passages", passages: [form] };
    const draft = says("Valve 3 is open in summer.");
    expect((await gated([found, draft])).text).toBe("Valve 3 is open in summer.");
    expect(await gated([found, draft], withLedger([]))).toMatchObject({
      text: phrases.notInDocuments,
      claims: [{ said: false, verdict: "contradicted" }],
      uncertainties: [
        { reason: "no_data" },
        { reason: "conflicting_readings", suggestion: "Look at the valve." },
      ],
    });
  });
});

describe("a step that another checker contradicts", () => {
  it("takes its procedure along", async () => {
    const steps = ["1. Switch the pump off.", "2. See that valve 3 is open.", "3. Start the pump."];
    const form = passage("form", steps.join("\n"), { title: "Draining", headings: [] });
    const drafts: DraftEvent[] = [{ type: "passages", passages: [form] }, says(steps.join("\n"))];
    expect((await gated(drafts)).text).toBe(steps.join(" "));
    const refused = await gated(drafts, {
      checkers: [...checkersFor({ persona: "default", phrases }, () => clock.now()), new ToyLedger([])],
    });
    expect(refused.text).toBe(phrases.procedureRefused("Draining"));
  });
});

describe("readings of a site", () => {
  const read = (ageMs: number): DraftEvent => ({
    type: "readings",
    tools: [
      { tool: "linux_service_status", result: { service: "nginx", active: true, running: true }, ageMs },
    ],
  });

  it("bear out sentences, one by one, beside passages", async () => {
    const draft = says(
      "The nginx service is running. It is active. It is enabled. The pump P-12 may run at 6 bar at most.",
    );
    const answer = await gated([read(5_000), draft]);
    expect(answer.text).toBe(
      `The nginx service is running. It is active. The pump P-12 may run at 6 bar at most. ${phrases.restNotCovered}`,
    );
    expect(answer.claims.map(({ evidence, said }) => [said, evidence[0]?.type, evidence[0]?.ageMs])).toEqual([
      [true, "tool_output", 5_000],
      [true, "tool_output", 5_000],
      [false, undefined, undefined],
      [true, "passage", undefined],
    ]);
  });

  it("contradict what is not so", async () => {
    const answer = await gated([read(0), says("The nginx service is stopped.")]);
    expect(answer).toMatchObject({ claims: [{ verdict: "contradicted", said: false }] });
    expect(answer.text).toBe(phrases.notInDocuments);
  });

  it("are said with their age once they are a minute old, and bear out nothing once they are stale", async () => {
    const draft = says("The nginx service is running.");
    expect((await gated([read(120_000), draft])).text).toBe(
      "This is how it was 2 minutes ago: The nginx service is running.",
    );
    const stale = await gated([read(400_000), draft]);
    expect(stale).toMatchObject({
      claims: [{ said: false }],
      uncertainties: [{}, { reason: "stale_reading" }],
    });
  });

  it("grow old while the answer is written", async () => {
    const slowly = async function* (): AsyncGenerator<DraftEvent> {
      yield read(0);
      yield says("The nginx service is running. It ");
      await clock.advance(90_000);
      yield says("is active.");
      yield { type: "end", searched: "found", degraded: false };
    };
    const route = { route: "check", layer: "default", confidence: 1 } as const;
    const job = { question: "?", persona: "default", phrases, route, nowMs: () => clock.now() } as const;
    let said = "";
    for await (const event of new Gate(job, () => 0).run(slowly()))
      if (event.type === "text") said += event.text;
    expect(said).toBe("The nginx service is running. This is how it was 2 minutes ago: It is active. ");
  });
});

describe("a claim of an action", () => {
  const log = passage(
    "log",
    "I have restarted pump two. Pump two has been restarted. The pump may run at 6 bar.",
    {
      title: "Log of a shift",
    },
  );
  const read: DraftEvent = { type: "passages", passages: [log] };
  const fact = {
    operation: "op-1",
    target: "p2",
    name: "pump two",
    action: "restart",
    outcome: "verified",
  } as const;
  const fresh = () => ({
    question: "Restart pump two.",
    checkers: checkersFor({ persona: "default", phrases }, () => clock.now()),
  });

  it.each(["I have restarted pump two.", "Pump two has been restarted.", "Done.", "On it."])(
    "is not said, though a document has it, and though it was done: %s",
    async (text) => {
      const said = async (...before: readonly DraftEvent[]) =>
        (await gated([read, ...before, { type: "text", text }], fresh())).text;
      expect(await said()).not.toContain(text);
      expect(await said({ type: "operations", facts: [fact] })).not.toContain(text);
    },
  );

  it("stops nothing else that a document says", async () => {
    const text = "The pump may run at 6 bar.";
    expect((await gated([read, { type: "text", text }], fresh())).text).toContain(text);
  });

  it("is said where it was rendered from what operations tell, and only then", async () => {
    const statement = (outcome: "verified" | "failed"): DraftEvent => {
      const { name: _, ...did } = { ...fact, outcome };
      return { type: "statement", text: "Pump two was restarted, and runs.", did: [did] };
    };
    const facts: DraftEvent = { type: "operations", facts: [fact] };
    expect((await gated([facts, statement("verified")], fresh())).text).toContain("runs");
    expect((await gated([facts, statement("failed")], fresh())).text).not.toContain("runs");
    expect((await gated([statement("verified")], fresh())).text).not.toContain("runs");
  });
});

describe("a first clause", () => {
  it("is there with its comma, before the word behind it", async () => {
    const clause = "The valve V1 is open since this morning";
    const judged: string[] = [];
    const counting = new (class extends ToyLedger {
      override *check(sentence: DraftedSentence): Steps<Judgement | undefined> {
        judged.push(sentence.text);
        const judgement = yield* super.check(sentence);
        return judgement && { ...judgement, waits: false };
      }
    })(["V1"]);
    const clauses: string[] = [];
    async function* draft(): AsyncGenerator<DraftEvent, void, undefined> {
      yield { type: "text", text: `${clause},` };
      await settled();
      expect(clauses).toEqual([`${clause},`]);
      yield { type: "text", text: " and the pump" };
      yield { type: "text", text: " runs." };
      yield { type: "end", searched: "found", degraded: false };
    }
    const route = { route: "knowledge", layer: "default", confidence: 1 } as const;
    const job: GateJob = {
      question: "?",
      persona: "default",
      phrases,
      route,
      earlyClause: true,
      checkers: [counting],
    };
    for await (const event of new Gate(job, () => clock.monotonic()).run(draft()))
      if (event.type === "clause") clauses.push(event.text);
    expect(clauses).toHaveLength(1);
    expect(judged.filter((text) => text === clause)).toHaveLength(1);
  });
});

/** Until nothing runs any more but what waits for us. */
async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
}
