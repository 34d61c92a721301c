/** Readings of this machine beside what /proc, `ps`, `df` and sockets of the test tell; and of machines that lack things. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { Machine } from "./machine.js";
import { READINGS } from "./readings.js";

const here = new Machine("/", 10_000);
const root = mkdtempSync(join(tmpdir(), "readback-readings-"));
const elsewhere = new Machine(root, 10_000);

afterAll(() => rmSync(root, { recursive: true }));

async function take(reading: string, machine: Machine) {
  return (await READINGS[`linux_${reading}`]!(machine, "")) as Record<string, number>;
}

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
    const info = await take("system_info", here);
    const loads = [load, first("/proc/loadavg")];
    expect(info.load).toBeGreaterThanOrEqual(Math.min(...loads) - 0.01);
    expect(info.load).toBeLessThanOrEqual(Math.max(...loads) + 0.01);
    expect(info.uptime).toBeGreaterThanOrEqual(Math.floor(uptime));
    expect(info.uptime).toBeLessThanOrEqual(Math.ceil(first("/proc/uptime")));
    expect(info.total_memory).toBeCloseTo(memory("MemTotal"), 1);
    // Others take and give back memory meanwhile.
    expect(Math.abs(info.free_memory! - memory("MemAvailable"))).toBeLessThan(0.1 * memory("MemTotal"));
    expect(info.cpu).toBeGreaterThanOrEqual(0);
    expect(info.cpu).toBeLessThanOrEqual(100);
  });
});

describe("processes", () => {
  it("are as many as ps lists", async () => {
    const { processes } = await take("processes", here);
    const shown = execFileSync("ps", ["-e", "-o", "pid="], { encoding: "utf8" }).trim().split("\n");
    expect(Math.abs(processes! - shown.length)).toBeLessThan(0.5 * shown.length);
  });
});

describe("disks", () => {
  it("are as full as the fullest of df is", async () => {
    const { disk, free_disk, mount } = await take("disk_usage", here);
    const df = execFileSync("df", ["-Pk", `${mount}`], { encoding: "utf8" })
      .trim()
      .split("\n")
      .at(-1)!;
    const [, freeKib, percent] = /(\d+)\s+(\d+)%/.exec(df)!;
    expect(Math.abs(Number(percent) - disk!)).toBeLessThanOrEqual(1);
    expect(Math.abs(Number(freeKib) / 1_048_576 - free_disk!)).toBeLessThan(1);
  });

  it("are not told where df does not tell them", async () => {
    await expect(take("disk_usage", new Scripted({}))).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(take("disk_usage", new Scripted({ df: "echo nothing" }))).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
  });

  it("may have blanks in their names, and be told in part", async () => {
    const rows = ["Filesystem T 1 2 3 4 M", "/dev/sda1 ext4 9 1 8 11%% /", "tmpfs tmpfs 9 9 0 100%% /tmp"];
    const df = `printf '${rows.join("\\n")}\\n/dev/sdb1 ext4 2097152 1048576 1048576 50%% /mnt/my disk\\n'; exit 1`;
    await expect(take("disk_usage", new Scripted({ df }))).resolves.toEqual({
      mount: "/mnt/my disk",
      disk: 50,
      free_disk: 1,
    });
  });

  it("are read and written, as far as counters tell", async () => {
    symlinkSync("/sys", join(root, "sys"));
    const { disk_read, disk_write } = await take("disk_io", here);
    for (const rate of [disk_read, disk_write]) expect(rate).toBeGreaterThanOrEqual(0);
    await expect(take("disk_io", elsewhere)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

describe("the network", () => {
  it("has a port open as long as the test has", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as { port: number };
    const ports = async () => (await take("network_info", here)).ports;
    expect(await ports()).toContain(port);
    await new Promise((resolve) => server.close(resolve));
    expect(await ports()).not.toContain(port);
  });

  it("is not said to have no open ports where no program tells", async () => {
    await expect(take("network_info", new Scripted({}))).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("has traffic, none of it negative where a counter begins anew", async () => {
    const head = "Inter-|   Receive\n face |bytes\n";
    put("proc/net/dev", `${head}  eth0: 5000 1 0 0 0 0 0 0 7000 1\n`);
    const reading = take("network_traffic", elsewhere);
    put("proc/net/dev", `${head}  eth0: 10 1 0 0 0 0 0 0 104864600 1\n    new: 9 0 0 0 0 0 0 0 9 0\n`);
    const { received, sent } = await reading;
    expect(received).toBe(0);
    expect(sent).toBeGreaterThan(0);
  });
});

describe("containers", () => {
  it("are as the engine lists them, without names that are none", async () => {
    const docker = ["web\trunning", "db\texited", "$(id)\trunning"].map((row) => `echo '${row}'`).join("\n");
    await expect(take("containers", new Scripted({ docker }))).resolves.toEqual({
      containers: [
        { name: "web", status: "running" },
        { name: "db", status: "exited" },
      ],
    });
  });

  it("are asked of Podman where there is no Docker, or one that does not answer", async () => {
    const podman = "echo 'web\trunning'";
    for (const scripts of [{ podman }, { podman, docker: "exit 1" }])
      await expect(take("containers", new Scripted(scripts))).resolves.toEqual({
        containers: [{ name: "web", status: "running" }],
      });
  });

  it("are not known where no engine is there, or none answers", async () => {
    await expect(take("containers", new Scripted({}))).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(take("containers", new Scripted({ docker: "exit 1" }))).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
  });
});

describe("errors in the log", () => {
  it("are counted in its latest lines, and nothing of a line is told", async () => {
    await expect(take("recent_logs", elsewhere)).rejects.toMatchObject({ code: "NOT_FOUND" });
    const lines = [
      "old: error",
      ...Array(196).fill("cron[2]: x, 0 errors"),
      "app[7]: ERROR disk",
      "ssh: login failed",
      "kernel: panic",
      `c: ${"y".repeat(9_999)}`,
    ];
    put("var/log/syslog", `${lines.join("\n")}\n`);
    await expect(take("recent_logs", elsewhere)).resolves.toEqual({ log_errors: 3 });
  });
});

describe("changed files", () => {
  it("are those of the settings, and not where a link leads elsewhere", async () => {
    put("etc/app/settings.conf", "x");
    put("etc/odd\nname", "x");
    put("etc/old", "x");
    utimesSync(join(root, "etc/old"), 0, 0);
    put("root/secret", "x");
    symlinkSync(join(root, "root"), join(root, "etc/link"));
    await expect(take("file_changes", elsewhere)).resolves.toEqual({ changed_files: 2 });
  });
});
