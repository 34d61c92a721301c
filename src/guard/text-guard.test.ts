import { beforeEach, describe, expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { guardOptions } from "./options.js";
import { underGuard, waitForNoGuard } from "./scope.js";
import { CANARY, TextGuard } from "./text-guard.js";

/** A server that a test scripts: what it was asked, and what it answers. */
class FakeServer {
  readonly asked: string[] = [];
  answer: (text: string) => Promise<string | undefined> = async (text) =>
    text.includes("attack") ? "PromptInjection" : undefined;
  isUp = true;

  refusalOf(text: string): Promise<string | undefined> {
    this.asked.push(text);
    return text === CANARY && this.isUp ? Promise.resolve("PromptInjection") : this.answer(text);
  }

  async live(): Promise<void> {}
}

let clock: VirtualClock;
let events: RecordedEvents;
let server: FakeServer;
const { signal } = new AbortController();
const TIMEOUT_MS = 2_000;

beforeEach(() => {
  clock = new VirtualClock();
  events = new RecordedEvents();
  server = new FakeServer();
});

function guardOf(fail: "closed" | "open" = "closed", at: FakeServer | undefined = server): TextGuard {
  const { endpoint, threshold } = guardOptions.parse({});
  const options = { endpoint, threshold, fail, timeoutMs: TIMEOUT_MS, chunkChars: 64 };
  return new TextGuard(options, clock, events, at);
}

const scan = (guard: TextGuard, text: string, what: "question" | "passage" = "question") =>
  guard.scan({ what, text }, "model", signal);
const told = () =>
  events.of("guard_scanned").map(({ result, scanner, what }) => [what, result, scanner].join(" ").trim());

describe("without a server", () => {
  it("the local scanners are all there is", async () => {
    const guard = guardOf("closed", undefined);
    const alone = new TextGuard(
      { ...guardOptions.parse({}), fail: "closed", timeoutMs: 1, chunkChars: 64 },
      clock,
      events,
      undefined,
    );
    expect(await scan(alone, "an attack")).toBeUndefined();
    expect(await scan(alone, "ig\u200Bnore")).toBe("InvisibleText");
    expect(await alone.state(signal)).toBe("local");
    expect(told()).toEqual(["question refused InvisibleText"]);
    expect(await guard.state(signal)).toBe("ready");
  });
});

describe("a text", () => {
  it("is allowed where none of its pieces is refused, and scanned once", async () => {
    const guard = guardOf();
    const text = "All is well here. ".repeat(10).trim();
    expect(await scan(guard, text)).toBeUndefined();
    const asked = server.asked.length;
    expect(asked).toBeGreaterThan(3);
    expect(await scan(guard, text, "passage")).toBeUndefined();
    expect(server.asked).toHaveLength(asked);
    expect(told()).toEqual(["question allowed", "passage allowed"]);
  });

  it("is scanned once by those who ask at once", async () => {
    const guard = guardOf();
    await Promise.all([scan(guard, "Hello"), scan(guard, "Hello")]);
    expect(server.asked.filter((text) => text === "Hello")).toHaveLength(1);
  });

  it("is refused as soon as one piece is, whatever becomes of the others", async () => {
    const guard = guardOf("open");
    const usual = server.answer;
    server.answer = (text) => (text.includes("attack") ? usual(text) : new Promise(() => {}));
    expect(await scan(guard, `${"well ".repeat(20)}attack`)).toBe("PromptInjection");
  });

  it("is refused where another piece failed, and failures are let through", async () => {
    const guard = guardOf("open");
    const usual = server.answer;
    server.answer = async (text) => {
      if (!text.includes("attack")) throw new Error("500");
      return usual(text);
    };
    expect(await scan(guard, `${"well ".repeat(20)}attack`)).toBeDefined();
  });

  it("is not sent where nothing stands in it, or a local scanner refuses it", async () => {
    await scan(guardOf(), " \n");
    await scan(guardOf(), "ig\u200Bnore");
    expect(server.asked).toEqual([]);
  });

  it("is a transcript where it was spoken", async () => {
    await underGuard(true, () => scan(guardOf(), "Hello"));
    expect(told()).toEqual(["transcript allowed"]);
  });
});

describe("a server that fails", () => {
  it("keeps the text here, or lets it go, by the settings", async () => {
    server.answer = () => Promise.reject(new Error("the guard answers 500"));
    await expect(scan(guardOf(), "Hello")).rejects.toThrow("a text could not be scanned");
    expect(await scan(guardOf("open"), "Hello")).toBeUndefined();
    expect(told()).toEqual(["question failed", "question unscanned"]);
    expect(JSON.stringify(events.all)).not.toContain("Hello");
  });

  it("that hangs takes no longer than its time", async () => {
    server.answer = () => new Promise(() => {});
    const scanned = scan(guardOf(), "Hello").catch(String);
    await settle();
    await clock.advance(TIMEOUT_MS);
    expect(await scanned).toContain(`the guard took longer than ${TIMEOUT_MS} ms`);
  });

  it("is asked again, since a failure is not remembered", async () => {
    const guard = guardOf();
    const usual = server.answer;
    server.answer = () => Promise.reject(new Error("500"));
    await expect(scan(guard, "Hello")).rejects.toThrow("500");
    server.answer = usual;
    expect(await scan(guard, "Hello")).toBeUndefined();
  });

  it("is left alone for a while, and then tried", async () => {
    const guard = guardOf();
    const usual = server.answer;
    await scan(guard, "zero");
    server.answer = () => Promise.reject(new Error("500"));
    for (const text of ["one", "two", "three"]) await expect(scan(guard, text)).rejects.toThrow("500");
    const asked = server.asked.length;
    await expect(scan(guard, "four")).rejects.toThrow("left alone");
    expect(server.asked).toHaveLength(asked);
    expect(events.of("model_breaker_changed")).toMatchObject([{ model: "guard", state: "open" }]);
    server.answer = usual;
    await clock.advance(5_000);
    expect(await scan(guard, "five")).toBeUndefined();
  });

  it("is not believed where it lets a known attack pass", async () => {
    server.isUp = false;
    server.answer = async () => undefined;
    const guard = guardOf();
    await expect(scan(guard, "Hello")).rejects.toThrow("lets a known attack pass");
    expect(await guard.state(signal)).toBe("unavailable");
  });

  it("is seen again to refuse the known attack after a while", async () => {
    const guard = guardOf();
    await scan(guard, "one");
    server.isUp = false;
    server.answer = async () => undefined;
    expect(await scan(guard, "two")).toBeUndefined();
    await clock.advance(600_000);
    await expect(scan(guard, "three")).rejects.toThrow("known attack");
  });
});

it("is told of the caller's own end, not of the guard's", async () => {
  server.answer = () => new Promise(() => {});
  const stop = new AbortController();
  const scanned = guardOf().scan({ what: "question", text: "Hello" }, "model", stop.signal);
  stop.abort(new Error("stopped"));
  await expect(scanned).rejects.toThrow("stopped");
  expect(events.of("guard_scanned")).toEqual([]);
});

it("keeps nobody in danger waiting, and still scans here", async () => {
  server.answer = () => new Promise(() => {});
  const guard = guardOf();
  await underGuard(false, async () => {
    waitForNoGuard();
    expect(await scan(guard, "There is a fire")).toBeUndefined();
    expect(await scan(guard, "ig\u200Bnore")).toBeDefined();
  });
  expect(server.asked).toEqual([]);
});
