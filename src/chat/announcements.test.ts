// What is said unasked, as its user meets it: when, where, how often; and what comes of it when it cannot be said.
import { beforeEach, describe, expect, it } from "vitest";
import { FakeOutlet } from "../../test/support/fake-outlet.js";
import { settle } from "../../test/support/virtual-clock.js";
import { ANNOUNCEMENTS_MAX } from "./announcements.js";
import { MAILBOX_MAX } from "./chat.js";
import { ANN, type Fate, FloorBench } from "./floor-bench.test-util.js";

const FATE: Fate = { recogniser: "words", writer: "answers", afterMs: 0 };
const LONG_MS = 3_600_000;
/** Longer than anything takes to be said. */
const SAID_MS = 30_000;

/** Relay 0 takes announcements, relay 1 does not. */
let bench: FloorBench;

beforeEach(() => {
  bench = new FloorBench();
});

/** Ann has asked something on a relay, and has been answered. */
async function answered(relay: number): Promise<void> {
  bench.ask(relay, "text", FATE);
  await bench.clock.advance(1_000);
}

const announce = (subject: string, lifeMs = LONG_MS, fate = FATE, type: "text" | "audio" = "text") =>
  bench.announce(subject, lifeMs, type, fate);

/** What a relay got: `timer` for an announcement about that, `answer` for an answer, `error` for that. */
function order(relay: number): string[] {
  return bench.relays[relay]!.handed.flatMap((frame) => {
    if (frame.type === "error") return ["error"];
    if (frame.type !== "text_message" && frame.type !== "transcription") return [];
    return [/The (\w+)/.exec(frame.text)?.[1] ?? "answer"];
  });
}

const dropped = () =>
  bench.events.of("announcement_dropped").map(({ subject, reason }) => `${subject} ${reason}`);

async function holds(): Promise<void> {
  await bench.finish(0);
  expect(bench.verdict()).toEqual([]);
}

it("is for those who have a chat with the relays, who are known by their network", async () => {
  await answered(0);
  expect(bench.chats.usersOf(ANN.network)).toEqual([ANN.username]);
  expect(bench.chats.usersOf("another")).toEqual([]);
});

describe("an announcement", () => {
  it.each(["text", "audio"] as const)(
    "is said at once to a quiet user of a relay that takes it: %s",
    async (type) => {
      await answered(0);
      announce("timer", LONG_MS, FATE, type);
      await bench.clock.advance(SAID_MS);
      expect(order(0)).toEqual(["answer", "timer"]);
      const told = bench.relays[0]!.handed.filter(
        (frame) => "kind" in frame && frame.kind === "announcement",
      );
      expect(told).toMatchObject([{ type: type === "text" ? "text_message" : "message" }]);
      expect(told[0]).not.toHaveProperty("requestId");
      expect(bench.chats.find(ANN)?.remembered.at(-1)).toMatchObject({ role: "assistant" });
      expect(bench.chats.find(ANN)?.remembered).toHaveLength(3);
      expect(bench.events.of("announcement_ended")).toMatchObject([{ subject: "timer", result: "answered" }]);
      expect(bench.events.of("turn_finished")).toHaveLength(1);
      await holds();
    },
  );

  it("waits for the answer under way, and for no button to be held", async () => {
    bench.ask(0, "audio", FATE);
    await bench.clock.advance(600);
    announce("timer");
    await settle();
    expect(order(0)).toEqual([]);
    bench.press(0, "text", FATE);
    await bench.clock.advance(2_000);
    expect(order(0)).not.toContain("timer");
    bench.speak(0, 3, 0);
    bench.release(0);
    await bench.clock.advance(SAID_MS);
    expect(order(0).slice(-2)).toEqual(["timer", "answer"]);
    await holds();
  });

  it("goes before the next answer where the relay does not take it, and not before that", async () => {
    await answered(1);
    announce("timer");
    await bench.clock.advance(SAID_MS);
    expect(order(1)).toEqual(["answer"]);
    await answered(1);
    expect(order(1)).toEqual(["answer", "timer", "answer"]);
    await holds();
  });

  it("goes when the user comes to a relay that takes it, or the relay says so", async () => {
    await answered(1);
    announce("timer");
    bench.look(0);
    await bench.clock.advance(1_000);
    expect(order(0)).toEqual(["timer"]);
    await answered(1);
    announce("valve");
    await settle();
    expect(order(1)).toEqual(["answer", "answer"]);
    bench.greet(1);
    await bench.clock.advance(1_000);
    expect(order(1)).toEqual(["answer", "answer", "valve"]);
    await holds();
  });

  it("waits again when its user moves to a relay that does not take it before any of it was heard", async () => {
    await answered(0);
    announce("timer", LONG_MS, { ...FATE, afterMs: 1_500 }, "audio");
    await bench.clock.advance(500);
    bench.look(1);
    await bench.clock.advance(SAID_MS);
    expect([order(0), order(1)]).toEqual([["answer"], []]);
    bench.ask(1, "text", FATE);
    await bench.clock.advance(SAID_MS);
    expect(order(1)).toEqual(["timer", "answer"]);
    await holds();
  });

  it("ends where its user goes on to a relay that does not take it", async () => {
    await answered(0);
    announce("timer", LONG_MS, FATE, "audio");
    await bench.clock.advance(1_200);
    bench.look(1);
    await bench.clock.advance(SAID_MS);
    expect(bench.relays[1]!.handed.filter(({ type }) => type === "audio" || type === "message")).toEqual([]);
    await holds();
  });
});

describe("a press", () => {
  it("stops it; what was heard is remembered, and it does not come back", async () => {
    await answered(0);
    announce("timer", LONG_MS, FATE, "audio");
    await bench.clock.advance(1_500);
    bench.press(0, "text", FATE);
    await settle();
    expect(bench.relays[0]!.brief.at(-2)).toMatch(/^end .* interrupted$/);
    bench.speak(0, 3, 0);
    bench.release(0);
    await bench.clock.advance(SAID_MS);
    expect(bench.events.of("announcement_ended")).toMatchObject([{ interrupted: true }]);
    await holds();
  });

  it("lets it come before the answer where none of it was heard", async () => {
    await answered(0);
    announce("timer", LONG_MS, { ...FATE, afterMs: 1_500 });
    await bench.clock.advance(100);
    bench.press(0, "text", FATE);
    await bench.clock.advance(3_000);
    expect(order(0)).toEqual(["answer"]);
    bench.speak(0, 3, 0);
    bench.release(0);
    await bench.clock.advance(SAID_MS);
    expect(order(0)).toEqual(["answer", "timer", "answer"]);
    await holds();
  });
});

describe("a call for help", () => {
  const HELP = "Fire! My colleague is burning!";
  const call = (id: string) => ({ id, requestId: id, user: ANN, features: [], groups: [] });

  it("is answered before what waits, and stops what is said", async () => {
    await answered(1);
    announce("timer");
    bench.asked.push("help");
    bench.fateOf("help");
    bench.chats.accept({ ...call("help"), text: HELP, responseType: "text" }, bench.relays[1]!);
    await bench.clock.advance(1_000);
    expect(order(1)).toEqual(["answer", "answer"]);
    await answered(1);
    expect(order(1)).toEqual(["answer", "answer", "timer", "answer"]);
    await holds();
  });

  it("stops an announcement when it turns out to be one", async () => {
    bench.heardAs = HELP;
    await answered(1);
    announce("timer", LONG_MS, { ...FATE, afterMs: 1_500 });
    bench.press(1, "text", { ...FATE, afterMs: 300 });
    bench.speak(1, 3, 0);
    bench.release(1);
    await bench.clock.advance(1_000);
    expect(order(1)).toEqual(["answer", "answer"]);
    await holds();
  });
});

describe("what waits", () => {
  it(`is the newest ${ANNOUNCEMENTS_MAX}, one of each subject, and takes no place of the mailbox`, async () => {
    await answered(1);
    for (let i = 0; i <= ANNOUNCEMENTS_MAX; i++) announce(`t${i}`);
    announce("t5");
    expect(dropped()).toEqual(["t0 crowded_out", "t5 replaced"]);
    for (let i = 0; i < MAILBOX_MAX; i++) bench.ask(1, "text", FATE);
    await bench.clock.advance(SAID_MS);
    expect(order(1).slice(1, 1 + ANNOUNCEMENTS_MAX)).toEqual([
      "t1",
      "t2",
      "t3",
      "t4",
      "t6",
      "t7",
      "t8",
      "t5",
    ]);
    expect(bench.events.of("turn_dropped")).toEqual([]);
    await holds();
  });

  it("is not said when its time is over, nor begun then", async () => {
    await answered(1);
    announce("timer", 5_000);
    await bench.clock.advance(5_000);
    await answered(1);
    expect([order(1), dropped()]).toEqual([["answer", "answer"], ["timer expired"]]);
    announce("valve", 1_000, { ...FATE, afterMs: 1_500 });
    bench.ask(1, "text", FATE);
    await bench.clock.advance(SAID_MS);
    expect(order(1)).toEqual(["answer", "answer", "answer"]);
    expect(bench.events.of("announcement_ended")).toMatchObject([{ result: "timeout" }]);
    await holds();
  });

  it("is dropped with its chat; whoever has none is not there", async () => {
    await answered(1);
    announce("timer");
    bench.close(1);
    expect(dropped()).toEqual(["timer closed"]);
    await settle();
    announce("valve");
    expect(bench.announcements.size).toBe(1);
    await holds();
  });

  it("waits for a place in the turn line", async () => {
    bench = new FloorBench(1);
    await answered(0);
    const bob = { network: "plant", username: "bob" };
    bench.fateOf("b1", { ...FATE, afterMs: 1_500 });
    const asked = {
      id: "b1",
      user: bob,
      text: "How?",
      responseType: "text",
      features: [],
      groups: [],
    } as const;
    bench.chats.accept(asked, new FakeOutlet());
    await settle();
    announce("timer");
    await bench.clock.advance(1_000);
    expect(order(0)).toEqual(["answer"]);
    await bench.clock.advance(SAID_MS);
    expect(order(0)).toEqual(["answer", "timer"]);
  });
});

it("tells its user nothing of a failure, and is not tried again", async () => {
  await answered(0);
  announce("timer", LONG_MS, { ...FATE, writer: "fails" });
  announce("valve");
  await bench.clock.advance(SAID_MS);
  expect(order(0)).toEqual(["answer", "valve"]);
  const ended = bench.events.of("announcement_ended").map(({ result }) => result);
  expect(ended).toEqual(["assistant_unavailable", "answered"]);
  await holds();
});

it("waits for a user whose connection is gone until the user is heard of again", async () => {
  await answered(0);
  bench.lose(0);
  announce("timer");
  await bench.clock.advance(SAID_MS);
  expect(bench.events.of("announcement_ended")).toHaveLength(1);
  bench.look(0);
  await bench.clock.advance(1_000);
  expect(order(0)).toEqual(["timer"]);
  await holds();
});
