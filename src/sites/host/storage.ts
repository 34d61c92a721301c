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
  const [{ free_gb, mount, used_percent }] = disks as [(typeof disks)[number]];
  // Of the fullest.
  return {
    mount,
    used_percent,
    free_gb,
    disks: disks.slice(0, ROWS_MAX),
    truncated: disks.length > ROWS_MAX,
  };
}

/** Of whole disks, in MB of 1,024² bytes per second. */
export function diskIo(machine: Machine): Promise<object> {
  const disks = machine.names("/sys/block").filter((name) => !/^(?:loop|ram|zram)\d/.test(name));
  return rates("disks", ["read_mb_per_s", "write_mb_per_s"], () =>
    rowsOf(machine, "/proc/diskstats")
      .filter(([, , name = ""]) => disks.includes(name))
      .map((row) => [row[2]!, Number(row[5]) * SECTOR_BYTES, Number(row[9]) * SECTOR_BYTES]),
  );
}

/** Of interfaces but the machine's own loop, in MB of 1,024² bytes per second. */
export function networkTraffic(machine: Machine): Promise<object> {
  return rates("interfaces", ["received_mb_per_s", "sent_mb_per_s"], () =>
    rowsOf(machine, "/proc/net/dev")
      .filter(([name = ""]) => name.endsWith(":") && name !== "lo:")
      .map((row) => [row[0]!.slice(0, -1), Number(row[1]), Number(row[9])]),
  );
}

function rowsOf(machine: Machine, path: string): readonly (readonly string[])[] {
  return machine
    .text(path)
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
}

type Counters = readonly [name: string, first: number, second: number];

/** How fast the two counters grow, together and each; one that went back, since its device is a new one, counts as 0. */
async function rates(
  list: string,
  [first, second]: readonly [string, string],
  read: () => readonly Counters[],
): Promise<object> {
  const before = new Map(read().map((row) => [row[0], row]));
  const startMs = systemClock.monotonic();
  await sleep(systemClock, RATES_SAMPLE_MS, new AbortController().signal);
  const seconds = (systemClock.monotonic() - startMs) / 1_000;
  const rate = (now: number, then = now) => Math.max(0, now - then) / seconds;
  const rows = read().map(([name, a, b]) => {
    const [, firstBefore, secondBefore] = before.get(name) ?? [];
    return { name, a: rate(a, firstBefore), b: rate(b, secondBefore) };
  });
  return {
    sample_ms: RATES_SAMPLE_MS,
    [first]: megabytes(rows.reduce((sum, { a }) => sum + a, 0)),
    [second]: megabytes(rows.reduce((sum, { b }) => sum + b, 0)),
    [list]: rows
      .slice(0, ROWS_MAX)
      .map(({ a, b, name }) => ({ name, [first]: megabytes(a), [second]: megabytes(b) })),
  };
}
