/**
 * The stepper: a guide, a run of it and an event make the next run and what to say. It knows no clock, no model and no
 * network. Every event in every state has an answer; what is guarded (a hold point, a critical step) is passed by being
 * done and by nothing else.
 */
import { type GuideIndex, nextId, otherwiseId, stepById } from "../schema/graph.js";
import { arrive, go, goBack, pass, present } from "./moves.js";
import { mayJump, placeBehind, stepAt, whyKept } from "./places.js";
import { answered, done, heardValue, saidNo, saidYes } from "./replies.js";
import {
  type Asks,
  type GuideRun,
  LOG_MAX,
  MISSES_MAX,
  type Omission,
  type RunAction,
  type RunEvent,
  type Stepped,
  type Values,
} from "./run.js";
import { logged, stay } from "./stepped.js";
import { commandsAt, toldAt } from "./telling.js";

/** A new run. `given`: what a form holds already, by the names of the intake's fields. */
export function beginRun(
  index: GuideIndex,
  { atMs, by, given = {} }: { readonly atMs: number; readonly by: string; readonly given?: Values },
): Stepped {
  const place = placeBehind(index, given);
  const run: GuideRun = {
    guide: index.guide.id,
    version: index.guide.version,
    user: by,
    status: "running",
    place,
    values: given,
    passed: [],
    asks: undefined,
    sinceMs: atMs,
    misses: 0,
    outOfRange: 0,
    wayBack: [],
    log: [],
  };
  return arrive(index, logged(run, { atMs, by }, "started"), place, { atMs, by });
}

/** The run after `event`, and what to say and to do. */
export function stepRun(index: GuideIndex, run: GuideRun, event: RunEvent): Stepped {
  if (run.status === "done" || run.status === "quit") return stay(run, { say: "over" });
  if (run.log.length >= LOG_MAX)
    return stay(logged({ ...run, status: "quit", asks: undefined }, event, "quit"), { say: "record_full" });
  if (!mayAct(run, event)) return stay(run, { say: "not_yours" });
  if (run.status === "paused" && !IN_PAUSE.has(event.type)) return stay(run, { say: "paused" });
  if (event.type === "noise") return missed(index, run, event);
  const heard = run.misses === 0 ? run : { ...run, misses: 0 };
  return handle(index, withoutAsking(heard, event), event);
}

/** Only who works moves the run; a second person seconds, and sites answer for themselves. */
function mayAct({ user }: GuideRun, { by, type }: RunEvent): boolean {
  return by === user || type === "second" || type === "reading" || type === "operated";
}

const IN_PAUSE: ReadonlySet<RunAction["type"]> = new Set<RunAction["type"]>([
  ...(["resume", "where", "left", "commands", "help", "quit", "yes", "no", "note"] as const),
  ...(["hand_over", "operated", "noise"] as const),
]);

/** What was asked by the way is dropped by anything that does not answer it. */
function withoutAsking(run: GuideRun, { type }: RunEvent): GuideRun {
  const { asks } = run;
  if (asks?.type === "quit" && type !== "yes" && type !== "no") return { ...run, asks: asks.before };
  const answersReason = type === "leave_out" || type === "note" || type === "no";
  if (asks?.type === "reason" && !answersReason) return { ...run, asks: asks.before };
  return run;
}

/** What leaves a step: nobody does while something is being done to the site. */
const LEAVES: ReadonlySet<RunAction["type"]> = new Set<RunAction["type"]>([
  ...(["back", "jump", "leave_out", "failed"] as const),
]);

function handle(index: GuideIndex, run: GuideRun, event: RunEvent): Stepped {
  if (run.asks?.type === "operation" && LEAVES.has(event.type)) return stay(run, { say: "needs_operation" });
  switch (event.type) {
    case "next":
      return done(index, run, event);
    case "yes":
      return saidYes(index, run, event);
    case "no":
      return saidNo(index, run, event);
    case "answer":
      return answered(index, run, event.option, event);
    case "value":
      return heardValue(index, run, event.value, event);
    case "back":
      return goBack(index, run, event);
    case "jump":
      return jump(index, run, event.step, event);
    case "leave_out":
      return leaveOut(index, run, event.left, event.reason, event);
    case "failed":
      return fail(index, run, event);
    case "second":
      return seconded(index, run, event.groups, event);
    case "reading":
      return read(index, run, event);
    case "operated":
      return operated(index, run, event);
    case "note":
      return noted(index, run, event.text, event);
    case "pause":
      return stay(logged({ ...run, status: "paused", pausedMs: event.atMs }, event, "paused"), {
        say: "paused",
      });
    case "resume":
      return resume(index, run, event);
    case "quit":
      return stay({ ...run, asks: { type: "quit", before: run.asks } }, { say: "ask_quit" });
    case "hand_over":
      return stay(logged({ ...run, user: event.to }, event, "handed_over", event.to), {
        say: "handed_over",
        to: event.to,
      });
    default:
      return toldAt(index, run, event.type, event);
  }
}

function jump(index: GuideIndex, run: GuideRun, to: string, event: RunEvent): Stepped {
  if (stepById(index, to) === undefined) return stay(run, { say: "no_such_step" });
  const at = run.wayBack.findLastIndex(({ place }) => place.type === "step" && place.id === to);
  if (at >= 0) {
    const { place, ...before } = run.wayBack[at]!;
    const back = { ...run, ...before, wayBack: run.wayBack.slice(0, at) };
    return arrive(index, logged(back, event, "jumped", to), place, event);
  }
  if (!mayJump(index, run, to)) return stay(run, { say: "may_not_jump", step: to });
  return go(index, logged(run, event, "jumped", to), to, event);
}

function leaveOut(
  index: GuideIndex,
  run: GuideRun,
  left: Omission,
  reason: string | undefined,
  event: RunEvent,
): Stepped {
  const step = stepAt(index, run.place);
  if (step === undefined) return done(index, run, event);
  const why = whyKept(index, step);
  if (why !== undefined) return stay(run, { say: "may_not_leave_out", why });
  const before = run.asks?.type === "reason" ? run.asks.before : run.asks;
  if (reason === undefined)
    return stay({ ...run, asks: { type: "reason", left, before } }, { say: "ask_reason" });
  return go(index, logged(run, event, left, reason), nextId(index, step), event);
}

function fail(index: GuideIndex, run: GuideRun, event: RunEvent): Stepped {
  const step = stepAt(index, run.place);
  if (step === undefined) return stay(run, { say: "value_expected" });
  return go(index, logged({ ...run, asks: undefined }, event, "failed"), otherwiseId(step), event);
}

function seconded(index: GuideIndex, run: GuideRun, groups: readonly string[], event: RunEvent): Stepped {
  const step = stepAt(index, run.place);
  if (run.status === "paused") return stay(run, { say: "paused" });
  if (step?.kind !== "hold_point") return stay(run, { say: "not_yours" });
  const belongs = step.group === undefined || groups.includes(step.group);
  if (event.by === run.user || !belongs) return stay(run, { say: "needs_second", group: step.group });
  return pass(index, logged(run, event, "seconded"), step, event);
}

function read(index: GuideIndex, run: GuideRun, event: RunEvent & { readonly type: "reading" }): Stepped {
  const step = stepAt(index, run.place);
  if (step?.kind !== "check" || run.asks?.type !== "reading") return stay(run);
  const { fits, said } = event;
  if (said === undefined) {
    const asks: Asks | undefined = step.text === undefined ? undefined : { type: "person" };
    const told = [
      { say: "not_read", step: step.id },
      ...(asks === undefined ? [] : [{ say: "person", step: step.id } as const]),
    ] as const;
    return stay(logged({ ...run, asks }, event, "not_read"), ...told);
  }
  const heard = logged({ ...run, asks: undefined }, event, "read", said);
  const reading = { say: "reading", text: said, fits } as const;
  const moved = fits ? pass(index, heard, step, event) : go(index, heard, otherwiseId(step), event);
  return { ...moved, says: [reading, ...moved.says] };
}

function operated(
  index: GuideIndex,
  run: GuideRun,
  event: RunEvent & { readonly type: "operated" },
): Stepped {
  const step = stepAt(index, run.place);
  if (step?.kind !== "operate" || !isWaitingForOperation(run)) return stay(run);
  const { outcome } = event;
  const isDone = outcome === "verified";
  const asks: Asks | undefined = outcome === "unknown" ? { type: "unknown_outcome" } : undefined;
  const heard = logged({ ...run, asks }, event, isDone ? "operated" : "not_operated", outcome);
  const told = { say: "operated", outcome } as const;
  const moved = isDone ? pass(index, heard, step, event) : go(index, heard, otherwiseId(step), event);
  return { ...moved, says: [told, ...moved.says] };
}

/** Also where it was asked meanwhile whether the run is to end. */
function isWaitingForOperation({ asks }: GuideRun): boolean {
  return asks?.type === "operation" || (asks?.type === "quit" && asks.before?.type === "operation");
}

function noted(index: GuideIndex, run: GuideRun, text: string, event: RunEvent): Stepped {
  if (run.asks?.type === "reason") return leaveOut(index, run, run.asks.left, text, event);
  return stay(logged(run, event, "note", text), { say: "noted" });
}

function resume(index: GuideIndex, run: GuideRun, event: RunEvent): Stepped {
  if (run.status !== "paused") return toldAt(index, run, "repeat", event);
  const sinceMs = run.sinceMs + (event.atMs - (run.pausedMs ?? event.atMs));
  const { pausedMs: _, ...rest } = run;
  const going = logged({ ...rest, status: "running", sinceMs }, event, "resumed");
  const shown = present(index, going, event);
  return { ...shown, says: [{ say: "resumed" }, ...shown.says] };
}

/** The second time the commands are said as well; the third time the run is paused, so that nobody is led by noise. */
function missed(index: GuideIndex, run: GuideRun, event: RunEvent): Stepped {
  if (run.status === "paused") return stay(run, { say: "paused" });
  const misses = run.misses + 1;
  if (misses >= MISSES_MAX) {
    const paused = { ...run, misses: 0, status: "paused", pausedMs: event.atMs } as const;
    return stay(logged(paused, event, "paused"), { say: "paused" });
  }
  const told = toldAt(index, { ...run, misses }, "repeat", event);
  const commands = misses === 1 ? [] : [{ say: "commands", commands: commandsAt(index, run) } as const];
  return { ...told, says: [{ say: "not_understood" }, ...told.says, ...commands] };
}
