/**
 * How the plant moves: every value is a function of the time, of the seed, and of what was done to the thing. The same
 * three give the same value, whoever asks and however often.
 */
import { z } from "zod";
import { ACTIONS, type Action, KINDS, MODES, type Signal, type Thing } from "./plant.js";

/** Something that was done to a thing, and all that holds from then on. */
export const change = z.object({
  at_ms: z.number(),
  /** Absent: how it was at the beginning. */
  action: z.enum(ACTIONS).exactOptional(),
  mode: z.enum(MODES),
  set_point: z.number().exactOptional(),
  /** Of its software, where that was updated. */
  version: z.string().exactOptional(),
});

export type Change = z.infer<typeof change>;

/** All that was done to a thing, oldest first. */
export type Course = readonly [Change, ...Change[]];

export interface Laws {
  readonly seed: number;
  /** Whether nothing moves by itself. */
  readonly frozen: boolean;
  /** How long it takes until something that was done has its effect. */
  readonly rampMs: number;
}

export const HOUR_MS = 3_600_000;
const WAVES: readonly (readonly [share: number, periodMs: number])[] = [
  [0.7, 6 * HOUR_MS],
  [0.25, HOUR_MS / 4],
];
const NOISE = 0.05;
/** Against what time a trend is told, and from what part of the swing on it is one. */
const TREND_MS = HOUR_MS / 4;
const TREND_SHARE = 0.2;

const UNDER_WAY: Partial<Record<Action, string>> = {
  start: "starting",
  stop: "stopping",
  restart: "restarting",
  drain: "draining",
  update: "updating",
};

/** The change that holds at a time, the one before it, and how far it has come: 0 to 1. */
function standing({ rampMs }: Laws, course: Course, atMs: number) {
  const index = course.findLastIndex(({ at_ms }) => at_ms <= atMs);
  const [before, now] = [course[index - 1] ?? course[0], course[index] ?? course[0]];
  const isDone = now.action === undefined || atMs >= now.at_ms + rampMs;
  return { before, now, done: isDone ? 1 : (atMs - now.at_ms) / rampMs };
}

/** Whether what was done last has had its effect. */
export function isSettled(laws: Laws, course: Course, atMs: number): boolean {
  return standing(laws, course, atMs).done === 1;
}

/** Such as `running`, `starting`, `stopped`, `fault`; a few kinds have words of their own. */
export function statusAt(laws: Laws, { kind }: Thing, course: Course, atMs: number): string {
  const { done, now } = standing(laws, course, atMs);
  const underWay = now.action === undefined || done === 1 ? undefined : UNDER_WAY[now.action];
  return underWay ?? KINDS[kind]?.words?.[now.mode] ?? (now.mode === "on" ? "running" : now.mode);
}

/** Its software's version; a new one counts from the end of the update. */
export function versionAt(laws: Laws, thing: Thing, course: Course, atMs: number): string | undefined {
  const { before, done, now } = standing(laws, course, atMs);
  return (done < 1 ? before : now).version ?? thing.software?.version;
}

/** What a signal shows, in its unit, with as many digits as its sensor gives. */
export function valueAt(laws: Laws, thing: Thing, course: Course, signal: Signal, atMs: number): number {
  const { before, done, now } = standing(laws, course, atMs);
  const isNew = now.action === "restart" || now.action === "update";
  const from = isNew ? signal.rest : aim(thing, signal, before);
  const level = from + (aim(thing, signal, now) - from) * done;
  const moves = laws.frozen || now.mode !== "on" ? 0 : signal.swing * done;
  return rounded(level + moves * wave(`${laws.seed} ${thing.address} ${signal.name}`, atMs), signal);
}

/** Where a signal goes under a change, without its own movement. */
function aim({ off }: Thing, signal: Signal, { mode, set_point }: Change): number {
  if (mode !== "on") return signal.rest;
  if (signal.range !== undefined && set_point !== undefined) return set_point;
  return signal.usual + (off?.[signal.name] ?? 0);
}

export type Trend = "rising" | "falling" | "steady";

/** What a value has done since a while ago. */
export function trendAt(laws: Laws, thing: Thing, course: Course, signal: Signal, atMs: number): Trend {
  const before = valueAt(laws, thing, course, signal, atMs - TREND_MS);
  const change = valueAt(laws, thing, course, signal, atMs) - before;
  if (Math.abs(change) <= signal.swing * TREND_SHARE) return "steady";
  return change > 0 ? "rising" : "falling";
}

/** To a tenth where the swing is small. */
export function rounded(value: number, { swing }: Pick<Signal, "swing">): number {
  const parts = swing >= 5 ? 1 : 10;
  return Math.round(value * parts) / parts;
}

/** A number from −1 to 1 that moves with the time, another one for each name. */
function wave(name: string, atMs: number): number {
  const slow = WAVES.map(
    ([share, periodMs], at) => share * Math.sin(2 * Math.PI * (atMs / periodMs + fraction(`${name} ${at}`))),
  );
  const noise = NOISE * (2 * fraction(`${name} at ${atMs}`) - 1);
  return slow.reduce((sum, part) => sum + part, noise);
}

/** A number in [0, 1) for a text: FNV-1a, mixed once more. */
function fraction(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return ((hash ^ (hash >>> 13)) >>> 0) / 2 ** 32;
}
