/** The plant as its tools see it: things by their address, readings with their time, alarms, with the planted faults. */
import { z } from "zod";
import type { FaultName, Faults } from "./faults.js";
import { KINDS, type Signal, THINGS, type Thing } from "./plant.js";
import { HOUR_MS, isSettled, type Laws, statusAt, trendAt, valueAt, versionAt } from "./simulation.js";
import type { Store } from "./state.js";

/** Sensors are read so often. */
const SAMPLE_MS = 1_000;
/** How far apart two sensors are that disagree, in swings. */
const APART = 6;

const text = z.string();
/** Of whom, and when it was read. */
const named = { target: text.describe("Its address."), name: text };
const timed = { taken_at: text.describe("When it was read, ISO 8601.") };

const trend = z.enum(["rising", "falling", "steady"]);
const value = z.union([z.number(), text]);
const usual = z.number().describe("What it usually is.");
export const reading = z.object({ sensor: text, value, unit: text.optional(), ...timed, usual, trend });

const severity = z.enum(["warning", "critical"]);
const acknowledged = z.boolean();
export const alarm = z.object({ id: text, ...named, text, severity, since: text, acknowledged, ...timed });

const version = { software: text, version: text, latest: text, update_available: z.boolean() };

/** What replies are made of. */
export const PARTS = { text, named, timed, trend, version } as const;

export class PlantView {
  constructor(
    readonly store: Store,
    readonly faults: Faults,
    readonly laws: Laws,
    readonly clock: () => number,
  ) {}

  /** When the sensors were read last. */
  nowMs(): number {
    return Math.floor(this.clock() / SAMPLE_MS) * SAMPLE_MS;
  }

  /** Of what was looked up, and not measured. */
  timed(): { taken_at: string } {
    return { taken_at: iso(this.clock()) };
  }

  things(): readonly Thing[] {
    return THINGS.filter(({ address }) => !this.faults.has("withdrawn", address));
  }

  ofKind(kind: string): readonly Thing[] {
    return this.things().filter((thing) => thing.kind === kind);
  }

  /** What the thing is called in calls, and by people. */
  named({ address, name }: Thing): { target: string; name: string } {
    return { target: this.faults.has("renamed", address) ? `${address}-new` : address, name };
  }

  /** Throws where there is no such thing. */
  find(address: string): Thing {
    const found = this.things().find((thing) => this.named(thing).target === address);
    if (found === undefined) throw new Error(`NOT_FOUND: there is no ${address}`);
    return found;
  }

  /** A line runs while everything of it does. */
  status(thing: Thing): string {
    if (this.faults.has("tripped", thing.address)) return "stopped";
    if (thing.kind !== "line") return statusAt(this.laws, thing, this.store.course(thing), this.clock());
    const parts = this.things().filter(({ parent }) => parent === thing.address);
    const running = parts.filter((part) => this.status(part) === "running");
    if (running.length === parts.length) return "running";
    return running.length === 0 ? "stopped" : "partly running";
  }

  /** Whether what was done to it last has had its effect. */
  isSettled(thing: Thing): boolean {
    return isSettled(this.laws, this.store.course(thing), this.clock());
  }

  value(thing: Thing, signal: Signal, atMs: number): number {
    return valueAt(this.laws, thing, this.store.course(thing), signal, atMs);
  }

  /** Of each sensor of a signal. */
  readings(thing: Thing, signal: Signal): [z.infer<typeof reading>, ...z.infer<typeof reading>[]] {
    const planted = (name: FaultName) => this.faults.has(name, thing.address, signal.name);
    const nowMs = this.nowMs();
    const atMs = planted("stale") ? nowMs - HOUR_MS : planted("future") ? nowMs + HOUR_MS : nowMs;
    const shown = this.value(thing, signal, Math.min(atMs, nowMs));
    const one = (number: number, value: number) => ({
      sensor: `${thing.address}-${signal.name}-${number}`,
      value: planted("nan") ? "NaN" : value,
      ...(planted("unit_missing") ? {} : { unit: signal.unit }),
      taken_at: iso(atMs),
      usual: signal.usual,
      trend: trendAt(this.laws, thing, this.store.course(thing), signal, nowMs),
    });
    const others = Array.from({ length: (signal.sensors ?? 1) - 1 }, (_, at) => one(at + 2, shown));
    if (planted("disagree")) others.push(one(others.length + 2, shown + APART * signal.swing));
    return [one(1, shown), ...others];
  }

  /** The alarms that are active. */
  alarms(thing: Thing): z.infer<typeof alarm>[] {
    const { acknowledged, installed_ms } = this.store.state;
    const course = this.store.course(thing);
    const begun = course.findLast(({ action }) => action !== undefined && action !== "set_point");
    return (thing.alarms ?? []).flatMap(({ above, minutes, ...rule }, at) => {
      const signal = signalsOf(thing).find(({ name }) => name === above?.[0]);
      const limit = above?.[1] ?? Number.POSITIVE_INFINITY;
      const isHigh = signal !== undefined && this.value(thing, signal, this.nowMs()) > limit;
      if (!isHigh && (above !== undefined || course.at(-1)?.mode !== "fault")) return [];
      const id = `${thing.address}-${at + 1}`;
      const sinceMs = begun?.at_ms ?? installed_ms - minutes * 60_000;
      const isSeen = (acknowledged[id] ?? Number.NEGATIVE_INFINITY) >= sinceMs;
      return [
        { id, ...this.named(thing), ...rule, since: iso(sinceMs), acknowledged: isSeen, ...this.timed() },
      ];
    });
  }

  /** What runs on a thing, and whether a newer one is to be had; undefined where nothing does. */
  software(thing: Thing) {
    const version = versionAt(this.laws, thing, this.store.course(thing), this.clock());
    if (thing.software === undefined || version === undefined) return undefined;
    return { ...thing.software, version, update_available: version !== thing.software.latest };
  }
}

export function signalsOf({ kind }: Thing): readonly Signal[] {
  return KINDS[kind]?.signals ?? [];
}

/** ISO 8601. */
export function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
