import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import type { DraftEvent } from "../capability/draft.js";
import type { Stage } from "../telemetry/events.js";
import { TurnWaterfall } from "./waterfall.js";

const user = { network: "plant", username: "ann" };

function bench() {
  const clock = new VirtualClock();
  const waterfall = new TurnWaterfall(clock, clock.monotonic());
  const stage = (name: Stage) => waterfall.hear({ type: "stage_finished", user, stage: name, ms: 1 });
  return { clock, waterfall, stage };
}

/** Lets the draft pass, `everyMs` between its parts; returns what passed. */
async function watchDraft({ clock, waterfall }: ReturnType<typeof bench>, drafts: readonly DraftEvent[]) {
  async function* written() {
    for (const draft of drafts) {
      await clock.advance(10);
      yield draft;
    }
  }
  const passed: DraftEvent[] = [];
  for await (const draft of waterfall.watch(written())) passed.push(draft);
  return passed;
}

const text = (words: string): DraftEvent => ({ type: "text", text: words });
const end: DraftEvent = { type: "end", searched: "found", degraded: false };

describe("TurnWaterfall", () => {
  it("counts from when the question came in, and leaves out what was not passed", async () => {
    const { clock, waterfall, stage } = bench();
    await clock.advance(5);
    waterfall.mark("started");
    await clock.advance(40);
    stage("search");
    stage("gate");
    expect(waterfall.value).toEqual({ marksMs: { started: 5, search: 45 }, held: false });
  });

  it("takes the first time of what may come again, but the last of searches and packets", async () => {
    const { clock, waterfall, stage } = bench();
    for (let i = 0; i < 2; i++) {
      await clock.advance(10);
      for (const name of ["plan", "search", "compose_first_text"] as const) stage(name);
      waterfall.mark("tts_request");
      waterfall.mark("last_packet");
    }
    expect(waterfall.value.marksMs).toEqual({
      plan: 20,
      search: 20,
      first_token: 10,
      tts_request: 10,
      last_packet: 20,
    });
  });

  it("forgets what came since the first word when the answer is begun anew", async () => {
    const { clock, waterfall, stage } = bench();
    stage("plan");
    stage("compose_first_text");
    waterfall.mark("tts_request");
    waterfall.hold();
    waterfall.rewind();
    expect(waterfall.value).toEqual({ marksMs: { plan: 0 }, held: false });
    await clock.advance(10);
    stage("compose_first_text");
    expect(waterfall.value.marksMs).toEqual({ plan: 0, first_token: 10 });
  });

  it.each<[what: string, drafts: readonly DraftEvent[], ms: number | undefined]>([
    ["a clause", [text("If the alarm sounds "), text("again, "), text("leave "), text("the hall."), end], 30],
    ["a sentence without clauses", [text("Pull the red "), text("handle. "), text("Then"), end], 30],
    ["the end, when there is nothing else", [text("Pull the red "), text("handle."), end], 30],
    ["a claim", [{ type: "claim", text: "Pull it.", source: "p", quote: "Pull it." }, end], 10],
    ["nothing, when nothing is written", [{ type: "phrase", text: "I don't know." }, end], undefined],
  ])("notes the first clause of a draft: %s", async (_, drafts, ms) => {
    const test = bench();
    expect(await watchDraft(test, drafts)).toEqual(drafts);
    expect(test.waterfall.value.marksMs.first_clause).toBe(ms);
  });
});
