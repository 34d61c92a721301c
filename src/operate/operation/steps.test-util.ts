/** What may happen next in the world of `world.test-util.ts`: each as a step. */
import type { CallReply, Reply } from "../../domain/operation.js";
import type { Reading, ReadingValue } from "../../domain/reading.js";
import { ANN, BEN, CLEO, keyOf, OTHER_BEN, PEOPLE } from "./people.test-util.js";
import { recovered } from "./reduce.js";
import type { OperationEvent } from "./state.js";
import {
  type CallTruth,
  happens,
  judged,
  NEWS_MS,
  rowOf,
  STEP_MS,
  WALL_AHEAD_MS,
  WALL_SET_MS,
  type World,
  withEffects,
} from "./world.test-util.js";

export interface Step {
  readonly name: string;
  readonly to: () => World;
}

/** Answers that came in and may come in once more. */
const REPEATS_MAX = 2;

/** Everything that may happen next. */
export function stepsFrom(world: World): readonly Step[] {
  return [...ofPeople(world), ...ofAnswers(world), ...ofRepeats(world), ...ofTime(world), ...ofFaults(world)];
}

function ofPeople(world: World): readonly Step[] {
  const { truth } = world;
  return PEOPLE.flatMap((by): readonly Step[] => {
    const who = keyOf(by);
    const step = (name: string, what: (at: OperationEvent["at"]) => OperationEvent): Step => ({
      name: `${who} ${name}`,
      to: () => happens(world, what),
    });
    const says = (verdict: "approved" | "denied" | "unclear", how: Partial<Reply> = {}) =>
      step(`${verdict} ${JSON.stringify(how)}`, (at) => {
        const reply: Reply = {
          by,
          pressedMs: at.atMs,
          words: verdict,
          via: "voice",
          isRough: false,
          isTrusted: true,
          ...how,
        };
        return { type: "reply", at, reply, verdict };
      });
    const heardMs = truth.heard[who];
    return [
      step("hears it", (at) => ({ type: "readback", at, to: by, heardMs: at.atMs })),
      ...(by === ANN || by === BEN
        ? [step("is cut off", (at) => ({ type: "readback", at, to: by, heardMs: undefined }))]
        : []),
      step("stops", (at) => ({ type: "stop", at, by })),
      ...(truth.isOwed && by !== CLEO ? [step("is told", (at) => ({ type: "told", at, to: by }))] : []),
      says("approved"),
      says("denied"),
      ...(by === ANN || by === BEN ? [says("unclear")] : []),
      ...(heardMs === undefined ? [] : [says("approved", { pressedMs: heardMs })]),
      ...(by === OTHER_BEN || by === CLEO
        ? []
        : [says("approved", { isRough: true }), says("approved", { isTrusted: false })]),
    ];
  });
}

function readingOf(world: World, call: number, value: ReadingValue, agoMs: number): Reading {
  const { target } = world.state.proposal.calls[call]!;
  const takenAtMs = world.nowMs + 1 + world.aheadMs - agoMs;
  return { target, signal: "status", value, takenAtMs, tool: "plant.read" };
}

/** Each effect that is waited for is answered in each way. */
function ofAnswers(world: World): readonly Step[] {
  const { site, truth } = world;
  return world.pending.flatMap((effect, index): readonly Step[] => {
    const rest = { ...world, pending: world.pending.toSpliced(index, 1) };
    const step = (name: string, what: (at: OperationEvent["at"]) => OperationEvent, after = rest): Step => ({
      name: `${effect.type} ${name}`,
      to: () => {
        let event: OperationEvent | undefined;
        const next = happens(after, (at) => {
          event = what(at);
          return event;
        });
        return { ...next, answered: [event!, ...next.answered].slice(0, REPEATS_MAX) };
      },
    });
    if (effect.type === "record") {
      const { entry } = effect;
      const onDisk = { ...rest, rows: [...rest.rows, rowOf(rest, entry)] };
      return [
        step("is on disk", (at) => ({ type: "recorded", at, entry }), onDisk),
        step("fails", (at) => ({ type: "record_failed", at })),
      ];
    }
    const { call } = effect;
    const now = readingOf(world, call, site[call]!, 0);
    const elsewhere = { ...readingOf(world, call, "on", 0), target: "plant/pump/other" };
    if (effect.type === "read" && effect.look === 0) {
      const told = (name: string, reading: Reading | undefined, isForbidden = false) =>
        step(name, (at) => ({ type: "read", at, call, look: 0, reading, isForbidden }));
      return [
        told("reads", now),
        told("fails", undefined),
        told("elsewhere", elsewhere),
        told("forbidden", now, true),
      ];
    }
    if (effect.type === "execute") {
      const told = (name: string, reply: CallReply, value: ReadingValue) =>
        step(name, (at) => ({ type: "called", at, call, reply }), { ...rest, site: site.with(call, value) });
      const lost = { type: "lost", message: "" } as const;
      return [
        told("does it", { type: "ok" }, "on"),
        told("says so only", { type: "ok" }, site[call]!),
        told("is refused", { type: "refused", message: "" }, site[call]!),
        told("fails", { type: "failed", message: "" }, site[call]!),
        told("does it and fails", { type: "failed", message: "" }, "on"),
        told("is lost", lost, site[call]!),
        told("does it and is lost", lost, "on"),
      ];
    }
    const { look } = effect;
    const seen = (name: string, reading: Reading | undefined) =>
      step(name, (at) => ({ type: "read", at, call, look, reading, isForbidden: false }));
    const staleMs = world.nowMs + 2 - truth.calls[call]!.calledMs;
    return [
      seen("reads", now),
      seen("stale", readingOf(world, call, "on", staleMs)),
      seen("fails", undefined),
      seen("elsewhere", elsewhere),
    ];
  });
}

/** An answer that came in comes in once more, later. */
function ofRepeats(world: World): readonly Step[] {
  return world.answered.map((event) => ({
    name: `${event.type} again`,
    to: () => happens(world, (at) => ({ ...event, at })),
  }));
}

function ofTime(world: World): readonly Step[] {
  const later = (ms: number): Step => ({
    name: `${ms} ms pass`,
    to: () => happens({ ...world, nowMs: world.nowMs + ms }, (at) => ({ type: "tick", at })),
  });
  /** A timer that is late. */
  const unnoticed = { name: "time passes", to: () => ({ ...world, nowMs: world.nowMs + STEP_MS }) };
  const set = world.aheadMs === WALL_AHEAD_MS ? [WALL_SET_MS] : [];
  return [
    later(STEP_MS),
    ...(world.truth.isOwed ? [later(NEWS_MS)] : []),
    unnoticed,
    ...set.map((byMs) => ({
      name: "the clock is set",
      to: () => ({ ...world, aheadMs: world.aheadMs + byMs }),
    })),
  ];
}

/** Somebody else touches the first pump, a row fails, and the process ends with what is on disk by then. */
function ofFaults(world: World): readonly Step[] {
  const waited = world.pending.flatMap((one) => (one.type === "record" ? [rowOf(world, one.entry)] : []));
  const other = world.site[0] === "on" ? "off" : "on";
  return [
    { name: "the site changes", to: () => ({ ...world, site: world.site.with(0, other) }) },
    { name: "a row fails", to: () => happens(world, (at) => ({ type: "record_failed", at })) },
    { name: "restart", to: () => restarted(world, world.rows) },
    ...(waited.length === 0
      ? []
      : [{ name: "restart late", to: () => restarted(world, [...world.rows, ...waited]) }]),
  ];
}

function restarted(world: World, rows: World["rows"]): World {
  const nowMs = world.nowMs + 1;
  const at = { atMs: nowMs, wallMs: nowMs + world.aheadMs };
  const step = recovered(rows, at);
  const calls = world.truth.calls.map(
    (one): CallTruth => ({
      ...one,
      calledMs: nowMs,
      // What the rows do not tell is not known any more.
      ...(rows.some(({ entry }) => entry.type === "executed") ? {} : { reply: "lost" as const }),
    }),
  );
  const truth = { ...world.truth, calls, isForbidden: true };
  const gone = { ...world, nowMs, rows, pending: [], answered: [] };
  if (step === undefined) {
    if (truth.isOwed) throw new Error("what nobody was told is forgotten");
    const { phase } = world.state;
    const reason = phase.type === "ended" ? phase.reason : "restarted";
    return { ...gone, truth, state: { ...world.state, phase: { type: "ended", reason } } };
  }
  const { phase } = step.state;
  const isOver = phase.type === "ended" && phase.reason !== undefined;
  if (isOver === rows.some(({ entry }) => entry.type === "executing" || entry.type === "outcome"))
    throw new Error("what waited is not void, or what was called is");
  const event: OperationEvent = { type: "tick", at };
  const after = withEffects({ ...gone, truth, state: step.state }, step.effects);
  return judged(world, after, event, step.effects);
}
