/** What is taken of the machine: the ten readings, and what changes rarely in eight categories, by the reference's names. */
import { cpus, hostname, loadavg, networkInterfaces, uptime } from "node:os";
import si from "systeminformation";
import { sleep, systemClock } from "../../lib/clock.js";
import { SiteFailure, type SiteFailureCode } from "../port.js";
import type { Machine } from "./machine.js";
import { NAME, serviceList, serviceStatus } from "./services.js";

/** Figures are told in units of 1,024, as `df -h` and `free -h` count. */
const MB = 1_048_576;
const GB = 1_073_741_824;

/** Counters grow for so long between two looks at them. */
const SAMPLE_MS = 250;
const SECTOR_BYTES = 512;
/** A row of `df`: type, free KiB, used share and mount of one that has a size. */
const DISK = /^\S+[ \t]+(\S+)[ \t]+[1-9]\d*[ \t]+\d+[ \t]+(\d+)[ \t]+(\d+)%[ \t]+(\/.*)$/gm;
/** File systems in memory, of the kernel, or full by nature. */
const NO_DISK = /^(?:(?:dev)?tmpfs|squashfs|efivarfs|iso9660|ramfs)$/;
const LOG_FILES = ["/var/log/syslog", "/var/log/messages"];
const LOG_LINES = 200;
/** A line that tells of an error, in whatever words programs have for it. */
const ERROR = /\b(?:error|fail(?:ed|ure)?|fatal|critical|panic|segfault)\b/i;
const CHANGED_MINUTES = 60;

/** `target`: what is asked about; "": all of the machine. */
export type Take = (machine: Machine, target: string) => Promise<object> | object;

/** Each rejects with `SiteFailure` where the machine does not tell it. */
export const READINGS: Readonly<Record<string, Take>> = {
  async linux_system_info(machine) {
    const idling = growth(machine, "/proc/stat", [0, 4, 5], (name) => name === "cpu");
    const [[idle], memory] = await Promise.all([idling, si.mem()]);
    if (!(memory.total > 0)) throw new SiteFailure("UNAVAILABLE", "the machine does not tell its memory");
    return {
      load: Math.round(loadavg()[0]! * 100) / 100,
      // A processor without work idles for 100 ticks a second.
      cpu: rounded(Math.max(0, 100 - idle / cpus().length)),
      total_memory: rounded(memory.total / GB),
      free_memory: rounded(memory.available / GB),
      memory: rounded(100 * (1 - memory.available / memory.total)),
      uptime: Math.round(uptime()),
    };
  },
  linux_processes: (machine) => ({ processes: machine.names("/proc").filter(Number).length }),
  linux_containers: containers,
  linux_service_status: async (machine, name) => ({ status: await serviceStatus(machine, name) }),
  /** Of the fullest. Of local file systems alone: a server that is away would be waited for. */
  async linux_disk_usage(machine) {
    const text = await machine.run("df", ["-PkTl"], 1);
    const disks = [...text.matchAll(DISK)].filter(([, type = ""]) => !NO_DISK.test(type));
    const [fullest] = disks.sort(([, , , a], [, , , b]) => Number(b) - Number(a));
    if (fullest === undefined) throw new SiteFailure("UNAVAILABLE", "df tells of no disk");
    const [, , freeKib, used, mount] = fullest;
    return { mount, disk: Number(used), free_disk: rounded((1_024 * Number(freeKib)) / GB) };
  },
  async linux_network_info(machine) {
    // `tcp LISTEN 0 511 127.0.0.1:6379 0.0.0.0:*`; UDP is bound without a peer.
    const sockets = (await machine.run("ss", ["-Hntua"])).split("\n").map((line) => line.split(/\s+/));
    const open = sockets.filter(([, state = ""]) => state === "LISTEN" || state === "UNCONN");
    const ports = open.map(([, , , , local = ""]) => Number(local.split(":").at(-1)));
    return {
      ports: [...new Set(ports)].sort((a, b) => a - b),
      connections: sockets.filter(([protocol, state]) => protocol === "tcp" && state === "ESTAB").length,
    };
  },
  /** Of whole disks, in MB per second. */
  async linux_disk_io(machine) {
    const disks = machine.names("/sys/block").filter((name) => !/^(?:loop|ram|zram)\d/.test(name));
    const isDisk = (name: string) => disks.includes(name);
    const [read, written] = await growth(machine, "/proc/diskstats", [2, 5, 9], isDisk);
    const mb = (sectors: number) => rounded((sectors * SECTOR_BYTES) / MB);
    return { disk_read: mb(read), disk_write: mb(written) };
  },
  /** Of interfaces but the machine's own loop, in MB per second. */
  async linux_network_traffic(machine) {
    const isOutside = (name: string) => name.endsWith(":") && name !== "lo:";
    const [received, sent] = await growth(machine, "/proc/net/dev", [0, 1, 9], isOutside);
    return { received: rounded(received / MB), sent: rounded(sent / MB) };
  },
  /** How many of the latest lines tell of an error. The lines are the text of strangers, and are not told. */
  async linux_recent_logs(machine) {
    const file = LOG_FILES.find((path) => machine.has(path));
    const text = machine.has("/run/systemd/system")
      ? await machine.run("journalctl", ["--no-pager", "--quiet", `-n${LOG_LINES}`])
      : file && (await machine.run("tail", [`-n${LOG_LINES}`, "--", machine.path(file)]));
    if (text === undefined) throw new SiteFailure("NOT_FOUND", "no system log is kept on this machine");
    return { log_errors: text.split("\n").filter((line) => ERROR.test(line)).length };
  },
  /** Of settings, in the last hour: what is in them is not read. */
  async linux_file_changes(machine) {
    const wanted = ["-xdev", "-type", "f", "-mmin", `-${CHANGED_MINUTES}`, "-print0"];
    const text = await machine.run("find", ["-P", machine.path("/etc"), ...wanted], 1);
    return { changed_files: text.split("\0").length - 1 };
  },
};

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** What two counters grow by the second in all rows that count, new ones by 0. `columns`: of the name, and of both. */
async function growth(machine: Machine, path: string, columns: number[], counts: (name: string) => boolean) {
  const read = () => {
    const text = machine.text(path);
    if (text === "") throw new SiteFailure("NOT_FOUND", `${path} cannot be read`);
    const lines = text.split("\n").map((line) => line.trim().split(/\s+/));
    const rows = lines.map((words) => columns.map((at) => words[at] ?? ""));
    return new Map(rows.filter(([name = ""]) => counts(name)).map((row) => [row[0], row.map(Number)]));
  };
  const before = read();
  const startMs = systemClock.monotonic();
  await sleep(systemClock, SAMPLE_MS, new AbortController().signal);
  const seconds = (systemClock.monotonic() - startMs) / 1_000;
  const after = [...read()];
  const grown = (at: 1 | 2) =>
    after.reduce((sum, [name, row]) => sum + Math.max(0, row[at]! - (before.get(name) ?? row)[at]!), 0);
  return [grown(1) / seconds, grown(2) / seconds] as const;
}

/** As Docker or Podman lists them. Where there is no engine, it is not known whether containers run. */
async function containers(machine: Machine): Promise<object> {
  let code: SiteFailureCode = "NOT_FOUND";
  for (const engine of ["docker", "podman"]) {
    try {
      const text = await machine.run(engine, ["ps", "--all", "--format", "{{.Names}}\t{{.State}}"]);
      const rows = text.split("\n").map((line) => line.split("\t"));
      const named = rows.filter(([name = ""]) => NAME.test(name));
      return { containers: named.map(([name, status]) => ({ name, status })) };
    } catch (error) {
      if ((error as SiteFailure).code !== "NOT_FOUND") code = "UNAVAILABLE";
    }
  }
  throw new SiteFailure(code, "no container engine answers");
}

const PACKAGES_BYTES_MAX = 33_554_432;
/** Who signs in, by number: people, and root. */
const PERSON = /^(?:0|[1-5]?\d{4})$/;

/** What cannot be found out is left out, empty or undefined. All may reject with `SiteFailure`. */
export const COLLECTORS = {
  identity: (machine: Machine) => ({
    hostname: hostname(),
    domain: matches(/^(?:search|domain)\s+(\S+)/gm, machine.text("/etc/resolv.conf"))[0],
  }),
  os: async () => {
    const { arch, codename, distro, kernel, release } = await si.osInfo();
    return { os_name: distro, os_version: release, os_codename: codename, kernel_version: kernel, arch };
  },
  hardware: async () => {
    const [cpu, memory, devices] = await Promise.all([si.cpu(), si.mem(), si.blockDevices()]);
    const disks = devices.filter(({ size, type }) => type === "disk" && size > 0);
    return {
      cpu_model: `${cpu.manufacturer} ${cpu.brand}`.trim(),
      cpu_cores: cpu.physicalCores,
      cpu_threads: cpus().length,
      memory_total_gb: rounded(memory.total / GB),
      disks: disks.map(({ name, size }) => `${name} ${rounded(size / GB)} GB`),
    };
  },
  network: async (machine: Machine) => ({
    network_interfaces: Object.entries(networkInterfaces()).map(([name, addresses = []]) =>
      [name, ...addresses.map(({ address }) => address)].join(" "),
    ),
    gateway: await si.networkGatewayDefault(),
    dns_servers: matches(/^nameserver\s+(\S+)/gm, machine.text("/etc/resolv.conf")),
  }),
  packages: async (machine: Machine) => {
    const packages = [...new Set(await packageNames(machine))].filter((name) => NAME.test(name));
    return { package_count: packages.length, packages };
  },
  // Where no container engine answers, its containers are left as they were.
  services: async (machine: Machine) => ({
    services: serviceList(machine),
    ...(await containers(machine).catch(() => ({}))),
  }),
  users: (machine: Machine) => {
    const rows = (path: string) => matches(/^(.+)$/gm, machine.text(path)).map((line) => line.split(":"));
    const groups = rows("/etc/group");
    const administrators = groups.filter(([name = ""]) => /^(?:sudo|wheel|admin)$/.test(name));
    return {
      users: rows("/etc/passwd").flatMap(([name = "", , id = ""]) => (PERSON.test(id) ? [name] : [])),
      administrators: administrators.flatMap(([, , , members = ""]) => members.split(",").filter(Boolean)),
      groups: groups.map(([name]) => name),
    };
  },
  // Neither devices nor options of mounts: passwords of shares stand there.
  config: (machine: Machine) => ({
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    mounts: matches(/^[^#\s]\S*[ \t]+(\/\S*)[ \t]/gm, machine.text("/etc/fstab")),
  }),
};

export type SteadyPart = keyof typeof COLLECTORS;

/** Of Debian and Alpine from their databases; of others as `rpm` lists them. */
async function packageNames(machine: Machine): Promise<readonly string[]> {
  const debian = machine.text("/var/lib/dpkg/status", PACKAGES_BYTES_MAX);
  if (debian !== "") return matches(/^Package: (\S+)\nStatus: \w+ ok installed$/gm, debian);
  const alpine = machine.text("/lib/apk/db/installed", PACKAGES_BYTES_MAX);
  if (alpine !== "") return matches(/^P:(\S+)$/gm, alpine);
  return (await machine.run("rpm", ["-qa", "--queryformat", "%{NAME}\\n"])).split("\n");
}

function matches(regex: RegExp, text: string): readonly string[] {
  return [...text.matchAll(regex)].map(([, group]) => group!);
}
