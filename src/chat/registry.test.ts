// Chats as their users meet them: mailbox, waiting, cancelling, closing, expiry. What a turn says is scripted.

import { beforeEach, describe, expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { FakeOutlet } from "../../test/support/fake-outlet.js";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { afterTurn, type Dialogue, HISTORY_ENTRIES_MAX } from "../domain/dialogue.js";
import { TurnFailure } from "../domain/failure.js";
import type { HistoryEntry, TurnRequest } from "../domain/turn.js";
import { abortable } from "../lib/deadline.js";
import { MESSAGE_CHARS_MAX, MESSAGE_TOKENS_MAX } from "../turn/admit.js";
import type { Line } from "../turn/line.js";
import type { AdmissionLimits } from "./admission.js";
import { MAILBOX_MAX, MAILBOX_WAIT_MS_MAX, type RunTurn } from "./chat.js";
import { admissionOf, announce, ROOMY } from "./limits.test-util.js";
import { ChatRegistry, EXPIRY_CHECK_MS, type RegistryOptions } from "./registry.js";

const ann = { network: "plant", username: "ann" };
const CHATS_MAX = 3;
const INACTIVITY_MS = 600_000;

function ask(text: string, user = ann): TurnRequest {
  const responseType = "text";
  return { id: `turn-${text}`, user, text, responseType, features: [], groups: [], requestId: text };
}

/** A turn under way, to be ended by the test; one that is stopped says why. */
class RunningTurn {
  end = () => {};
  fail = (_: unknown) => {};
  readonly #ended: Promise<void>;
  /** When a turn that is stopped says so. */
  lastWord: Promise<void> = Promise.resolve();

  constructor(
    readonly request: Parameters<RunTurn>[0],
    readonly dialogue: Dialogue,
  ) {
    this.#ended = new Promise((resolve, reject) => {
      this.end = resolve;
      this.fail = reject;
    });
  }

  get history(): readonly HistoryEntry[] {
    return this.dialogue.history;
  }

  async run(line: Line, stop: AbortSignal): Promise<Dialogue> {
    try {
      await abortable(this.#ended, stop);
      line.send({ type: "text_message", mid: 1, text: `answer to ${textOf(this.request)}` });
    } catch (error) {
      if (!(error instanceof TurnFailure)) throw error;
      await this.lastWord;
      line.send({ type: "error", code: error.code, error: error.message });
    }
    const lines = [{ role: "user", text: textOf(this.request), sources: [] } as const];
    return afterTurn(this.dialogue, { lines, isNewSubject: false }, 0);
  }
}

function textOf(request: Parameters<RunTurn>[0]): string {
  return "text" in request ? request.text : "";
}

let clock: VirtualClock;
let events: RecordedEvents;
let relay: FakeOutlet;
/** Every turn so far. */
let turns: RunningTurn[];
let runningNow: number;
let chats: ChatRegistry;

function newRegistry({
  turnsRunningMax = 100,
  turnsWaitingMax = 100,
  ...limits
}: Partial<RegistryOptions & AdmissionLimits> = {}): ChatRegistry {
  const runTurn: RunTurn = async (request, dialogue, line, stop) => {
    const turn = new RunningTurn(request, dialogue);
    turns.push(turn);
    runningNow += 1;
    try {
      return await turn.run(line, stop);
    } finally {
      runningNow -= 1;
    }
  };
  let id = 0;
  const random = {
    fraction: () => 0.5,
    id: () => {
      id += 1;
      return `chat-${id}`;
    },
  };
  const admission = admissionOf({ clock, telemetry: events }, { turnsRunningMax, turnsWaitingMax });
  return new ChatRegistry(
    { clock, random, telemetry: events, admission, runTurn, announce },
    { ...ROOMY, inactivityMsMax: INACTIVITY_MS, chatsMax: CHATS_MAX, ...limits },
  );
}

beforeEach(() => {
  clock = new VirtualClock();
  events = new RecordedEvents();
  relay = new FakeOutlet();
  turns = [];
  runningNow = 0;
  chats = newRegistry();
});

/** As dispatch does it. */
function accept(request: TurnRequest, outlet = relay): void {
  chats.seen(request.user, outlet);
  chats.accept(request, outlet);
}

const words = () => turns.map(({ request }) => textOf(request));

describe("bounds", () => {
  it("refuses a message that is too long before it waits anywhere", async () => {
    accept(ask("a"));
    expect(() => accept(ask("x".repeat(MESSAGE_CHARS_MAX + 1)))).toThrow(
      "The message has 4001 characters and the limit is 4000. Send a shorter one.",
    );
    expect(() => accept(ask("word ".repeat(MESSAGE_TOKENS_MAX + 1)))).toThrow(
      "The message has 251 tokens and the limit is 250. Send a shorter one.",
    );
    await settle();
    expect(words()).toEqual(["a"]);
  });

  it("opens no chat for a message that is refused", () => {
    for (let i = 0; i < 5; i++) {
      const user = { network: "acme", username: `${i}` };
      expect(() => chats.accept({ ...ask("x".repeat(MESSAGE_CHARS_MAX + 1)), user }, relay)).toThrow();
    }
    expect(chats.size).toBe(0);
  });
});

describe("a chat", () => {
  it("answers one message at a time, in the order in which they came", async () => {
    for (const text of ["a", "b", "c"]) accept(ask(text));
    await settle();
    expect(words()).toEqual(["a"]);
    turns[0]!.end();
    await settle();
    expect(words()).toEqual(["a", "b"]);
    turns[1]!.end();
    await settle();
    turns[2]!.end();
    await settle();
    expect(relay.brief).toEqual(["text 1 answer to a", "text 1 answer to b", "text 1 answer to c"]);
    expect(events.of("chat_opened")).toEqual([{ type: "chat_opened", user: ann }]);
  });

  it("remembers what turns give back, the newest 20 lines, and hands it to the next", async () => {
    for (let i = 0; i < HISTORY_ENTRIES_MAX + 3; i++) {
      accept(ask(`${i}`));
      await settle();
      turns[i]!.end();
      await settle();
    }
    expect(turns[1]!.history.map(({ text }) => text)).toEqual(["0"]);
    expect(turns.at(-1)!.history.map(({ text }) => text)).toEqual(
      Array.from({ length: HISTORY_ENTRIES_MAX }, (_, i) => `${i + 2}`),
    );
    expect(chats.find(ann)!.describe().messageCount).toBe(HISTORY_ENTRIES_MAX);
  });

  it("lets ten messages wait and refuses the eleventh", async () => {
    accept(ask("running"));
    await settle();
    for (let i = 0; i < MAILBOX_MAX; i++) accept(ask(`${i}`));
    expect(relay.brief).toEqual([]);
    accept(ask("too many"));
    expect(relay.handed).toMatchObject([{ type: "error", code: "chat_busy", requestId: "too many" }]);
    expect(events.of("turn_dropped")).toMatchObject([{ turn: "turn-too many", code: "chat_busy" }]);
    for (let i = 0; i <= MAILBOX_MAX; i++) {
      turns[i]!.end();
      await settle();
    }
    expect(words()).toHaveLength(1 + MAILBOX_MAX);
    accept(ask("room again"));
    await settle();
    expect(words().at(-1)).toBe("room again");
  });

  it("gives up a message that waits for 60 s, and no other", async () => {
    accept(ask("running"));
    accept(ask("first"));
    await clock.advance(30_000);
    accept(ask("second"));
    await clock.advance(MAILBOX_WAIT_MS_MAX - 30_000 - 1);
    expect(relay.brief).toEqual([]);
    await clock.advance(1);
    expect(relay.handed).toMatchObject([{ code: "timeout", requestId: "first" }]);
    turns[0]!.end();
    await settle();
    expect(words()).toEqual(["running", "second"]);
  });

  it("tells how long a message waited", async () => {
    accept(ask("running"));
    accept(ask("next"));
    await clock.advance(5_000);
    turns[0]!.end();
    await settle();
    expect(events.of("turn_started")).toMatchObject([{ waitedMs: 0 }, { waitedMs: 5_000 }]);
  });

  it("does not let an unexpected fault of a turn out, nor stop at it", async () => {
    accept(ask("a"));
    accept(ask("b"));
    await settle();
    turns[0]!.fail(new TypeError("a fault"));
    await settle();
    expect(relay.handed).toMatchObject([{ code: "assistant_unavailable", requestId: "a" }]);
    expect(events.of("service_fault")).toEqual([
      { type: "service_fault", where: "chat", error: "TypeError: a fault", turn: "turn-a" },
    ]);
    expect(words()).toEqual(["a", "b"]);
  });

  it("is described", async () => {
    const openedMs = clock.now();
    accept({ ...ask("a"), mode: "ai_onboarding" });
    await clock.advance(1_000);
    turns[0]!.end();
    await settle();
    const chat = chats.find(ann)!;
    expect(chat.describe()).toEqual({
      chatId: "chat-1",
      messageCount: 1,
      lastUpdateMs: openedMs + 1_000,
      mode: "ai_onboarding",
      speaking: false,
    });
    chat.line.send({ type: "message", mid: 5, shape: { sampleRateHz: 16_000, packetMs: 60 } });
    expect(chat.describe().speaking).toBe(true);
    accept(ask("b"));
    expect(chat.describe().mode).toBeUndefined();
    expect(chats.expiresAtMs(openedMs)).toBe(openedMs + INACTIVITY_MS);
  });

  it("belongs to one user of one network", async () => {
    accept(ask("a"));
    accept(ask("b", { network: "shop", username: "ann" }));
    accept(ask("c", { network: "plant", username: "bob" }));
    await settle();
    expect(words()).toEqual(["a", "b", "c"]);
    expect(chats.size).toBe(3);
    expect(chats.networks).toBe(2);
    expect(chats.find({ network: "shop", username: "bob" })).toBeUndefined();
  });

  it("follows its user to another relay", async () => {
    accept(ask("a"));
    await settle();
    const next = new FakeOutlet();
    chats.seen(ann, next);
    turns[0]!.end();
    await settle();
    expect(relay.brief).toEqual([]);
    expect(next.brief).toEqual(["text 1 answer to a"]);
    const shape = { sampleRateHz: 16_000, packetMs: 60 };
    chats.find(ann)!.line.send({ type: "message", mid: 5, shape });
    chats.seen(ann, relay);
    expect(next.brief.slice(1)).toEqual(["message 5", "end 5 0 moved"]);
    expect(events.of("answer_moved")).toEqual([{ type: "answer_moved", user: ann, mid: 5, firstPid: 0 }]);
    chats.seen({ network: "plant", username: "nobody" }, next);
    expect(chats.size).toBe(1);
  });
});

describe("cancel", () => {
  it("stops the answer under way and none that waits", async () => {
    accept(ask("a"));
    accept(ask("b"));
    await settle();
    expect(chats.find(ann)!.cancel()).toBe(true);
    await settle();
    expect(relay.brief).toEqual(["error cancelled"]);
    expect(words()).toEqual(["a", "b"]);
  });

  it("finds nothing to stop in a chat that is silent", async () => {
    accept(ask("a"));
    await settle();
    turns[0]!.end();
    await settle();
    expect(chats.find(ann)!.cancel()).toBe(false);
  });

  it("stops a message that waits for its place among all turns", async () => {
    chats = newRegistry({ turnsRunningMax: 1 });
    accept(ask("other", { network: "plant", username: "bob" }));
    await settle();
    accept(ask("a"));
    await settle();
    expect(chats.find(ann)!.cancel()).toBe(true);
    await settle();
    expect(relay.handed).toMatchObject([{ code: "cancelled", requestId: "a" }]);
    expect(words()).toEqual(["other"]);
  });
});

describe("too many turns in the whole service", () => {
  it("give up the message that has waited longest", async () => {
    chats = newRegistry({ turnsRunningMax: 1, turnsWaitingMax: 1 });
    for (const username of ["bob", "cid", "dot"]) accept(ask(username, { network: "plant", username }));
    await settle();
    expect(relay.handed).toMatchObject([{ code: "assistant_unavailable", requestId: "cid" }]);
    turns[0]!.end();
    await settle();
    expect(words()).toEqual(["bob", "dot"]);
  });

  it("give up a message after 60 s of waiting in all", async () => {
    chats = newRegistry({ turnsRunningMax: 1 });
    accept(ask("other", { network: "plant", username: "bob" }));
    await settle();
    accept(ask("a"));
    await clock.advance(MAILBOX_WAIT_MS_MAX);
    expect(relay.handed).toMatchObject([{ code: "timeout", requestId: "a" }]);
    expect(events.of("turn_dropped")).toHaveLength(1);
    turns[0]!.end();
    await settle();
    expect(words()).toEqual(["other"]);
  });
});

describe("closing", () => {
  it("stops the answer, cancels what waits, then says that the chat is closed", async () => {
    for (const text of ["a", "b", "c"]) accept(ask(text));
    await settle();
    const chat = chats.find(ann)!;
    const closed = chats.close(chat, "closed", { requestId: "close" });
    expect(chats.find(ann)).toBeUndefined();
    await closed;
    expect(relay.brief).toEqual([
      "error cancelled",
      "error cancelled",
      "error cancelled",
      "chat_closed closed",
    ]);
    expect(relay.handed.map(({ requestId }) => requestId)).toEqual([undefined, "b", "c", "close"]);
    expect(chats.size).toBe(0);
    expect(events.of("chat_closed")).toEqual([{ type: "chat_closed", user: ann, reason: "closed" }]);
    await clock.advance(MAILBOX_WAIT_MS_MAX);
    expect(relay.handed).toHaveLength(4);
  });

  it("is done once, whoever asks for it", async () => {
    accept(ask("a"));
    await settle();
    const chat = chats.find(ann)!;
    await Promise.all([chats.close(chat, "closed"), chats.close(chat, "expired"), chat.close("shutdown")]);
    expect(relay.brief).toEqual(["error cancelled", "chat_closed closed"]);
  });

  it("leaves no message behind that comes afterwards", async () => {
    accept(ask("a"));
    await settle();
    const chat = chats.find(ann)!;
    turns[0]!.end();
    await settle();
    await chats.close(chat, "closed");
    chat.accept(ask("late"));
    expect(relay.handed.at(-1)).toMatchObject({ code: "cancelled", requestId: "late" });
  });

  it("lets a new chat begin only when the old one is silent", async () => {
    accept(ask("a"));
    await settle();
    let speakLastWord = () => {};
    turns[0]!.lastWord = new Promise((resolve) => {
      speakLastWord = resolve;
    });
    const chat = chats.find(ann)!;
    const closed = chats.close(chat, "closed");
    accept(ask("b"));
    expect(chats.find(ann)).not.toBe(chat);
    await settle();
    expect(words()).toEqual(["a"]);
    // Closed before it could begin, and opened once more.
    void chats.close(chats.find(ann)!, "closed");
    accept(ask("c"));
    await settle();
    expect(words()).toEqual(["a"]);
    speakLastWord();
    await closed;
    await settle();
    expect(relay.brief).toEqual([
      "error cancelled",
      "chat_closed closed",
      "error cancelled",
      "chat_closed closed",
    ]);
    expect(words()).toEqual(["a", "c"]);
    expect(turns[1]!.history).toEqual([]);
    expect(runningNow).toBe(1);
    expect(chats.size).toBe(1);
  });
});

describe("expiry", () => {
  it("closes a chat after 600 s of silence, looked for every 60 s", async () => {
    accept(ask("a"));
    await clock.advance(30_000);
    turns[0]!.end();
    await settle();
    await clock.advance(INACTIVITY_MS);
    expect(relay.brief).toEqual(["text 1 answer to a"]);
    await clock.advance(EXPIRY_CHECK_MS / 2);
    expect(relay.brief.at(-1)).toBe("chat_closed expired");
    expect(chats.size).toBe(0);
    expect(events.of("chat_closed")).toMatchObject([{ reason: "expired" }]);
  });

  it("spares a chat that answers, however long it takes", async () => {
    accept(ask("a"));
    await clock.advance(2 * INACTIVITY_MS);
    expect(chats.size).toBe(1);
    turns[0]!.end();
    await settle();
    await clock.advance(INACTIVITY_MS);
    expect(chats.size).toBe(1);
    await clock.advance(EXPIRY_CHECK_MS);
    expect(chats.size).toBe(0);
  });

  it("begins anew with each message", async () => {
    for (let i = 0; i < 3; i++) {
      accept(ask(`${i}`));
      await settle();
      turns[i]!.end();
      await clock.advance(INACTIVITY_MS - 1_000);
    }
    expect(chats.size).toBe(1);
  });
});

describe("shutdown", () => {
  it("lets answers finish within the time given, then tells everybody", async () => {
    accept(ask("a"));
    accept(ask("b"));
    accept(ask("silent", { network: "plant", username: "bob" }));
    await settle();
    turns[1]!.end();
    await settle();
    const down = chats.shutdown(5_000);
    await clock.advance(4_000);
    turns[0]!.end();
    await down;
    expect(relay.brief).toEqual([
      "text 1 answer to silent",
      "chat_closed shutdown",
      "text 1 answer to a",
      "error shutting_down",
      "chat_closed shutdown",
    ]);
    expect(chats.size).toBe(0);
    expect(clock.pending).toBe(0);
  });

  it("stops answers that take longer", async () => {
    accept(ask("a"));
    await settle();
    const down = chats.shutdown(5_000);
    await clock.advance(5_000);
    await down;
    expect(relay.brief).toEqual(["error shutting_down", "chat_closed shutdown"]);
    expect(clock.pending).toBe(0);
  });

  it("refuses messages that come while it lasts, and afterwards", async () => {
    accept(ask("a"));
    await settle();
    const down = chats.shutdown(5_000);
    accept(ask("b"));
    accept(ask("new", { network: "plant", username: "bob" }));
    expect(relay.handed).toMatchObject([
      { code: "shutting_down", requestId: "b" },
      { code: "shutting_down", requestId: "new" },
    ]);
    await clock.advance(5_000);
    await down;
    accept(ask("late"));
    await settle();
    expect(relay.handed.filter(({ type }) => type === "error").at(-1)).toMatchObject({ requestId: "late" });
    expect(words()).toEqual(["a"]);
    expect(chats.size).toBe(0);
    expect(clock.pending).toBe(0);
  });
});
