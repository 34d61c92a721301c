import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../test/support/virtual-clock.js";
import type { TelemetryEvent } from "./events.js";
import { LINES_MAX, LINES_PER_SOURCE_MAX, SAMPLE_MS } from "./log-sampler.js";
import { createLog, type LogOptions } from "./logs.js";
import { ALL_SAMPLES, SAMPLES } from "./sample-events.test-util.js";

/** What is written of these events. */
function written(options: Partial<LogOptions>, ...events: TelemetryEvent[]): string[] {
  const lines: string[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(...String(chunk).split("\n"));
      done();
    },
  });
  const settings = { environment: "production", debugNetworks: [], secrets: [], stream } as const;
  const { subscriber } = createLog({ ...settings, ...options });
  for (const event of events) subscriber(event);
  return lines.filter((line) => line !== "");
}

function parsed(options: Partial<LogOptions>, ...events: TelemetryEvent[]): Record<string, unknown>[] {
  return written(options, ...events).map((line) => JSON.parse(line));
}

const types = (lines: readonly Record<string, unknown>[]) => lines.map(({ event }) => event);

describe("in production", () => {
  it("is one JSON object a line, with the user's network and name", () => {
    expect(parsed({}, SAMPLES.command_refused)).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        level: "warn",
        event: "command_refused",
        network: "plant",
        username: "ann",
        connection: "c-1",
        code: "bad_json",
        detail: "the payload is not JSON",
      },
    ]);
  });

  it("keeps a name from breaking its line", () => {
    const user = { network: 'a"b\\c', username: "x\u2028y" };
    const lines = parsed({}, { ...SAMPLES.chat_opened, user });
    expect(lines).toMatchObject([user]);
  });

  it("leaves out details, unless told not to", () => {
    const { command_received, service_started, service_fault } = SAMPLES;
    const events = [command_received, service_started, service_fault];
    expect(types(parsed({}, ...events))).toEqual(["service_started", "service_fault"]);
    expect(types(parsed({ level: "debug" }, ...events))).toHaveLength(3);
    expect(types(parsed({ level: "error" }, ...events))).toEqual(["service_fault"]);
  });

  it("tells a relay that left from one that was thrown out", () => {
    const { relay_disconnected } = SAMPLES;
    const levels = (["peer", "shutdown", "malformed", "slow", "idle"] as const).map(
      (reason) => parsed({}, { ...relay_disconnected, reason })[0]!.level,
    );
    expect(levels).toEqual(["info", "info", "warn", "warn", "warn"]);
  });
});

describe("in development", () => {
  it("is for people, with every detail", () => {
    const lines = written({ environment: "development" }, SAMPLES.turn_started, SAMPLES.first_packet);
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} INFO {2}turn_started network="plant" username="ann" turn="t-1" waitedMs=1500$/,
    );
    expect(lines[1]).toMatch(/DEBUG first_packet/);
  });

  it("keeps one event on one line", () => {
    const [line, ...more] = written(
      { environment: "development" },
      { ...SAMPLES.service_fault, error: "one\ntwo\u001b[31m" },
    );
    expect(more).toEqual([]);
    expect(line).toContain('error="one\\ntwo\\u001b[31m"');
  });
});

describe("what was asked and answered", () => {
  const inspected = SAMPLES.answer_inspected;
  const spoken = SAMPLES.sentence_spoken;
  const texts = [inspected.question, inspected.answer, ...inspected.passages, spoken.text];

  it.each(["production", "development"] as const)("is never written otherwise: %s", (environment) => {
    const all = written({ environment, level: "debug" }, ...ALL_SAMPLES).join("\n");
    for (const text of texts) expect(all).not.toContain(text);
    expect(all).toContain("lockout press 4");
    expect(all).toContain("lockout.md");
  });

  it("is written for debug networks, whatever the level", () => {
    for (const level of ["error", "warn", "info", "debug"] as const) {
      const lines = parsed({ level, debugNetworks: ["plant"] }, inspected, spoken);
      const { question, passages } = inspected;
      expect(lines).toMatchObject([{ question, passages }, { text: spoken.text }]);
    }
    expect(parsed({ debugNetworks: ["plan", "plants"] }, inspected)).toEqual([]);
  });
});

describe("debug networks", () => {
  it("have every event written, and none made less severe", () => {
    const events = ALL_SAMPLES.filter((event) => "user" in event);
    const lines = parsed({ debugNetworks: ["plant"] }, ...events);
    expect(types(lines)).toEqual(events.map(({ type }) => type));
    const levels = Object.fromEntries(lines.map(({ event, level }) => [event, level]));
    expect(levels).toMatchObject({ command_refused: "warn", turn_started: "info", first_packet: "info" });
  });

  it("change nothing for the others", () => {
    const other = { ...SAMPLES.first_packet, user: { network: "shop", username: "ann" } };
    expect(parsed({ debugNetworks: ["plant"] }, other)).toEqual([]);
  });
});

describe("secrets", () => {
  const secrets = ["hunter2-hunter2", 'we"ird\\one'];

  it.each(["production", "development"] as const)("are written nowhere: %s", (environment) => {
    const fault = { ...SAMPLES.service_fault, error: `401 for hunter2-hunter2 and we"ird\\one` };
    const user = { network: "hunter2-hunter2", username: "ann" };
    const lines = written({ environment, secrets }, fault, { ...SAMPLES.chat_opened, user }).join("\n");
    expect(lines).not.toMatch(/hunter2|we\\*"ird/);
    expect(lines.match(/\[redacted\]/g)).toHaveLength(3);
  });

  it("are not written either when they are known by their shape only", () => {
    const errors = [
      "Incorrect API key provided: sk-proj-1234567890",
      "POST https://user:pass@host/v1 failed",
      "sent authorization: Bearer abcdefghijkl",
    ];
    const lines = written({}, ...errors.map((error) => ({ ...SAMPLES.service_fault, error }))).join("\n");
    expect(lines).not.toMatch(/sk-proj|pass@|abcdefghijkl/);
  });

  it("leave the line valid JSON", () => {
    expect(parsed({ secrets: ["plant", "chat_opened"] }, SAMPLES.chat_opened)).toHaveLength(1);
  });
});

describe("a stream that breaks", () => {
  it("silences the log, once, and nothing else", async () => {
    const stream = new Writable({
      write(_chunk, _encoding, done) {
        done(new Error("EPIPE"));
      },
      autoDestroy: false,
    });
    const broken: string[] = [];
    const { subscriber } = createLog({
      environment: "production",
      debugNetworks: [],
      secrets: [],
      stream,
      onBroken: (error) => broken.push(error.message),
    });
    for (let round = 0; round < 3; round++) {
      subscriber(SAMPLES.service_fault);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(broken).toEqual(["EPIPE"]);
  });
});

describe("what strangers cause", () => {
  const refused = (connection: string): TelemetryEvent => ({ ...SAMPLES.command_refused, connection });

  /** What is logged of these events, and what is after a while. */
  async function logged(events: readonly TelemetryEvent[]) {
    const clock = new VirtualClock();
    const lines: Record<string, unknown>[] = [];
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(JSON.parse(String(chunk)));
        done();
      },
    });
    const { subscriber } = createLog({
      environment: "production",
      debugNetworks: ["plant"],
      secrets: [],
      stream,
      clock,
    });
    for (const event of events) subscriber(event);
    const atOnce = lines.length;
    await clock.advance(SAMPLE_MS);
    return { atOnce, later: lines.slice(atOnce), clock, subscriber, lines };
  }

  it("is written a few times from each source, and then how often it came", async () => {
    const flood = Array.from({ length: 5_000 }, () => refused("c-1"));
    const { atOnce, clock, later, lines, subscriber } = await logged([...flood, refused("c-2")]);
    expect(atOnce).toBe(LINES_PER_SOURCE_MAX + 1);
    expect(later).toMatchObject([
      { event: "log_lines_left_out", of: "command_refused", source: "c-1", more: 4_980, inMs: SAMPLE_MS },
    ]);
    subscriber(refused("c-1"));
    expect(lines).toHaveLength(LINES_PER_SOURCE_MAX + 3);
    expect(clock.pending).toBe(0);
  });

  it("is bounded from all sources together, in lines and in memory", async () => {
    const flood = Array.from({ length: 10_000 }, (_, i) => refused(`c-${i}`));
    const { atOnce, later } = await logged(flood);
    expect(atOnce).toBeLessThanOrEqual(LINES_MAX);
    expect(later.length).toBeLessThanOrEqual(101);
    expect(later.reduce((sum, { more }) => sum + Number(more), atOnce)).toBe(10_000);
  });
});
