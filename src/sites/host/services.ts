/** Whether a service runs: by systemd, else by the processes. One whose program is not known is not said to be stopped. */
import { basename } from "node:path";
import type { Machine } from "./machine.js";

/** Never an option, a path or a command: `docker-compose@app`, `libstdc++6`. */
export const NAME = /^[A-Za-z0-9][A-Za-z0-9+_.:@-]{0,127}$/;

const UNIT_FOLDERS = "/etc /run /usr/local/lib /usr/lib /lib".split(" ").map((at) => `${at}/systemd/system`);
const INIT_FOLDER = "/etc/init.d";
const COMMAND_BYTES_MAX = 4_096;
/** Programs that run a script: of these the script's name counts. */
const INTERPRETER = /^(?:env|(?:ba|da|z|k)?sh|busybox|node(?:js)?|perl|php|ruby|java|python[\d.]*)$/;

const STATUS_OF_SYSTEMD: Readonly<Record<string, string>> = {
  active: "running",
  inactive: "stopped",
  activating: "starting",
  deactivating: "stopping",
};

/** Names of the services that the machine knows of, running or not. */
export function serviceList(machine: Machine): readonly string[] {
  const units = UNIT_FOLDERS.flatMap((folder) => machine.names(folder));
  const names = units.flatMap((file) => /^(.*[^@])\.service$/.exec(file)?.[1] ?? []);
  return [...new Set([...names, ...machine.names(INIT_FOLDER)])].filter((name) => NAME.test(name)).sort();
}

/** `running`, `stopped`, `paused`, `finished`, `unknown`, or what else systemd calls it. Rejects with `SiteFailure`. */
export async function serviceStatus(machine: Machine, service: string): Promise<string> {
  const name = service.replace(/\.service$/, "");
  const told = machine.has("/run/systemd/system") ? await bySystemd(machine, name) : undefined;
  return told ?? byProcesses(machine, name);
}

/** By which other names a service or its process goes: redis and redis-server, ssh and sshd, dbus and dbus-daemon. */
export function serviceNames(name: string): readonly string[] {
  const stem = name.replace(/(?:-server|-daemon|\.service)$/, "");
  const bare = /[a-z]{2}d$/.test(stem) ? [stem.slice(0, -1)] : [];
  return [...new Set([name, stem, ...bare, `${stem}-server`, `${stem}-daemon`, `${stem}d`])];
}

/** Undefined where systemd knows no such unit. */
async function bySystemd(machine: Machine, service: string): Promise<string | undefined> {
  const asked = serviceNames(service).map((one) => `${one}.service`);
  const properties = "--property=LoadState,ActiveState,SubState";
  const text = await machine.run("systemctl", ["show", "--no-pager", properties, "--", ...asked]);
  const unit = text.split("\n\n").find((one) => /^LoadState=loaded$/m.test(one));
  if (unit === undefined) return undefined;
  if (/^SubState=exited$/m.test(unit)) return "finished";
  const [, active = "unknown"] = /^ActiveState=(.+)$/m.exec(unit) ?? [];
  return STATUS_OF_SYSTEMD[active] ?? active;
}

function byProcesses(machine: Machine, service: string): string {
  const program = programOf(machine, unitOf(machine, service));
  const names = new Set([...serviceNames(service), program]);
  const table = processTable(machine);
  const own = table.filter((one) => one.names.some((name) => names.has(name)));
  if (own.length > 0) {
    // Which instance the processes are of is not known.
    if (service.includes("@")) return "unknown";
    return own.every(({ isPaused }) => isPaused) ? "paused" : "running";
  }
  // Where processes of others are hidden, so is the first one.
  const isTold = table.some(({ pid }) => pid === "1");
  return program !== undefined && isTold ? "stopped" : "unknown";
}

/** The text of its unit or init script; "" where it has none. */
function unitOf(machine: Machine, service: string): string {
  for (const name of serviceNames(service)) {
    const units = [name, name.replace(/@.*/, "@")];
    const paths = UNIT_FOLDERS.flatMap((folder) => units.map((unit) => `${folder}/${unit}.service`));
    const text = [...paths, `${INIT_FOLDER}/${name}`].map((path) => machine.text(path)).find(Boolean);
    if (text !== undefined) return text;
  }
  return "";
}

/** `ExecStart=/usr/sbin/nginx -g 'daemon on;'`, `DAEMON=/usr/sbin/nginx` */
const COMMAND = /^(?:ExecStart=[-@:+!|]*|DAEMON=)["']?(\/[\w./+-]+)["']?(?:[ \t]+(\S.*))?$/m;

/** What a unit or init script starts; undefined where a process of it would go by another name. */
function programOf(machine: Machine, script: string): string | undefined {
  if (/^Type=oneshot\s*$/m.test(script)) return undefined;
  const [, program, args = ""] = COMMAND.exec(script) ?? [];
  // A script may hand over to any program.
  if (program === undefined || machine.text(program, 2) === "#!") return undefined;
  return runBy([program, ...args.trim().split(/\s+/)]);
}

/** The program or script that a command line runs: `python3 -u /srv/app.py` runs `app.py`, `sh -c …` cannot be told. */
function runBy([program = "", ...args]: readonly string[]): string | undefined {
  if (!INTERPRETER.test(basename(program))) return basename(program);
  const at = args.findIndex((arg) => !/^-|^\w+=/.test(arg));
  const runsText = args.slice(0, at).some((option) => /^-(?:[a-z]*[cem]|jar|-eval)$/.test(option));
  return at < 0 || runsText ? undefined : basename(args[at]!);
}

/** From /proc, since slim containers have no `ps`: without what has ended, and what runs in a container of ours. */
export function processTable(machine: Machine) {
  return machine.names("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    const read = (file: string) => machine.text(`/proc/${pid}/${file}`, COMMAND_BYTES_MAX);
    // `71 (redis (a) b) S 1 …`: the name in brackets may have brackets of its own.
    const [, name, state] = /^\d+ \((.*)\) (\S)/s.exec(read("stat")) ?? [];
    if (name === undefined || state === undefined || /[ZX]/.test(state)) return [];
    if (/^NSpid:\t\d+\t/m.test(read("status"))) return [];
    return [{ pid, names: processNames(name, read("cmdline")), isPaused: /[Tt]/.test(state) }];
  });
}

/** Its own name, which the kernel cuts to 15 characters, its program's (or a title: `nginx: master`), and its script's. */
function processNames(name: string, commandLine: string): readonly string[] {
  const [command = "", ...args] = commandLine.split("\0");
  const program = basename(command.split(/\s/)[0]!).replace(/:$/, "");
  const isCut = name.length === 15 && program.startsWith(name);
  return [isCut ? program : name, program, runBy([program, ...args]) ?? program];
}
