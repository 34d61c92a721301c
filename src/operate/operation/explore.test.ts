// Every order in which things can happen to an operation, breadth first to a stated depth; the judge of `world.test-util.ts`
// sees each step. A place deep inside is reached by the way of a sound operation, and explored from there.
import { afterAll, expect, it } from "vitest";
import { fingerprint } from "./fingerprint.test-util.js";
import { type Step, stepsFrom } from "./steps.test-util.js";
import { type Setting, startOf, type World } from "./world.test-util.js";

interface Path {
  readonly world: World;
  readonly name: string;
  readonly before?: Path;
}

const ON_DISK = "record is on disk";
const ASKED = [ON_DISK, "plant/ann hears it"];
const CONSENTED = [...ASKED, "plant/ann approved {}"];
const CALLED = [...CONSENTED, "read reads", ON_DISK, "execute is lost"];

const once: Setting = { level: "plain", calls: 1, dryRun: false, isSameBefore: false };
const twice: Setting = { ...once, calls: 2 };
const secondPerson: Setting = { ...once, level: "second_person" };

const starts: readonly (readonly [depth: number, way: readonly string[], Setting])[] = [
  [7, [], once],
  [6, ASKED, { ...once, level: "challenge" }],
  [5, ASKED, { ...twice, dryRun: true }],
  [6, CONSENTED, { ...twice, isSameBefore: true }],
  [5, [...CONSENTED, "read reads", "read reads", ON_DISK], twice],
  [6, CALLED, once],
  [7, CALLED, { ...once, isSameBefore: true }],
  [6, ASKED, secondPerson],
  [5, CONSENTED, secondPerson],
  [5, [...CONSENTED, "plant/ben hears it"], secondPerson],
];

/** READBACK_TEST_STEPS_LESS: each exploration ends so many steps earlier. For mutants, each of which is explored. */
const STEPS_LESS = Number(process.env.READBACK_TEST_STEPS_LESS ?? 0);
const STATES_MIN = STEPS_LESS === 0 ? 300 : 3;

const reached = { states: 0, ends: new Set<string>() };

it.each(starts)("keeps its promises for %i steps after %j of %o", (depth, way, setting) => {
  const from = way.reduce(next, { world: startOf(setting), name: "proposed" });
  const states = explored(from, depth - STEPS_LESS);
  console.log(
    `${states} states in ${depth - STEPS_LESS} steps after ${way.length}: ${JSON.stringify(setting)}`,
  );
  reached.states += states;
  expect(states).toBeGreaterThan(STATES_MIN);
});

it.skipIf(STEPS_LESS > 0)("has been everywhere", () => {
  console.log(`${reached.states} states`);
  expect([...reached.ends].sort()).toEqual([
    "contradicted",
    "denied",
    "dry_run",
    "expired",
    "failed",
    "missed",
    "not_heard",
    "not_recorded",
    "restarted",
    "skipped",
    "state_changed",
    "stopped",
    "told",
    "too_late",
    "unknown",
    "unreadable",
    "verified",
    "withdrawn",
  ]);
});

afterAll(() => reached.ends.clear());

/** How many different worlds can be reached in so many steps. Throws the way to a broken rule. */
function explored(from: Path, depth: number): number {
  let front: readonly Path[] = [from];
  const seen = new Set([fingerprint(from.world)]);
  for (let steps = 0; steps < depth; steps++) {
    const further: Path[] = [];
    for (const path of front)
      for (const step of stepsFrom(path.world)) {
        const after = taken(path, step);
        const key = fingerprint(after.world);
        if (seen.has(key)) continue;
        seen.add(key);
        noted(after.world);
        // What comes after all is told is tried once.
        if (path.world.state.phase.type !== "ended" || path.world.truth.isOwed) further.push(after);
      }
    front = further;
  }
  return seen.size;
}

function next(path: Path, name: string): Path {
  return taken(path, stepsFrom(path.world).find((step) => step.name === name)!);
}

function taken(before: Path, { name, to }: Step): Path {
  try {
    return { world: to(), name, before };
  } catch (error) {
    const way = (path: Path): string[] => [...(path.before === undefined ? [] : way(path.before)), path.name];
    throw new Error([...way(before), name].join(" → "), { cause: error });
  }
}

function noted({ rows, state }: World): void {
  for (const { entry } of rows) if (entry.type === "told") reached.ends.add(entry.givenUp ?? "told");
  if (state.phase.type !== "ended") return;
  if (state.phase.reason !== undefined) reached.ends.add(state.phase.reason);
  for (const call of state.calls) if (call.type === "done") reached.ends.add(call.outcome);
}
