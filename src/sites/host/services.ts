/**
 * Whether a service runs: from systemd where it is the one in charge, else from the process table. A service with a
 * process of its name runs; one whose program is known and has no process is stopped; of any other it is not known.
 */
import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { Machine } from "./machine.js";
import { isServiceName, serviceNames } from "./names.js";
import { INTERPRETER, type MachineProcess, processTable, scriptOf } from "./processes.js";
import { megabytes } from "./units.js";

const UNIT_FOLDERS = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map(
  (at) => `${at}/systemd/system`,
);
const INIT_FOLDER = "/etc/init.d";
const UNIT_BYTES_MAX = 65_536;
const SHOWN_MAX = 10;

const STATUS_OF_SYSTEMD: Readonly<Record<string, string>> = {
  active: "running",
  inactive: "stopped",
  activating: "starting",
  deactivating: "stopping",
};

interface ServiceState {
  readonly status: string;
  /** What it is known from. */
  readonly reason: string;
  readonly processes: readonly MachineProcess[];
}

/** Names of the services that the machine knows of, running or not. */
export function serviceList(machine: Machine): readonly string[] {
  const units = UNIT_FOLDERS.flatMap((folder) => machine.names(folder));
  const names = units.flatMap((file) => /^(.*[^@])\.service$/.exec(file)?.[1] ?? []);
  return [...new Set([...names, ...machine.names(INIT_FOLDER)])].filter(isServiceName).sort();
}

export async function serviceStatus(machine: Machine, args: { readonly service: string }): Promise<object> {
  const service = args.service.replace(/\.service$/, "");
  const table = processTable(machine);
  const isSystemd = existsSync(machine.path("/run/systemd/system"));
  const found =
    (isSystemd && (await bySystemd(machine, service, table))) || byProcesses(machine, service, table);
  const processes = found.processes.slice(0, SHOWN_MAX);
  const uptimeMs = Math.max(...processes.map((one) => one.uptimeMs));
  return {
    service,
    status: found.status,
    reason: found.reason,
    ...(processes.length > 0 && { uptime_s: Math.round(uptimeMs / 1_000) }),
    processes: processes.map(({ memoryBytes, names, pid }) => ({
      name: names[0],
      pid,
      memory_mb: megabytes(memoryBytes),
    })),
  };
}

/** Undefined where systemd knows no such unit. */
async function bySystemd(
  machine: Machine,
  service: string,
  table: readonly MachineProcess[],
): Promise<ServiceState | undefined> {
  const asked = serviceNames(service).map((one) => `${one}.service`);
  const properties = "--property=Id,LoadState,ActiveState,SubState,MainPID";
  const text = await machine.run("systemctl", ["show", "--no-pager", properties, "--", ...asked]);
  const unit = text.split("\n\n").find((one) => /^LoadState=loaded$/m.test(one));
  if (unit === undefined) return undefined;
  const property = (name: string) =>
    unit
      .split("\n")
      .find((line) => line.startsWith(`${name}=`))
      ?.slice(name.length + 1) ?? "";
  const [active, sub, pid] = [property("ActiveState"), property("SubState"), Number(property("MainPID"))];
  return {
    status: active === "active" && sub === "exited" ? "finished" : (STATUS_OF_SYSTEMD[active] ?? active),
    reason: `systemd: ${property("Id")} is ${active} (${sub})`,
    processes: table.filter((one) => one.pid === pid),
  };
}

function byProcesses(machine: Machine, service: string, table: readonly MachineProcess[]): ServiceState {
  const unit = unitOf(machine, service);
  const names = new Set([...serviceNames(service), unit?.program]);
  const processes = table.filter(
    (one) => !one.isNested && one.state !== "zombie" && one.names.some((own) => names.has(own)),
  );
  const told = (status: string, reason: string) => ({ status, reason, processes });
  const [first] = processes;
  if (first !== undefined) {
    if (service.includes("@")) return told("unknown", "which instance the processes are of is not known");
    const isPaused = processes.every(({ state }) => state === "paused");
    return told(isPaused ? "paused" : "running", `there is a process named ${first.names[0]}`);
  }
  if (unit === undefined) return told("unknown", "no process, unit or init script has that name");
  if (unit.program === undefined) return told("unknown", "its processes may have another name");
  // Where processes of others are hidden, so is the first one.
  if (!table.some(({ pid }) => pid === 1)) return told("unknown", "processes of others are hidden");
  return told("stopped", `there is no process named ${unit.program}`);
}

/** What a service's unit or init script starts; no program where a process of it would go by another name. */
function unitOf(machine: Machine, service: string): { readonly program: string | undefined } | undefined {
  const read = (path: string) => machine.textOrNone(path, UNIT_BYTES_MAX);
  for (const name of serviceNames(service)) {
    const files = [`${name}.service`, name.replace(/@.*/, "@.service")];
    const unit = UNIT_FOLDERS.flatMap((folder) => files.map((file) => read(`${folder}/${file}`))).find(
      Boolean,
    );
    const script = unit ?? read(`${INIT_FOLDER}/${name}`);
    if (script !== "") return { program: programOf(machine, script) };
  }
  return undefined;
}

/** `ExecStart=/usr/sbin/nginx -g 'daemon on;'`, `DAEMON=/usr/sbin/nginx` */
const COMMAND = /^(?:ExecStart=[-@:+!|]*|DAEMON=)["']?(\/[\w./+-]+)["']?(?:[ \t]+(\S.*))?$/m;

function programOf(machine: Machine, script: string): string | undefined {
  if (/^Type=oneshot\s*$/m.test(script)) return undefined;
  const [, program, args = ""] = COMMAND.exec(script) ?? [];
  // A script may hand over to any program.
  if (program === undefined || machine.textOrNone(program, 2) === "#!") return undefined;
  return INTERPRETER.test(basename(program))
    ? scriptOf([program, ...args.trim().split(/\s+/)])
    : basename(program);
}
