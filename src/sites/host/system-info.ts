/** Load, memory, processors and uptime: what the machine is doing at the moment. */
import { cpus, hostname, loadavg, uptime } from "node:os";
import { sleep, systemClock } from "../../lib/clock.js";
import { SiteFailure } from "../port.js";
import type { Machine } from "./machine.js";
import { SAMPLE_MS } from "./processes.js";
import { gigabytes, rounded } from "./units.js";

export async function systemInfo(_machine: Machine): Promise<object> {
  const before = computing();
  const { default: information } = await import("systeminformation");
  const [memory] = await Promise.all([
    information.mem(),
    sleep(systemClock, SAMPLE_MS, new AbortController().signal),
  ]);
  const after = computing();
  if (!(memory.total > 0)) throw new SiteFailure("UNAVAILABLE", "the machine does not tell its memory");
  const [one, five, fifteen] = loadavg() as [number, number, number];
  return {
    hostname: hostname(),
    load_1m: Math.round(one * 100) / 100,
    load_5m: Math.round(five * 100) / 100,
    load_15m: Math.round(fifteen * 100) / 100,
    cpu_threads: cpus().length,
    cpu_used_percent: rounded((100 * (after.busy - before.busy)) / Math.max(1, after.all - before.all)),
    memory_total_gb: gigabytes(memory.total),
    memory_free_gb: gigabytes(memory.available),
    memory_used_percent: rounded(100 * (1 - memory.available / memory.total)),
    swap_total_gb: gigabytes(memory.swaptotal),
    swap_used_gb: gigabytes(memory.swapused),
    uptime_s: Math.round(uptime()),
  };
}

/** Milliseconds of all processors since the machine began. */
function computing(): { readonly busy: number; readonly all: number } {
  const times = cpus().map((one) => one.times);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const all = sum(times.flatMap(({ idle, irq, nice, sys, user }) => [idle, irq, nice, sys, user]));
  return { busy: all - sum(times.map(({ idle }) => idle)), all };
}
