/** How full the file systems are, and what is read from and written to the disks. */
import { sleep, systemClock } from "../../lib/clock.js";
import { SiteFailure } from "../port.js";
import type { Machine } from "./machine.js";
import { gigabytes, megabytes } from "./units.js";

/** File systems in memory, of the kernel, or full by nature. */
const NO_DISKS = /^(?:tmpfs|devtmpfs|squashfs|efivarfs|iso9660|ramfs)$/;
const ROWS_MAX = 100;
const RATES_SAMPLE_MS = 500;
const SECTOR_BYTES = 512;

/** Of local file systems alone: a server that is away would be waited for. */
export async function diskUsage(machine: Machine): Promise<object> {
  const text = await machine.run("df", ["-PkTl"], 1);
  const disks = text.split("\n").flatMap((line) => {
    const row = /^(\S+)\s+(\S+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)%\s+(\/.*)$/.exec(line);
    if (row === null || NO_DISKS.test(row[2]!) || row[3] === "0") return [];
    const gb = (kib: string) => gigabytes(1_024 * Number(kib));
    return {
      mount: row[7]!,
      device: row[1]!,
      type: row[2]!,
      size_gb: gb(row[3]!),
      used_gb: gb(row[4]!),
      free_gb: gb(row[5]!),
      used_percent: Number(row[6]),
    };
  });
  if (disks.length === 0) throw new SiteFailure("UNAVAILABLE", "df tells of no disk");
  disks.sort((a, b) => b.used_percent - a.used_percent);
  return { disks: disks.slice(0, ROWS_MAX), truncated: disks.length > ROWS_MAX };
}

/** Whole disks, in MB of 1,024² bytes per second. */
export async function diskIo(machine: Machine): Promise<object> {
  const disks = machine.names("/sys/block").filter((name) => !/^(?:loop|ram|zram)\d/.test(name));
  const rates = await ratesOf(() =>
    machine
      .text("/proc/diskstats")
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , name = ""]) => disks.includes(name))
      .map((row) => [row[2]!, Number(row[5]) * SECTOR_BYTES, Number(row[9]) * SECTOR_BYTES]),
  );
  return {
    sample_ms: RATES_SAMPLE_MS,
    disks: rates.map(([name, read, written]) => ({ name, read_mb_per_s: read, write_mb_per_s: written })),
  };
}

/** In MB of 1,024² bytes per second. */
export async function networkTraffic(machine: Machine): Promise<object> {
  const rates = await ratesOf(() =>
    machine
      .text("/proc/net/dev")
      .split("\n")
      .flatMap((line) => {
        const [name = "", counters] = line.split(":");
        const numbers = counters?.trim().split(/\s+/).map(Number);
        return numbers === undefined ? [] : [[name.trim(), numbers[0]!, numbers[8]!] as const];
      }),
  );
  return {
    sample_ms: RATES_SAMPLE_MS,
    interfaces: rates.map(([name, received, sent]) => ({
      name,
      received_mb_per_s: received,
      sent_mb_per_s: sent,
    })),
  };
}

type Row = readonly [name: string, first: number, second: number];

/** How fast the two counters of each row grow; one that went back, since its device is a new one, counts as 0. */
async function ratesOf(read: () => readonly Row[]): Promise<readonly Row[]> {
  const before = new Map(read().map((row) => [row[0], row]));
  const startMs = systemClock.monotonic();
  await sleep(systemClock, RATES_SAMPLE_MS, new AbortController().signal);
  const seconds = (systemClock.monotonic() - startMs) / 1_000;
  const rate = (now: number, then = now) => megabytes(Math.max(0, now - then) / seconds);
  return read()
    .slice(0, ROWS_MAX)
    .map(([name, a, b]) => [name, rate(a, before.get(name)?.[1]), rate(b, before.get(name)?.[2])]);
}
