/** The process table, from /proc: no program is needed for it, and it tells of processes in every container of ours. */
import { uptime } from "node:os";
import { basename } from "node:path";
import { sleep, systemClock } from "../../lib/clock.js";
import type { Machine } from "./machine.js";
import { megabytes, rounded } from "./units.js";

export interface MachineProcess {
  readonly pid: number;
  readonly name: string;
  /** All that it goes by: its own name, its program's, and its script's where an interpreter runs it. */
  readonly names: readonly string[];
  /** `paused` and `zombie` among them. */
  readonly state: string;
  readonly memoryBytes: number;
  /** Computing time since it began. */
  readonly cpuMs: number;
  readonly uptimeMs: number;
  /** It runs in a container, or in another namespace of processes. */
  readonly isNested: boolean;
}

const PROCESSES_MAX = 20_000;
const COMMAND_BYTES_MAX = 4_096;
const SHOWN_MAX = 15;
/** Computing time is measured for so long. */
export const SAMPLE_MS = 250;
/** A tick of /proc, on every architecture of Linux that Node runs on. */
const TICK_MS = 10;

const STATES: Readonly<Record<string, string>> = {
  R: "running",
  S: "sleeping",
  D: "waiting",
  T: "paused",
  t: "paused",
  Z: "zombie",
  X: "zombie",
  I: "idle",
};

/** Programs that run a script: of these the script's name counts. */
export const INTERPRETER = /^(?:env|(?:ba|da|z|k)?sh|busybox|node(?:js)?|perl|php|ruby|java|python[\d.]*)$/;

export function processTable(machine: Machine): readonly MachineProcess[] {
  const pids = machine.names("/proc").filter((name) => /^\d+$/.test(name));
  return pids.slice(0, PROCESSES_MAX).flatMap((pid) => processOf(Number(pid), machine) ?? []);
}

/** The script or program that a command line runs: `python3 -u /srv/app.py` runs `app.py`, `sh -c …` cannot be told. */
export function scriptOf(args: readonly string[]): string | undefined {
  const at = args.findIndex((arg, i) => i > 0 && !/^-|^\w+=/.test(arg));
  if (at < 0 || args.slice(1, at).some((option) => /^-(?:[a-z]*[cem]|jar|-eval)$/.test(option)))
    return undefined;
  return basename(args[at]!);
}

/** The busiest processes, and how many there are. */
export async function processes(machine: Machine): Promise<object> {
  const before = new Map(processTable(machine).map((one) => [one.pid, one]));
  const startMs = systemClock.monotonic();
  await sleep(systemClock, SAMPLE_MS, new AbortController().signal);
  const table = processTable(machine);
  const elapsedMs = systemClock.monotonic() - startMs;
  const shown = table.map((one) => {
    const busyMs = one.cpuMs - (before.get(one.pid)?.cpuMs ?? one.cpuMs);
    return { one, cpu: rounded((100 * busyMs) / elapsedMs) };
  });
  shown.sort((a, b) => b.cpu - a.cpu || b.one.memoryBytes - a.one.memoryBytes);
  return {
    process_count: table.length,
    top_processes: shown.slice(0, SHOWN_MAX).map(({ one, cpu }) => ({
      name: one.name,
      pid: one.pid,
      state: one.state,
      cpu_percent: cpu,
      memory_mb: megabytes(one.memoryBytes),
      uptime_s: Math.round(one.uptimeMs / 1_000),
    })),
  };
}

/** Undefined: it ended meanwhile. */
function processOf(pid: number, machine: Machine): MachineProcess | undefined {
  const status = machine.textOrNone(`/proc/${pid}/status`, COMMAND_BYTES_MAX);
  const stat = machine.textOrNone(`/proc/${pid}/stat`, COMMAND_BYTES_MAX);
  // The name in brackets may have brackets of its own.
  const numbers = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const field = (key: RegExp) => key.exec(status)?.[1];
  const name = field(/^Name:\t(.*)$/m);
  if (name === undefined || numbers.length < 20) return undefined;
  return {
    pid,
    name,
    names: namesOf(name, machine.textOrNone(`/proc/${pid}/cmdline`, COMMAND_BYTES_MAX)),
    state: STATES[numbers[0]!] ?? "unknown",
    memoryBytes: 1_024 * Number(field(/^VmRSS:\s*(\d+)/m) ?? 0),
    cpuMs: (Number(numbers[11]) + Number(numbers[12])) * TICK_MS,
    uptimeMs: Math.max(0, uptime() * 1_000 - Number(numbers[19]) * TICK_MS),
    isNested: /^NSpid:\t\d+\t/m.test(status),
  };
}

/** The kernel cuts a name to 15 characters; daemons write titles such as `nginx: master process` over their arguments. */
function namesOf(name: string, commandLine: string): readonly string[] {
  const args = commandLine.split("\0");
  const program = basename(args[0]!.split(/\s/)[0]!).replace(/:$/, "");
  const script = INTERPRETER.test(program) ? scriptOf(args) : undefined;
  const isCut = name.length === 15 && program.startsWith(name);
  return [isCut ? program : name, program, ...(script === undefined ? [] : [script])];
}
