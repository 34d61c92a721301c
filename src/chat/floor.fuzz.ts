/**
 * Whatever a user does with the button, and whatever becomes of model, voice, recogniser and relays: every message that
 * is taken has one outcome, nothing is said while the button is held, no packet follows its end, and what is remembered
 * is what was heard. What is said unasked keeps to it too: alone, in time, and only where it is welcome.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { settle } from "../../test/support/virtual-clock.js";
import { type Fate, FloorBench } from "./floor-bench.test-util.js";

const FUZZ_SEED = process.env.FUZZ_SEED;

type Step =
  | {
      readonly type: "press" | "ask";
      readonly relay: number;
      readonly responseType: "text" | "audio";
      readonly fate: Fate;
    }
  | { readonly type: "speak"; readonly relay: number; readonly count: number; readonly skip: number }
  | {
      readonly type: "announce";
      readonly subject: string;
      readonly lifeMs: number;
      readonly responseType: "text" | "audio";
      readonly fate: Fate;
    }
  | {
      readonly type: "release" | "cancel" | "look" | "close" | "slow" | "drain" | "lose" | "greet";
      readonly relay: number;
    }
  | { readonly type: "withdraw"; readonly which: number }
  | { readonly type: "wait"; readonly ms: number };

const relay = fc.constantFrom(0, 0, 0, 1);
const fate: fc.Arbitrary<Fate> = fc.record({
  recogniser: fc.constantFrom("words", "words", "words", "nothing", "fails", "deaf", "early", "hangs"),
  writer: fc.constantFrom("answers", "answers", "answers", "fails", "hangs", "breaks_off"),
  afterMs: fc.constantFrom(0, 0, 40, 300, 1_500, 25_000),
});
const question = (type: "press" | "ask") =>
  fc.record({
    type: fc.constant(type),
    relay,
    responseType: fc.constantFrom("audio" as const, "audio" as const, "text" as const),
    fate,
  });
const at = <T extends string>(...types: T[]) => fc.record({ type: fc.constantFrom(...types), relay });

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: question("press") },
    { weight: 5, arbitrary: question("ask") },
    {
      weight: 5,
      arbitrary: fc.record({
        type: fc.constant("speak" as const),
        relay,
        count: fc.nat(5),
        skip: fc.constantFrom(0, 0, 0, 0, 1),
      }),
    },
    { weight: 6, arbitrary: at("release") },
    { weight: 3, arbitrary: at("cancel", "look") },
    { weight: 1, arbitrary: at("close", "slow", "drain", "lose", "greet") },
    {
      weight: 6,
      arbitrary: fc.record({
        type: fc.constant("announce" as const),
        subject: fc.constantFrom("timer 1", "timer 2", "valve"),
        lifeMs: fc.constantFrom(0, 100, 3_000, 30_000, 3_600_000),
        responseType: fc.constantFrom("audio" as const, "audio" as const, "text" as const),
        fate,
      }),
    },
    { weight: 1, arbitrary: fc.record({ type: fc.constant("withdraw" as const), which: fc.nat(3) }) },
    {
      weight: 8,
      arbitrary: fc.record({
        type: fc.constant("wait" as const),
        ms: fc.constantFrom(0, 1, 60, 250, 251, 700, 1_200, 5_000, 5_001, 20_000, 60_000, 600_000),
      }),
    },
  ),
  { maxLength: 40 },
);

/** Which of the two relays take announcements. */
const announcing = fc.tuple(fc.boolean(), fc.boolean());

async function play(
  script: readonly Step[],
  finishWithinMs: number,
  announcing: readonly boolean[],
): Promise<FloorBench> {
  const bench = new FloorBench(2, announcing);
  let latest: number | undefined;
  for (const step of script) {
    // Frames of one relay may come in one piece; those of two never do.
    if ("relay" in step && step.relay !== latest) await settle();
    if ("relay" in step) latest = step.relay;
    if (step.type === "wait") await bench.clock.advance(step.ms);
    else if (step.type === "press") bench.press(step.relay, step.responseType, step.fate);
    else if (step.type === "ask") bench.ask(step.relay, step.responseType, step.fate);
    else if (step.type === "speak") bench.speak(step.relay, step.count, step.skip);
    else if (step.type === "announce")
      bench.announce(step.subject, step.lifeMs, step.responseType, step.fate);
    else if (step.type === "withdraw") bench.withdraw(step.which);
    else bench[step.type](step.relay);
  }
  await bench.finish(finishWithinMs);
  return bench;
}

it("holds, whatever happens to the floor", async () => {
  const settings = {
    numRuns: Number(process.env.FUZZ_RUNS ?? 150),
    ...(FUZZ_SEED === undefined ? {} : { seed: Number(FUZZ_SEED) }),
  };
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom(0, 3_000), announcing, async (script, finishWithinMs, takes) => {
      const bench = await play(script, finishWithinMs, takes);
      expect(bench.verdict()).toEqual([]);
    }),
    settings,
  );
}, 120_000);
