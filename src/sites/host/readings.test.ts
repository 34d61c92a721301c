/** Readings of this machine beside what /proc, `ps`, `df` and sockets of the test tell; and of machines that lack things. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { containers } from "./containers.js";
import { fileChanges } from "./file-changes.js";
import { recentLogs } from "./logs.js";
import { Machine } from "./machine.js";
import { networkInfo } from "./network.js";
import { processes } from "./processes.js";
import { diskIo, diskUsage, networkTraffic } from "./storage.js";
import { systemInfo } from "./system-info.js";

const here = new Machine("/", 10_000);
const root = mkdtempSync(join(tmpdir(), "readback-readings-"));
const elsewhere = new Machine(root, 10_000);

afterAll(() => rmSync(root, { recursive: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A machine on which `name` is this script. */
class Scripted extends Machine {
  constructor(private readonly scripts: Readonly<Record<string, string>>) {
    super(root, 5_000);
  }

  override run(command: string, args: readonly string[], partly?: number): Promise<string> {
    const text = this.scripts[command];
    if (text === undefined) return super.run(`no-${command}`, args, partly);
    const path = join(root, command);
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return super.run(path, args, partly);
  }
}

function first(path: string): number {
  return Number.parseFloat(readFileSync(path, "utf8"));
}

describe("load, memory and uptime", () => {
  it("are those of /proc", async () => {
    const memory = (key: string) =>
      Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(readFileSync("/proc/meminfo", "utf8"))![1]) /
      1_048_576;
    const [load, uptime] = [first("/proc/loadavg"), first("/proc/uptime")];
    const info = (await systemInfo(here)) as Record<string, number>;
    const loads = [load, first("/proc/loadavg")];
    expect(info.load_1m).toBeGreaterThanOrEqual(Math.min(...loads) - 0.01);
    expect(info.load_1m).toBeLessThanOrEqual(Math.max(...loads) + 0.01);
    expect(info.uptime_s).toBeGreaterThanOrEqual(Math.floor(uptime));
    expect(info.uptime_s).toBeLessThanOrEqual(Math.ceil(first("/proc/uptime")));
    expect(info.memory_total_gb).toBeCloseTo(memory("MemTotal"), 1);
    // Others take and give back memory meanwhile.
    expect(Math.abs(info.memory_free_gb! - memory("MemAvailable"))).toBeLessThan(0.1 * memory("MemTotal"));
    expect(info.cpu_used_percent).toBeGreaterThanOrEqual(0);
    expect(info.cpu_used_percent).toBeLessThanOrEqual(100);
  });
});

describe("processes", () => {
  it("are those of ps", async () => {
    const { top_processes, process_count } = (await processes(here)) as {
      process_count: number;
      top_processes: { pid: number; name: string; uptime_s: number }[];
    };
    const shown = execFileSync("ps", ["-eo", "pid=,etimes=,comm="], { encoding: "utf8" }).trim().split("\n");
    expect(Math.abs(process_count - shown.length)).toBeLessThan(0.5 * shown.length);
    const rows = new Map(
      shown.map((line) => [Number(line.trim().split(/\s+/)[0]), line.trim().split(/\s+/)]),
    );
    const both = top_processes.filter(({ pid }) => rows.has(pid));
    expect(both.length).toBeGreaterThan(0);
    for (const { name, pid, uptime_s } of both) {
      expect(rows.get(pid)!.slice(2).join(" ")).toBe(name);
      expect(Math.abs(Number(rows.get(pid)![1]) - uptime_s)).toBeLessThan(5);
    }
  });
});

describe("disks", () => {
  it("are those of df, the fullest first", async () => {
    const { disks } = (await diskUsage(here)) as { disks: { mount: string; used_percent: number }[] };
    const percents = disks.map(({ used_percent }) => used_percent);
    expect(percents).toEqual([...percents].sort((a, b) => b - a));
    for (const { mount, used_percent } of disks) {
      const row = execFileSync("df", ["-P", mount], { encoding: "utf8" }).trim().split("\n").at(-1)!;
      expect(Math.abs(Number(/(\d+)%/.exec(row)![1]) - used_percent)).toBeLessThanOrEqual(1);
    }
  });

  it("are not told where df does not tell them", async () => {
    await expect(diskUsage(new Scripted({}))).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(diskUsage(new Scripted({ df: "echo nothing" }))).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
  });

  it("may have blanks in their names, and be told in part", async () => {
    const df =
      "printf 'Filesystem T 1 2 3 4 M\\n/dev/sdb1 ext4 2097152 1048576 1048576 50%% /mnt/my disk\\n'; exit 1";
    await expect(diskUsage(new Scripted({ df }))).resolves.toMatchObject({
      disks: [{ mount: "/mnt/my disk", size_gb: 2, free_gb: 1, used_percent: 50 }],
    });
  });

  it("are read and written, as far as counters tell", async () => {
    symlinkSync("/sys", join(root, "sys"));
    const { disks } = (await diskIo(here)) as { disks: { read_mb_per_s: number }[] };
    for (const { read_mb_per_s } of disks) expect(read_mb_per_s).toBeGreaterThanOrEqual(0);
    await expect(diskIo(elsewhere)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("the network", () => {
  it("has a port open as long as the test has", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const open = async () =>
      ((await networkInfo(here)) as { open_ports: { port: number; local_only: boolean }[] }).open_ports;
    expect((await open()).find((one) => one.port === port)).toMatchObject({
      protocol: "tcp",
      local_only: true,
    });
    await new Promise((resolve) => server.close(resolve));
    expect((await open()).find((one) => one.port === port)).toBeUndefined();
  });

  it("is not said to have no open ports where no program tells", async () => {
    await expect(networkInfo(new Scripted({}))).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("has traffic, none of it negative where a counter begins anew", async () => {
    const head = "Inter-|   Receive\n face |bytes\n";
    put("proc/net/dev", `${head}  eth0: 5000 1 0 0 0 0 0 0 7000 1\n`);
    const reading = networkTraffic(elsewhere);
    put("proc/net/dev", `${head}  eth0: 10 1 0 0 0 0 0 0 104864600 1\n    new: 9 0 0 0 0 0 0 0 9 0\n`);
    const { interfaces } = (await reading) as { interfaces: Record<string, number>[] };
    expect(interfaces).toMatchObject([
      { name: "eth0", received_mb_per_s: 0 },
      { name: "new", received_mb_per_s: 0, sent_mb_per_s: 0 },
    ]);
    expect(interfaces[0]!.sent_mb_per_s).toBeGreaterThan(0);
  });
});

describe("containers", () => {
  const ID = "0123456789abcdef".repeat(4);

  it("are as the engine lists them, without names that are none", async () => {
    const rows = [
      `${ID}\tweb\tnginx:1\trunning\tUp 2 hours`,
      `${ID}\tdb\tpostgres\texited\tExited (1)`,
      `${ID}\t$(id)\tx\trunning\t`,
    ];
    const docker = rows.map((row) => `echo '${row}'`).join("\n");
    await expect(containers(new Scripted({ docker }))).resolves.toMatchObject({
      engine: "docker",
      container_count: 2,
      running_count: 1,
      containers: [
        { name: "web", id: ID.slice(0, 12), status: "running" },
        { name: "db", status: "exited" },
      ],
    });
  });

  it("are asked of Podman where there is no Docker, or one that does not answer", async () => {
    const podman = `echo '${ID}\tweb\tnginx\trunning\tUp'`;
    for (const scripts of [{ podman }, { podman, docker: "exit 1" }])
      await expect(containers(new Scripted(scripts))).resolves.toMatchObject({ engine: "podman" });
  });

  it("are not known where no engine is there, or none answers", async () => {
    await expect(containers(new Scripted({}))).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(containers(new Scripted({ docker: "exit 1" }))).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
  });
});

describe("log lines", () => {
  it("are the last ones, of one service if asked for, short and without secrets", async () => {
    await expect(recentLogs(elsewhere, { lines: 3 })).rejects.toMatchObject({ code: "NOT_FOUND" });
    const lines = [
      "a sshd[1]: in",
      "b cron[2]: x",
      "c sshd[1]: token sk-abcdefgh12345678",
      `d sshd: ${"y".repeat(9_999)}`,
    ];
    put("var/log/syslog", `${lines.join("\n")}\n`);
    const shown = async (service?: string) =>
      ((await recentLogs(elsewhere, { lines: 3, service })) as { recent_lines: string[] }).recent_lines;
    expect((await shown()).map((line) => line[0])).toEqual(["b", "c", "d"]);
    expect((await shown("sshd")).map((line) => line[0])).toEqual(["a", "c", "d"]);
    expect(await shown("s.hd")).toEqual([]);
    expect((await shown()).join()).not.toContain("abcdefgh");
    expect((await shown())[2]!.length).toBeLessThan(500);
  });
});

describe("changed files", () => {
  const asked = (folder: string) => fileChanges(elsewhere, { folder, within_minutes: 5 });

  it("are told by name and time, and not where a folder or a link leads elsewhere", async () => {
    put("etc/app/settings.conf", "x");
    put("etc/odd\nname", "x");
    put("root/secret", "x");
    symlinkSync(join(root, "root"), join(root, "etc/link"));
    const { recent_files } = (await asked("/etc")) as { recent_files: { path: string }[] };
    expect(recent_files.map(({ path }) => path).sort()).toEqual(["app/settings.conf", "odd\nname"]);
    for (const folder of ["/root", "/etc/../root", "/etc/link", "/", "/etcetera", "/etc\0", "-delete"])
      await expect(asked(folder)).rejects.toMatchObject({ code: "POLICY_BLOCKED" });
    await expect(asked("/etc/none")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});
