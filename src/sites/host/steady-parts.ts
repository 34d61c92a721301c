/** What changes rarely about the machine, in the reference's eight categories. */
import { cpus, hostname, networkInterfaces } from "node:os";
import si from "systeminformation";
import type { Machine } from "./machine.js";
import { containers, GB, rounded } from "./readings.js";
import { NAME, serviceList } from "./services.js";

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
