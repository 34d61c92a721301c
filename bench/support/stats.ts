/** Figures of a benchmark: time that processes share, percentiles, and how much else the machine had to do. */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** Milliseconds on a scale that all processes of this machine share (on Linux: CLOCK_MONOTONIC). */
export function sharedNowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The smallest value that at least the share `p` of all values does not exceed; NaN of nothing. */
export function percentile(sorted: Float64Array, p: number): number {
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(p * sorted.length) - 1))] ?? Number.NaN;
}

export interface Summary {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export function summarize(values: Iterable<number>): Summary {
  const sorted = Float64Array.from(values).sort();
  const [p50, p99, max] = [0.5, 0.99, 1].map((p) => percentile(sorted, p)) as [number, number, number];
  return { count: sorted.length, p50, p99, max };
}

/** `p50 1.23   p99 4.56   max 7.89`, in columns. */
export function figures({ p50, p99, max }: Summary): string {
  return Object.entries({ p50, p99, max })
    .map(([name, value]) => `${name} ${value.toFixed(2).padStart(8)}`)
    .join("   ");
}

export function median(values: Iterable<number>): number {
  return percentile(Float64Array.from(values).sort(), 0.5);
}

export function verdict(value: number, aim: number): string {
  return value < aim ? "met" : "MISSED";
}

/** A process whose use of the processors is known. */
export interface Metered {
  cpuMs(): Promise<number>;
}

export interface Load {
  /** Processors kept busy by each process, in the order given. */
  readonly own: readonly number[];
  /** Processors kept busy by everything else, this process included; undefined where it cannot be read. */
  readonly others: number | undefined;
  readonly elapsedMs: number;
}

/** Measures who uses the processors while `work` runs. */
export async function metered<T>(
  processes: readonly Metered[],
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly load: Load }> {
  const startMs = sharedNowMs();
  const before = await Promise.all(processes.map((one) => one.cpuMs()));
  const busyBeforeMs = machineBusyMs();
  const result = await work();
  const busyAfterMs = machineBusyMs();
  const after = await Promise.all(processes.map((one) => one.cpuMs()));
  const elapsedMs = sharedNowMs() - startMs;
  const usedMs = after.map((ms, i) => ms - before[i]!);
  const others =
    busyBeforeMs === undefined || busyAfterMs === undefined
      ? undefined
      : Math.max(0, busyAfterMs - busyBeforeMs - usedMs.reduce((sum, ms) => sum + ms, 0)) / elapsedMs;
  return { result, load: { own: usedMs.map((ms) => ms / elapsedMs), others, elapsedMs } };
}

/** Of equally long measurements of the same processes. */
export function averageLoad(loads: readonly Load[]): Load {
  const average = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
  const others = loads.map((load) => load.others).filter((one) => one !== undefined);
  return {
    own: loads[0]!.own.map((_, i) => average(loads.map(({ own }) => own[i]!))),
    others: others.length === 0 ? undefined : average(others),
    elapsedMs: average(loads.map(({ elapsedMs }) => elapsedMs)),
  };
}

/** `processors busy, of 2: service 0.41, …, everything else 0.05`. */
export function loadText(names: readonly string[], { own, others }: Load): string {
  const parts = names.map((name, i) => `${name} ${own[i]!.toFixed(2)}`);
  const rest = others === undefined ? [] : [`everything else ${others.toFixed(2)}`];
  return `processors busy, of ${availableParallelism()}: ${[...parts, ...rest].join(", ")}`;
}

const MS_PER_TICK = 10;

/** Processor time used by all processes of the machine, and stolen by its host. */
function machineBusyMs(): number | undefined {
  if (process.platform !== "linux") return undefined;
  const [user, nice, system, , , , , steal] = readFileSync("/proc/stat", "utf8")
    .split("\n", 1)[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number) as [number, number, number, number, number, number, number, number];
  return (user + nice + system + steal) * MS_PER_TICK;
}
