/** Services as processes that the test starts and ends, on a machine whose units and scripts are the test's. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Machine } from "./machine.js";
import { processTable, serviceList, serviceStatus } from "./services.js";

/** A name that no other process of this machine has. */
const NAME = `rb${process.pid}`;
const LONG_NAME = `${NAME}-with-a-long-name-server`;

let root = "";
const started: ChildProcess[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "readback-services-"));
  symlinkSync("/proc", join(root, "proc"));
});

afterEach(async () => {
  await Promise.all(started.splice(0).map(end));
  rmSync(root, { recursive: true });
});

function put(path: string, text: string): string {
  const place = join(root, path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
  chmodSync(place, 0o755);
  return place;
}

async function start(program: string, args: readonly string[]): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "ignore"] });
  started.push(child);
  await once(child, "spawn");
  return child;
}

/** A program of its own, under a daemon's name. */
async function startDaemon(name: string): Promise<ChildProcess> {
  const program = join(root, name);
  copyFileSync("/bin/sleep", program);
  return start(program, ["600"]);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill("SIGKILL");
  await once(child, "close");
}

function status(service: string): Promise<string> {
  return serviceStatus(new Machine(root, 5_000), service);
}

describe("a service without systemd", () => {
  it("runs while there is a process of its name, and is stopped when there is none", async () => {
    put(
      `lib/systemd/system/${NAME}-server.service`,
      `[Service]\nType=notify\nExecStart=/usr/bin/${NAME}-server -f 'a b'\n`,
    );
    expect(await status(NAME)).toBe("stopped");
    const daemon = await startDaemon(`${NAME}-server`);
    for (const name of [NAME, `${NAME}-server`, `${NAME}-server.service`])
      expect(await status(name)).toBe("running");
    daemon.kill("SIGSTOP");
    await expect.poll(() => status(NAME)).toBe("paused");
    await end(daemon);
    expect(await status(NAME)).toBe("stopped");
  });

  it("is known by its init script, and by its whole name where the kernel cuts it", async () => {
    put(`etc/init.d/${LONG_NAME}`, `#!/bin/sh\nDAEMON=/usr/sbin/${LONG_NAME}\n`);
    expect(await status(LONG_NAME)).toBe("stopped");
    await startDaemon(LONG_NAME);
    expect(await status(LONG_NAME)).toBe("running");
    expect(await status(LONG_NAME.slice(0, 15))).toBe("unknown");
  });

  it("is known by the script that an interpreter runs", async () => {
    const path = put(`srv/${NAME}-worker`, "setInterval(() => undefined, 1000);\nconsole.log('up');\n");
    put(
      `etc/systemd/system/jobs-${NAME}.service`,
      `[Service]\nExecStart=/usr/bin/node --no-warnings ${path}\n`,
    );
    expect(await status(`jobs-${NAME}`)).toBe("stopped");
    const worker = await start(process.execPath, ["--no-warnings", path]);
    await once(worker.stdout!, "data");
    expect(await status(`jobs-${NAME}`)).toBe("running");
  });

  it.each([
    ["nobody knows it", undefined],
    ["it sets something up and ends", "[Service]\nType=oneshot\nExecStart=/bin/true\n"],
    ["its shell starts something else", `[Service]\nExecStart=/bin/sh -c 'exec other'\n`],
    ["its program is chosen when it starts", "[Service]\nExecStart=/usr/bin/$DAEMON\n"],
    ["its program is a script", "[Service]\nExecStart=/usr/sbin/control start\n"],
    ["its unit tells no program", "[Unit]\nDescription=x\n"],
  ])("is not said to be stopped where %s", async (_what, unit) => {
    put("usr/sbin/control", "#!/bin/sh\nexec other\n");
    if (unit !== undefined) put(`etc/systemd/system/${NAME}.service`, unit);
    expect(await status(NAME)).toBe("unknown");
  });

  it("is not said to be stopped where the processes of others are hidden", async () => {
    rmSync(join(root, "proc"));
    put("proc/self/status", readFileSync("/proc/self/status", "utf8"));
    put(`etc/systemd/system/${NAME}.service`, `[Service]\nExecStart=/usr/bin/${NAME}\n`);
    expect(await status(NAME)).toBe("unknown");
  });

  it("does not run because its process of another name does, or one that has ended", async () => {
    put(`etc/systemd/system/${NAME}.service`, `[Service]\nExecStart=/usr/bin/${NAME}\n`);
    await startDaemon(`${NAME}-exporter`);
    await start("/bin/tail", ["-f", join(root, `etc/systemd/system/${NAME}.service`)]);
    expect(await status(NAME)).toBe("stopped");
  });

  it("has instances, of which no process tells which one it is", async () => {
    put(`lib/systemd/system/${NAME}@.service`, `[Service]\nExecStart=/usr/bin/${NAME}-instance %i\n`);
    expect(await status(`${NAME}@main`)).toBe("stopped");
    await startDaemon(`${NAME}-instance`);
    expect(await status(`${NAME}@main`)).toBe("unknown");
  });

  it("is listed by its unit or its script", () => {
    put("etc/systemd/system/a.service", "");
    put("etc/systemd/system/t@.service", "");
    put("etc/systemd/system/x y;id.service", "");
    put("lib/systemd/system/a.service", "");
    put("lib/systemd/system/b.timer", "");
    put("etc/init.d/c", "");
    expect(serviceList(new Machine(root, 1_000))).toEqual(["a", "c"]);
  });
});

describe("a service with systemd", () => {
  const unit = (id: string, load: string, active: string, sub: string, pid = 0) =>
    `Id=${id}.service\nLoadState=${load}\nActiveState=${active}\nSubState=${sub}\nMainPID=${pid}\n`;

  /** `systemctl` as it answers, and as it was asked. */
  class Answering extends Machine {
    asked: readonly string[] = [];
    constructor(private readonly units: readonly string[]) {
      super(root, 1_000);
    }

    override async run(_command: string, args: readonly string[]): Promise<string> {
      this.asked = args;
      return this.units.join("\n");
    }
  }

  beforeEach(() => mkdirSync(join(root, "run/systemd/system"), { recursive: true }));

  it.each([
    ["active", "running", "running"],
    ["inactive", "dead", "stopped"],
    ["failed", "failed", "failed"],
    ["activating", "auto-restart", "starting"],
    ["active", "exited", "finished"],
  ])("that is %s (%s) is %s", async (active, sub, told) => {
    const units = [
      unit("rb", "not-found", "inactive", "dead"),
      unit("rb-server", "loaded", active, sub, process.pid),
    ];
    const machine = new Answering(units);
    expect(await serviceStatus(machine, "rb")).toBe(told);
    expect(machine.asked.slice(machine.asked.indexOf("--") + 1)).toContain("rb-server.service");
  });

  it("of which it knows nothing is looked for among the processes", async () => {
    const machine = new Answering([unit(NAME, "not-found", "inactive", "dead")]);
    expect(await serviceStatus(machine, NAME)).toBe("unknown");
    await startDaemon(NAME);
    expect(await serviceStatus(machine, NAME)).toBe("running");
  });
});

describe("the process table", () => {
  it("reads names with brackets, blanks and line feeds", async () => {
    for (const name of [`${NAME} ) R 1`, `${NAME}\nPid:\t1`]) {
      const child = await startDaemon(name);
      const found = processTable(new Machine("/", 1_000)).find(({ pid }) => pid === `${child.pid}`);
      expect(found).toMatchObject({ isPaused: false });
      expect(found!.names[0]).toBe(name.slice(0, 15));
    }
  });
});
