/** What changes rarely about the machine, in the reference's eight categories. What cannot be found out is left out. */
import { cpus, hostname } from "node:os";
import type { Machine } from "./machine.js";
import { isPackageName } from "./names.js";
import { interfaces } from "./network.js";
import { serviceList } from "./services.js";
import { gigabytes } from "./units.js";

const PACKAGES_BYTES_MAX = 33_554_432;
const ROWS_MAX = 100;
/** Who signs in, by number: people, and root. */
const PERSON = /^(?:0|[1-5]?\d{4})$/;

const COLLECTORS = {
  identity: (machine: Machine) => ({
    hostname: hostname(),
    domain: /^(?:search|domain)\s+(\S+)/m.exec(machine.textOrNone("/etc/resolv.conf"))?.[1],
    machine_id: machine.textOrNone("/etc/machine-id").trim(),
  }),
  os: async () => {
    const { arch, codename, distro, kernel, release } = await (await information()).osInfo();
    return { os_name: distro, os_version: release, os_codename: codename, kernel_version: kernel, arch };
  },
  hardware: async () => {
    const si = await information();
    const [cpu, memory, devices] = await Promise.all([si.cpu(), si.mem(), si.blockDevices()]);
    const disks = devices.filter(({ size, type }) => type === "disk" && size > 0);
    return {
      cpu_model: `${cpu.manufacturer} ${cpu.brand}`.trim(),
      cpu_cores: cpu.physicalCores,
      cpu_threads: cpus().length,
      memory_total_gb: gigabytes(memory.total),
      disks: disks.map(({ name, size }) => ({ name, size_gb: gigabytes(size) })),
    };
  },
  network: async (machine: Machine) => ({
    network_interfaces: interfaces(),
    gateway: await (await information()).networkGatewayDefault(),
    dns_servers: matches(/^nameserver\s+(\S+)/gm, machine.textOrNone("/etc/resolv.conf")),
  }),
  packages: async (machine: Machine) => {
    const packages = [...new Set(await packageNames(machine))].filter(isPackageName);
    return { package_count: packages.length, packages };
  },
  services: (machine: Machine) => ({ services: serviceList(machine) }),
  users: (machine: Machine) => {
    const rows = (path: string) =>
      machine
        .textOrNone(path)
        .split("\n")
        .map((line) => line.split(":"));
    const groups = rows("/etc/group").filter(([name]) => name !== "");
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
    mounts: matches(/^[^#\s]\S*[ \t]+(\/\S*)[ \t]/gm, machine.textOrNone("/etc/fstab")),
  }),
};

export type SteadyPart = keyof typeof COLLECTORS;

/** Lists are bounded, but for those of services and packages. Rejects with `SiteFailure`. */
export async function collectPart(machine: Machine, part: SteadyPart): Promise<object> {
  const fields: [key: string, value: unknown][] = Object.entries(await COLLECTORS[part](machine));
  const isKnown = (value: unknown) => value !== undefined && value !== "" && value !== 0;
  const isLong = (key: string) => key === "services" || key === "packages";
  return Object.fromEntries(
    fields
      .filter(([, value]) => isKnown(value))
      .map(([key, value]) => [key, Array.isArray(value) && !isLong(key) ? value.slice(0, ROWS_MAX) : value]),
  );
}

/** Loaded when it is first asked: that takes up to a second, and some of it runs programs synchronously. */
async function information() {
  return (await import("systeminformation")).default;
}

/** Of Debian and Alpine from their databases; of others as `rpm` lists them. */
async function packageNames(machine: Machine): Promise<readonly string[]> {
  const debian = machine.textOrNone("/var/lib/dpkg/status", PACKAGES_BYTES_MAX);
  if (debian !== "") return matches(/^Package: (\S+)\nStatus: \w+ ok installed$/gm, debian);
  const alpine = machine.textOrNone("/lib/apk/db/installed", PACKAGES_BYTES_MAX);
  if (alpine !== "") return matches(/^P:(\S+)$/gm, alpine);
  return (await machine.run("rpm", ["-qa", "--queryformat", "%{NAME}\\n"])).split("\n");
}

/** The first group of each match. */
function matches(regex: RegExp, text: string): readonly string[] {
  return [...text.matchAll(regex)].map(([, group]) => group!);
}
