/** Every event in every state of a run through small guides. */
import { describe, expect, it } from "vitest";
import { type GuideIndex, indexGuide, nextId } from "../schema/graph.js";
import type { GuideStep } from "../schema/guide.js";
import { guideOf, instruct, procedureOf, question } from "../schema/guides.test-util.js";
import type { GuideRun, RunAction, RunEvent, Stepped } from "./run.js";
import { check, hold, operate, record } from "./runs.test-util.js";
import { beginRun, stepRun } from "./stepper.js";

/** Guides so small that every state of a run can be walked to. */
const SMALL: Readonly<Record<string, GuideIndex>> = {
  record: indexGuide(
    procedureOf(
      [
        { id: "s", kind: "section", title: "First" },
        { ...record, min: 0, max: 4, otherwise: "y" },
        instruct("y", { text: "Set [VAR:p].", check_digit: { place: "the label", digits: "47" } }),
      ],
      { intake: [{ name: "a", label: "Line", type: "number" }] },
    ),
  ),
  procedure: indexGuide(
    procedureOf([
      instruct("x", { critical: true, min_seconds: 30, verification_prompt: "Is it off?" }),
      { ...hold, otherwise: "x" },
      instruct("y"),
    ]),
  ),
  "hold point with a question": indexGuide(
    procedureOf([instruct("x"), { ...hold, verification_prompt: "Is the seal whole?" }, instruct("y")]),
  ),
  site: indexGuide(
    procedureOf([
      { ...check, text: "Is it still?", critical: true, otherwise: "o" },
      { ...operate, critical: true, verification_prompt: "Has it stopped?" },
      instruct("y"),
    ]),
  ),
  tree: indexGuide(
    guideOf([
      question("q", { Yes: "ok", No: "fix" }, { critical: true }),
      instruct("fix", { next: "q", otherwise: "call" }),
      instruct("call", { next: "ok" }),
      { id: "ok", kind: "solution", title: "Fixed", text: "It runs." },
    ]),
  ),
};

const EVENTS: readonly (RunAction & { readonly by?: string; readonly afterMs?: number })[] = [
  ...(["next", "back", "repeat", "slower", "values", "where", "left", "why", "options"] as const).map(
    (type) => ({ type }),
  ),
  ...(["yes", "no", "failed", "pause", "resume", "quit", "help", "commands", "noise"] as const).map(
    (type) => ({ type }),
  ),
  ...(["heard", "aside"] as const).map((type) => ({ type })),
  { type: "next", afterMs: 90_000 },
  { type: "repeat", step: "y" },
  ...["0", "1", "7"].map((option) => ({ type: "answer", option }) as const),
  ...["47", 3, 9].map((value) => ({ type: "value", value }) as const),
  { type: "note", text: "why" },
  ...(["skipped", "does_not_apply"] as const).map((left) => ({ type: "leave_out", left }) as const),
  { type: "leave_out", left: "skipped", reason: "late" },
  ...["x", "y", "q", "fix", "ok", "z", "nowhere"].map((step) => ({ type: "jump", step }) as const),
  { type: "second", groups: ["fitters"] },
  { type: "second", groups: ["fitters"], by: "bob" },
  { type: "next", by: "bob" },
  { type: "hand_over", to: "ann" },
  { type: "reading", said: "4 bar", fits: true, by: "site" },
  { type: "reading", said: "9 bar", fits: false, by: "site" },
  { type: "reading", fits: false, by: "site" },
  ...(["verified", "refused", "unknown"] as const).map(
    (outcome) => ({ type: "operated", outcome, by: "site" }) as const,
  ),
];

/** What counts of a state: the record does not, and time only as far as a critical step asks for it. */
function keyOf({ heardMs, log, pausedMs, sinceMs, wayBack, ...rest }: GuideRun, nowMs: number): string {
  return JSON.stringify([
    rest,
    heardMs !== undefined,
    wayBack.slice(-WAY_COUNTED),
    (pausedMs ?? nowMs) - sinceMs >= 30_000,
  ]);
}

/** Earlier places that make states different, and those of a way that is walked on. */
const WAY_COUNTED = 1;
const WAY_MAX = 5;
const STATES_MAX = 20_000;

interface Walked {
  readonly run: GuideRun;
  readonly nowMs: number;
}

/** Calls `look` for every event in every state that can be reached, and returns how many states there are. */
function explore(index: GuideIndex, look: (before: Walked, event: RunEvent, after: Stepped) => void): number {
  const begun = beginRun(index, { atMs: 0, by: "ann" }).run;
  const seen = new Set([keyOf(begun, 0)]);
  const waiting: Walked[] = [{ run: begun, nowMs: 0 }];
  for (let one = waiting.shift(); one !== undefined && seen.size < STATES_MAX; one = waiting.shift()) {
    for (const { afterMs = 1, by = "ann", ...action } of EVENTS) {
      const nowMs = one.nowMs + afterMs;
      const event = { ...action, atMs: nowMs, by } as RunEvent;
      const after = stepRun(index, one.run, event);
      look(one, event, after);
      if (after.run.wayBack.length > WAY_MAX) continue;
      const key = keyOf(after.run, nowMs);
      if (seen.has(key)) continue;
      seen.add(key);
      waiting.push({ run: { ...after.run, log: after.run.log.slice(-1) }, nowMs });
    }
  }
  return seen.size;
}

/** What the stepper calls guarded, said once more: no mistake there may excuse itself. */
const isKept = ({ critical, kind }: GuideStep) => kind === "hold_point" || critical === true;
/** A question whether to quit, or why, does not take the step's own away. */
const isVerifying = ({ asks }: GuideRun) =>
  (asks?.type === "quit" || asks?.type === "reason" ? asks.before : asks)?.type === "verification";
const idOf = ({ place }: GuideRun) => (place.type === "step" ? place.id : undefined);
const stateOf = ({ log, ...rest }: GuideRun) => rest;

describe("every event in every state", () => {
  it.each(Object.entries(SMALL))("has an answer, in a %s", (name, index) => {
    let events = 0;
    const states = explore(index, ({ run }, event, after) => {
      events += 1;
      const silent = ["heard", "reading", "operated"].includes(event.type);
      if (!silent && after.run.status !== "paused")
        expect([event.type, after.says.length > 0]).toEqual([event.type, true]);
      if (event.by === "bob" && event.type === "next") expect(stateOf(after.run)).toEqual(stateOf(run));
      if (run.status === "paused" && event.by === "ann") expect(after.run.place).toEqual(run.place);
      expect(after.run.log.length).toBeGreaterThanOrEqual(run.log.length);
    });
    console.log(`${name}: ${states} states, ${events} events`);
    expect(states).toBeLessThan(STATES_MAX);
    expect(states).toBeGreaterThan(50);
  });

  it.each(Object.entries(SMALL))(
    "passes nothing that is guarded without its being done, in a %s",
    (_, index) => {
      explore(index, ({ run }, event, { run: after }) => {
        const from = index.steps.get(idOf(run) ?? "");
        const isSecond = event.type === "second" && event.by === "bob";
        const isAsked = isVerifying(after) && !isVerifying(run);
        if (from?.kind === "hold_point" && isAsked && run.status === "running")
          expect([event, isSecond]).toEqual([event, true]);
        if (from === undefined || !isKept(from) || idOf(after) === from.id) return;
        const isBack = after.wayBack.length < run.wayBack.length;
        const isOtherwise = idOf(after) === ("otherwise" in from ? from.otherwise : undefined);
        if (isBack || isOtherwise) return;
        expect([event, after.passed.includes(from.id) || nextId(index, from) === undefined]).toEqual([
          event,
          true,
        ]);
        const isVerified = event.type === "yes" && run.asks?.type === "verification";
        if (from.verificationPrompt !== undefined) expect([event, isVerified]).toEqual([event, true]);
        if (from.kind === "hold_point") expect([event, isSecond || isVerified]).toEqual([event, true]);
        else expect(["next", "yes", "answer", "value", "reading", "operated"]).toContain(event.type);
      });
    },
  );

  it.each(Object.entries(SMALL))("takes no answer of who has not heard the question, in a %s", (_, index) => {
    explore(index, ({ run }, event, { run: after }) => {
      if (run.heardMs !== undefined || !["next", "yes", "answer"].includes(event.type)) return;
      if (run.status !== "running" || ["reading", "operation"].includes(run.asks?.type ?? "")) return;
      const { log, passed, place, values } = after;
      expect([event, log.length, passed, place, values]).toEqual([
        ...[event, run.log.length, run.passed, run.place, run.values],
      ]);
    });
  });

  it.each(Object.entries(SMALL))("can be undone by going back, in a %s", (_, index) => {
    explore(index, ({ nowMs, run }, event, { run: after }) => {
      if (after.wayBack.length !== run.wayBack.length + 1 || after.status !== "running") return;
      if (after.asks?.type === "operation") return;
      // What a site did or said is passed by, as it leads on by itself.
      if (event.type === "operated" || event.type === "reading") return;
      const back = stepRun(index, after, { type: "back", atMs: nowMs + 2, by: after.user }).run;
      const { passed, place, values, wayBack } = back;
      expect([event.type, { passed, place, values, wayBack }]).toEqual([
        event.type,
        { passed: run.passed, place: run.place, values: run.values, wayBack: run.wayBack },
      ]);
    });
  });

  it.each(Object.entries(SMALL))("is the same after a pause, in a %s", (_, index) => {
    explore(index, ({ nowMs, run }) => {
      if (run.status !== "running") return;
      const by = run.user;
      const paused = stepRun(index, run, { type: "pause", atMs: nowMs + 5, by }).run;
      const resumed = stepRun(index, paused, { type: "resume", atMs: nowMs + 905, by }).run;
      const { asks } = run;
      const isDropped = asks?.type === "quit" || asks?.type === "reason";
      const asksStill = isDropped ? asks.before : asks;
      // Who goes on hears it again before an answer counts.
      const fresh = { heardMs: undefined, misses: 0, sinceMs: run.sinceMs + 900 };
      const awaited = { ...run, asks: asksStill, ...fresh };
      // What was read or operated in vain is tried once more.
      const isTriedAgain = awaited.asks === undefined && ["c", "o"].includes(idOf(run) ?? "");
      if (!isTriedAgain) expect(stateOf(resumed)).toEqual(stateOf(awaited));
    });
  });
});
