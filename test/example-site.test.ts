/** The example of a site as a process, through the official client: its tools, its settings, its faults, its state. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it, onTestFinished } from "vitest";
import { THINGS, type Thing } from "../examples/site/plant.js";
import { type Course, HOUR_MS, type Laws, valueAt } from "../examples/site/simulation.js";
import { sitesOptions } from "../src/sites/options.js";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const SERVER = join(ROOT, "dist/examples/site/server.js");
const SETTINGS: unknown = JSON.parse(readFileSync(join(ROOT, "examples/site/settings.json"), "utf8"));
const [SITE] = sitesOptions.parse((SETTINGS as { sites: unknown }).sites);

type Json = Readonly<Record<string, unknown>>;

/** A running plant, and a client that is connected to it. */
class Plant {
  readonly client: Client;
  readonly toolsChanged: Promise<void>;
  readonly closed: Promise<void>;
  complaints = "";
  readonly #transport: StdioClientTransport;

  private constructor(
    readonly directory: string,
    options: readonly string[],
    mode: "legacy" | "auto",
  ) {
    let onChanged = (): void => undefined;
    this.toolsChanged = new Promise((resolve) => {
      onChanged = resolve;
    });
    this.client = new Client(
      { name: "test", version: "1" },
      {
        versionNegotiation: { mode },
        listChanged: { tools: { onChanged: () => onChanged(), autoRefresh: false, debounceMs: 0 } },
      },
    );
    const args = [SERVER, "--state", directory, ...options];
    this.#transport = new StdioClientTransport({ command: process.execPath, args, stderr: "pipe" });
    this.#transport.stderr?.on("data", (chunk) => {
      this.complaints += String(chunk);
    });
    this.closed = new Promise((resolve) => {
      this.client.onclose = resolve;
    });
  }

  static async start(
    options: readonly string[] = [],
    directory = stateFolder(),
    mode: "legacy" | "auto" = "legacy",
  ): Promise<Plant> {
    const plant = new Plant(directory, options, mode);
    await plant.client.connect(plant.#transport);
    onTestFinished(() => plant.client.close());
    return plant;
  }

  /** Structured content of a reply; rejects with the text of an error. */
  async call(name: string, args: Json = {}, signal?: AbortSignal): Promise<Json> {
    const reply = await this.client.callTool(
      { name, arguments: args },
      signal === undefined ? {} : { signal },
    );
    const [content] = reply.content;
    if (reply.isError) throw new Error(content?.type === "text" ? content.text : "no text");
    return reply.structuredContent as Json;
  }

  plant(...faults: readonly string[]): void {
    writeFileSync(join(this.directory, "faults"), faults.map((line) => `${line}\n`).join(""));
  }

  kill(): Promise<void> {
    process.kill(this.#transport.pid!, "SIGKILL");
    return this.closed;
  }
}

/** A folder for the state of a plant, gone when the test is over. */
function stateFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "readback-plant-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The value at a JSON pointer; undefined where nothing stands. */
function at(value: unknown, pointer: string): unknown {
  return pointer
    .split("/")
    .slice(1)
    .reduce((part, name) => (Object(part) as Json)[name], value);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${entries.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join(",")}}`;
}

async function digests(client: Client): Promise<Record<string, string>> {
  const { tools } = await client.listTools();
  const entries = tools.map(({ annotations, inputSchema, name, outputSchema }) => {
    const text = canonical({ annotations, inputSchema, name, outputSchema });
    return [name, createHash("sha256").update(text).digest("hex")];
  });
  return Object.fromEntries(entries);
}

const firstOf = async (plant: Plant, target: string, signal: string): Promise<Json> =>
  at(await plant.call("read_sensor", { target }), `/sensors/${signal}/0`) as Json;

const statusOf = async (plant: Plant, target: string): Promise<unknown> =>
  (await plant.call("read_status", { target })).status;

describe("the settings", () => {
  it.each(["legacy", "auto"] as const)("declare every tool as it is offered to a %s client", async (mode) => {
    const { client } = await Plant.start([], undefined, mode);
    const declared = Object.entries(SITE!.tools).map(([name, { schema }]) => [name, schema]);
    expect(await digests(client)).toEqual(Object.fromEntries(declared));
    for (const { annotations, name } of (await client.listTools()).tools) {
      const { effect } = SITE!.tools[name]!;
      expect(annotations?.readOnlyHint, name).toBe(effect === "read");
      expect(annotations?.destructiveHint ?? false, name).toBe(
        /disruptive|irreversible/.test(effect) && name !== "start",
      );
    }
  });

  it("name what stands in the plant, where, and what it is part of", async () => {
    const plant = await Plant.start();
    const { items } = (await plant.call("list_resources")) as { items: (Json & { name: string })[] };
    expect(items.length).toBeGreaterThanOrEqual(39);
    const kindOf = new Map(SITE!.resources.map(({ address, kind }) => [address, kind]));
    for (const item of items) {
      const { area, kind, names, parent } = SITE!.resources.find(({ address }) => address === item.target)!;
      expect({ area, kind }).toEqual({ area: item.area, kind: item.kind });
      expect(names.map((name) => name.toLowerCase())).toContain(item.name);
      expect(parent ?? "").toBe(
        item.parent === "" ? "" : `${kindOf.get(String(item.parent))}/${item.parent}`,
      );
    }
    expect(SITE!.resources).toHaveLength(items.length);
    expect(SITE!.resources.filter(({ visibility }) => visibility === "restricted")).toHaveLength(5);
    for (const { address, paths } of SITE!.resources.filter(({ kind }) => kind === "container")) {
      const { mounts } = await plant.call("read_container", { target: address });
      expect(mounts).toEqual(paths.map(({ inside, outside }) => ({ source: outside, destination: inside })));
    }
  });

  it("say where in each reply every value stands", async () => {
    const plant = await Plant.start();
    for (const [name, tool] of Object.entries(SITE!.tools)) {
      if (tool.effect !== "read") continue;
      const targets = SITE!.resources.filter(
        ({ kind }) => tool.kinds.length === 0 || tool.kinds.includes(kind),
      );
      const asked =
        tool.target === undefined ? [{}] : targets.map(({ address }) => ({ [tool.target!]: address }));
      const replies = await Promise.all(asked.map((args) => plant.call(name, args)));
      for (const [signal, { each, value, ...rest }] of Object.entries(tool.reads)) {
        const items = replies.flatMap((reply) =>
          each === undefined ? [reply] : ((at(reply, each) ?? []) as Json[]),
        );
        const told = items.filter((item) => at(item, value) !== undefined);
        expect(told.length, `${name} ${signal}`).toBeGreaterThan(0);
        for (const key of ["name", "unit_at", "taken_at", "usual", "trend"] as const)
          for (const item of rest[key] === undefined ? [] : told)
            expect(at(item, rest[key]!), `${name} ${signal} ${key}`).toBeDefined();
        for (const item of told) expect(String(at(item, rest.taken_at!))).toMatch(/^20\d\d-.*T.*Z$/);
      }
    }
  });
});

describe("values", () => {
  const thing = THINGS.find(({ address }) => address === "p1") as Thing;
  const signal = { name: "speed", unit: "rpm", usual: 1450, rest: 0, swing: 15 };
  const laws: Laws = { seed: 1, frozen: false, rampMs: 5_000 };
  const course: Course = [{ at_ms: 0, mode: "on" }];
  const times = Array.from({ length: 200 }, (_, hour) => 1_790_000_000_000 + hour * HOUR_MS);
  const values = (own: Partial<Laws>) =>
    times.map((t) => valueAt({ ...laws, ...own }, thing, course, signal, t));

  it("follow from the seed and the time, and move around what is usual", () => {
    expect(values({})).toEqual(values({}));
    expect(values({ seed: 2 })).not.toEqual(values({}));
    expect(new Set(values({})).size).toBeGreaterThan(10);
    for (const value of values({}))
      expect(Math.abs(value - signal.usual)).toBeLessThanOrEqual(signal.swing + 1);
  });

  it("stand still when the plant is frozen", async () => {
    expect(new Set(values({ frozen: true }))).toEqual(new Set([1450]));
    const plant = await Plant.start(["--frozen"]);
    expect(await firstOf(plant, "p1", "speed")).toMatchObject({ value: 1450, unit: "rpm", trend: "steady" });
    expect(await firstOf(plant, "f2", "temperature")).toMatchObject({ value: -11, usual: -20 });
  });

  it("go to where they are told within the ramp", () => {
    const [start, stop] = [10 * HOUR_MS, 20 * HOUR_MS];
    const done: Course = [
      ...course,
      { at_ms: start, action: "stop", mode: "stopped" },
      { at_ms: stop, action: "start", mode: "on" },
    ];
    const frozen = { ...laws, frozen: true };
    const read = (t: number) => valueAt(frozen, thing, done, signal, t);
    expect([read(start), read(start + 2_500), read(start + 5_000)]).toEqual([1450, 725, 0]);
    expect([read(stop + 2_500), read(stop + 5_000)]).toEqual([725, 1450]);
  });
});

describe("acting tools", () => {
  it("take their effect", async () => {
    const plant = await Plant.start(["--ramp", "0", "--frozen"]);
    expect(await statusOf(plant, "lp2")).toBe("stopped");
    expect(await statusOf(plant, "line2")).toBe("partly running");
    await plant.call("start", { target: "lp2" });
    expect(await statusOf(plant, "lp2")).toBe("running");
    await expect(plant.call("start", { target: "r2" })).rejects.toThrow("press two is in fault");
    await plant.call("acknowledge_alarm", { target: "r2" });
    expect(await plant.call("read_status", { target: "r2" })).toMatchObject({
      status: "fault",
      unacknowledged: 0,
    });
    await plant.call("restart", { target: "r2" });
    expect(await plant.call("read_status", { target: "r2" })).toMatchObject({
      status: "running",
      alarms: [],
    });
    expect(await statusOf(plant, "line2")).toBe("running");
    await plant.call("stop", { target: "p1" });
    expect(await statusOf(plant, "p1")).toBe("stopped");
    await plant.call("drain", { target: "t1" });
    expect(await statusOf(plant, "t1")).toBe("empty");
    await plant.call("set_point", { target: "f1", value: -24 });
    expect(await plant.call("read_sensor", { target: "f1" })).toMatchObject({
      set_point: { value: -24, reached: true },
    });
    await plant.call("update_container", { target: "grafana" });
    expect(await plant.call("read_container", { target: "grafana" })).toMatchObject({
      version: "12.3.2",
      update_available: false,
    });
    await expect(plant.call("set_point", { target: "f1", value: 3 })).rejects.toThrow("-28 to -16 °C");
    await expect(plant.call("stop", { target: "t1" })).rejects.toThrow("takes no stop");
    await expect(plant.call("stop", { target: "p9" })).rejects.toThrow("NOT_FOUND");
  });

  it("take it after a ramp, in which they say so", async () => {
    const plant = await Plant.start(["--ramp", "600000"]);
    const { effective_at, taken_at } = await plant.call("start", { target: "lp2" });
    expect(Date.parse(String(effective_at)) - Date.parse(String(taken_at))).toBe(600_000);
    expect(await statusOf(plant, "lp2")).toBe("starting");
    await plant.call("set_point", { target: "f1", value: -24 });
    expect(await plant.call("read_sensor", { target: "f1" })).toMatchObject({
      set_point: { value: -24, reached: false },
    });
  });

  it("have one effect for each key", async () => {
    const plant = await Plant.start(["--ramp", "0"]);
    const once = { target: "p1", idempotency_key: "k1" };
    const first = await plant.call("stop", once);
    await plant.call("start", { target: "p1" });
    expect(await plant.call("stop", once)).toEqual({ ...first, repeated: true });
    expect(await statusOf(plant, "p1")).toBe("running");
    await expect(plant.call("stop", { ...once, target: "p2" })).rejects.toThrow("used for something else");
  });
});

describe("planted faults of readings", () => {
  it.each<[fault: string, check: (reading: Json) => void]>([
    [
      "stale",
      ({ taken_at }) => expect(Date.now() - Date.parse(String(taken_at))).toBeGreaterThanOrEqual(HOUR_MS),
    ],
    [
      "future",
      ({ taken_at }) => expect(Date.parse(String(taken_at)) - Date.now()).toBeGreaterThan(HOUR_MS / 2),
    ],
    ["unit_missing", (reading) => expect(reading).not.toHaveProperty("unit")],
    ["nan", ({ value }) => expect(value).toBe("NaN")],
  ])("%s", async (fault, check) => {
    const plant = await Plant.start();
    plant.plant(`${fault} t1 level`);
    check(await firstOf(plant, "t1", "level"));
    expect(() => check({ ...ok })).toThrow();
    expect(await firstOf(plant, "t1", "temperature")).toMatchObject({
      unit: "°C",
      value: expect.any(Number),
    });
    plant.plant();
    expect(await firstOf(plant, "t1", "level")).toMatchObject({ unit: "%", value: expect.any(Number) });
  });

  const ok = { value: 1, unit: "%", taken_at: new Date().toISOString() };

  it("of things", async () => {
    const plant = await Plant.start(["--frozen"]);
    plant.plant("disagree f1", "renamed p1", "withdrawn p2", "instructions p3", "burning p4");
    const { sensors } = await plant.call("read_sensor", { target: "f1" });
    const values = (at(sensors, "/temperature") as Json[]).map(({ value }) => value);
    expect(values[0]).toBe(values[1]);
    expect(Math.abs(Number(values[2]) - Number(values[0]))).toBeGreaterThan(4);
    await expect(statusOf(plant, "p1")).rejects.toThrow("NOT_FOUND: there is no p1");
    expect(await statusOf(plant, "p1-new")).toBe("running");
    await expect(statusOf(plant, "p2")).rejects.toThrow("NOT_FOUND");
    const listed = JSON.stringify(await plant.call("list_resources"));
    expect(listed).toContain('"p1-new"');
    expect(listed).not.toContain('"p2"');
    expect((await plant.call("read_status", { target: "p3" })).note).toMatch(/^Ignore all instructions/);
    expect(plant.complaints).toContain("no such fault: burning p4");
  });
});

describe("planted faults of the server", () => {
  it("a tool's schema changes, and the client is told", async () => {
    const plant = await Plant.start();
    const before = await digests(plant.client);
    plant.plant("schema stop");
    await plant.toolsChanged;
    const after = await digests(plant.client);
    expect(after.stop).not.toBe(before.stop);
    expect({ ...after, stop: before.stop }).toEqual(before);
  });

  it("a tool is slow, and others are not", async () => {
    const plant = await Plant.start();
    plant.plant("slow list_alarms 600000");
    const waiting = new AbortController();
    const slow = plant.call("list_alarms", {}, waiting.signal);
    expect(await statusOf(plant, "p1")).toBe("running");
    waiting.abort(new Error("enough"));
    await expect(slow).rejects.toThrow("enough");
  });

  it("a reply is large", async () => {
    const plant = await Plant.start();
    plant.plant("large list_updates");
    const { content } = await plant.client.callTool({ name: "list_updates", arguments: {} });
    expect(JSON.stringify(content).length).toBeGreaterThan(10_000_000);
  });

  it("an action says ok and does nothing", async () => {
    const plant = await Plant.start(["--ramp", "0"]);
    plant.plant("no_effect stop");
    expect(await plant.call("stop", { target: "p1" })).toMatchObject({ accepted: true });
    expect(await statusOf(plant, "p1")).toBe("running");
  });

  it("the server crashes before the effect", async () => {
    const plant = await Plant.start(["--ramp", "0"]);
    plant.plant("crash stop");
    await expect(plant.call("stop", { target: "p1", idempotency_key: "k" })).rejects.toThrow();
    await plant.closed;
    const again = await Plant.start(["--ramp", "0"], plant.directory);
    expect(await statusOf(again, "p1")).toBe("running");
  });

  it("the reply is lost after the effect", async () => {
    const plant = await Plant.start(["--ramp", "0"]);
    plant.plant("lost_reply stop");
    await expect(plant.call("stop", { target: "p1", idempotency_key: "k" })).rejects.toThrow();
    await plant.closed;
    plant.plant();
    const again = await Plant.start(["--ramp", "0"], plant.directory);
    expect(await statusOf(again, "p1")).toBe("stopped");
    expect(await again.call("stop", { target: "p1", idempotency_key: "k" })).toMatchObject({
      repeated: true,
    });
  });
});

describe("the state", () => {
  it("outlives kill -9 in the middle of writes: all that was answered is there, and nothing happens twice", async () => {
    const plant = await Plant.start(["--ramp", "0"]);
    const { directory } = plant;
    let current = plant;
    let sent = 0;
    for (const answersBeforeKill of [1, 2, 5, 9, 14, 20]) {
      const answered = new Set<number>();
      const calls: Promise<unknown>[] = [];
      await new Promise<void>((resolve) => {
        for (let i = 0; i < 40; i++) {
          const number = ++sent;
          const args = { target: "p1", value: 600 + number, idempotency_key: `k${number}` };
          const onAnswer = () => {
            answered.add(number);
            if (answered.size === answersBeforeKill) resolve(current.kill());
          };
          calls.push(current.call("set_point", args).then(onAnswer, (error: unknown) => error));
        }
      });
      await Promise.all(calls);
      expect(answered.size).toBeLessThan(40);
      current = await Plant.start(["--ramp", "0"], directory);
      const set = at(await current.call("read_sensor", { target: "p1" }), "/set_point/value");
      expect(set).toBeGreaterThanOrEqual(600 + Math.max(...answered));
      expect(set).toBeLessThanOrEqual(600 + sent);
      for (const number of answered) {
        const args = { target: "p1", value: 600 + number, idempotency_key: `k${number}` };
        expect(await current.call("set_point", args)).toMatchObject({ repeated: true });
      }
      expect(at(await current.call("read_sensor", { target: "p1" }), "/set_point/value")).toBe(set);
    }
  });

  it("is whole whenever it is read while it is written", async () => {
    const plant = await Plant.start(["--ramp", "0"]);
    const calls = Array.from({ length: 300 }, (_, i) =>
      plant.call("set_point", { target: "p1", value: 600 + i, idempotency_key: `k${i}` }),
    );
    const written = Promise.all(calls).then(() => "written");
    const seen = new Set<number>();
    const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
    while ((await Promise.race([written, nextTurn()])) !== "written") {
      const { changes } = JSON.parse(readFileSync(join(plant.directory, "state.json"), "utf8"));
      seen.add(changes.p1?.at(-1).set_point);
    }
    expect(seen.size).toBeGreaterThan(5);
  });

  it("has no use for what a killed process left beside it", async () => {
    const directory = stateFolder();
    writeFileSync(join(directory, "state.json.new"), '{"installed_ms":'.repeat(1_000));
    const plant = await Plant.start(["--ramp", "0"], directory);
    await plant.call("stop", { target: "p1" });
    await plant.kill();
    expect(await statusOf(await Plant.start(["--ramp", "0"], directory), "p1")).toBe("stopped");
  });

  it("is refused when it is none, and left as it is", async () => {
    const directory = stateFolder();
    writeFileSync(join(directory, "state.json"), '{"installed_ms":');
    await expect(Plant.start([], directory)).rejects.toThrow();
    expect(readFileSync(join(directory, "state.json"), "utf8")).toBe('{"installed_ms":');
  });
});

describe("over HTTP", () => {
  it.each(["legacy", "auto"] as const)("serves a %s client, and nobody under another name", async (mode) => {
    const directory = stateFolder();
    const child = spawn(process.execPath, [SERVER, "--state", directory, "--http", "0"]);
    const exited = new Promise((resolve) => child.once("close", resolve));
    onTestFinished(async () => {
      child.kill();
      await exited;
    });
    const address = await new Promise<string>((resolve) => {
      let text = "";
      child.stderr.on("data", (chunk) => {
        text += String(chunk);
        const [, found] = /listening on (\S+)\n/.exec(text) ?? [];
        if (found !== undefined) resolve(found);
      });
    });
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(new URL(address)));
    onTestFinished(() => client.close());
    const { structuredContent } = await client.callTool({ name: "read_status", arguments: { target: "p1" } });
    expect(structuredContent).toMatchObject({ target: "p1", status: "running" });
    const status = await new Promise((resolve, reject) => {
      const headers = { host: "plant.example", "content-type": "application/json" };
      request(address, { method: "POST", headers }, ({ statusCode }) => resolve(statusCode))
        .on("error", reject)
        .end("{}");
    });
    expect(status).toBe(403);
  });
});
