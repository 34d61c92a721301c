/** What somebody who is led has heard, and what waits for their consent: nothing counts before that. */
import { beforeEach, describe, expect, it } from "vitest";
import type { AskRequest } from "../capability/capability.js";
import type { DraftEvent } from "../capability/draft.js";
import {
  anew,
  anna,
  back,
  begin,
  boris,
  clock,
  drafted,
  operated,
  operations,
  publish,
  requestOf,
  restarted,
  runs,
  say,
  told,
} from "./lead.test-util.js";
import { hold } from "./run/runs.test-util.js";
import { instruct, procedureOf } from "./schema/guides.test-util.js";

beforeEach(anew);

const GATE = { id: "gate", name: "The gate", status: "published" };

describe("a step", () => {
  it("is said again until it was heard to its end", async () => {
    await say("walk me through clearing the jam");
    await say("line two");
    expect(await say("yes", anna, false)).toBe("Tell the crew of line two.");
    expect(await say("done", anna, false)).toBe("Tell the crew of line two.");
    expect(await say("done")).toBe("Tell the crew of line two.");
    expect(await say("done")).toBe("What does it show?");
  });

  it("that was told unasked counts as heard once that was", async () => {
    publish(procedureOf([hold, instruct("b", { text: "Count." }), instruct("c")], GATE));
    await restarted();
    await say("walk me through the gate");
    await say("I confirm for Anna", { ...boris, groups: ["fitters"] });
    expect(await say("done", anna, false)).toBe("Count.");
    told.find(({ heard }) => heard !== undefined)!.heard!();
    expect(await say("done")).toBe("Close valve c.");
  });

  it("counts for nobody who had begun to speak before they had heard it", async () => {
    await begin();
    const early = { ...requestOf("done", anna), consent: { pressedMs: clock.monotonic() - 1 } } as AskRequest;
    expect((await drafted(early)).text).toBe("Tell the crew of line two.");
  });

  it("has its question asked again behind an answer to something else", async () => {
    await begin();
    await say("done");
    await say("zero point five bar");
    expect(await back()).toBe("Back to step 2. 0.5 bar: is that right?");
    await say("quit the guide");
    expect(await back()).toBe("Back to step 2. 0.5 bar: is that right?");
    expect(await say("yes")).toMatch(/Has it stopped\?$/);
  });
});

describe("a proposal", () => {
  it("reads a proposal back again as long as it waits, says its act once, and is left by who denies it so", async () => {
    const steps = [{ ...operated("start"), otherwise: "call" }, instruct("call", { text: "Call." })];
    publish(procedureOf(steps, GATE));
    await restarted();
    const proposed = { type: "proposed", operation: { proposal: { id: "op-1" } } } as unknown as DraftEvent;
    const end = { type: "end", searched: "not_needed", degraded: false, outcome: "proposed" } as const;
    const act = { type: "phrase", text: "start it." } as const;
    const word = { type: "phrase", text: "Say confirm hammer." } as const;
    operations.proposes = [proposed, act, word, { ...end, opens: { operation: "op-1", untilMs: 9 } }];
    expect(await say("walk me through the gate")).toBe("Beginning: The gate. start it. Say confirm hammer.");
    operations.again = [act, word, end];
    for (const words of ["okay", "say again", "done", "back", "hmm"])
      expect(await say(words), words).toBe("start it. Say confirm hammer.");
    operations.outcomeNow = "refused";
    expect(await back("quit the guide")).toBe("Shall the guide end here? Say yes or no.");
    expect(await say("yes")).toBe("The guide ends here.");
  });
});

describe("a run", () => {
  it("is one though it is begun twice at once", async () => {
    const both = ["a", "b"].map(() => drafted(requestOf("walk me through clearing the jam", anna)));
    const [first, second] = await Promise.all(both);
    expect(first!.text).toMatch(/^Beginning/);
    expect(second!.text).toMatch(/^You are still in another guide: Clear a jam\./);
    expect(await runs.list({ network: "plant", limit: 9 })).toHaveLength(1);
  });
});
