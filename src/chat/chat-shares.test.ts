/** Who gives way when there are too many chats. */
import { beforeEach, describe, expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { FakeOutlet } from "../../test/support/fake-outlet.js";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import type { TurnRequest } from "../domain/turn.js";
import type { User } from "../domain/user.js";
import { type Origin, workFor } from "../lib/origin.js";
import { seededRandom } from "../lib/random.js";
import type { ChatLimits } from "./chat-shares.js";
import { admissionOf, announce, ROOMY } from "./limits.test-util.js";
import { ChatRegistry } from "./registry.js";

const CHATS_MAX = 4;
const relay = new FakeOutlet();
let events: RecordedEvents;
let chats: ChatRegistry;

/** Turns do not end. */
function registry(limits: Partial<ChatLimits> = {}): ChatRegistry {
  events = new RecordedEvents();
  const clock = new VirtualClock();
  const admission = admissionOf({ clock, telemetry: events });
  const runTurn = () => new Promise<never>(() => {});
  return new ChatRegistry(
    { clock, random: seededRandom(1), telemetry: events, admission, runTurn, announce },
    { ...ROOMY, chatsMax: CHATS_MAX, ...limits },
  );
}

function question(user: User): TurnRequest {
  return { id: user.username, user, text: "a", responseType: "text", features: [], groups: [] };
}

beforeEach(() => {
  chats = registry();
});

describe("chats", () => {
  const user = (username: string, network = "acme") => ({ network, username });
  const open = (origin: Origin, username: string, network?: string) =>
    workFor(origin, () => chats.open(user(username, network), relay));
  const isOpen = (username: string, network?: string) => chats.find(user(username, network)) !== undefined;

  it("closes the chat that was silent longest, of the peer that has most, to open one more", async () => {
    open(["quiet", "1", ""], "quiet");
    for (let i = 1; i < CHATS_MAX; i++) open(["loud", "1", ""], `loud-${i}`);
    open(["loud", "1", ""], "loud-1");
    open(["newcomer", "1", ""], "newcomer");
    await settle();
    expect(["quiet", "loud-1", "loud-2", "newcomer"].map((name) => isOpen(name))).toEqual([
      true,
      true,
      false,
      true,
    ]);
    expect(chats.size).toBe(CHATS_MAX);
    expect(events.of("chat_closed")).toMatchObject([{ user: user("loud-2"), reason: "expired" }]);
  });

  it("opens none where all that could give way are busy", async () => {
    for (let i = 0; i < CHATS_MAX; i++) chats.accept(question(user(`${i}`)), relay);
    await settle();
    expect(() => chats.open(user("one more"), relay)).toThrow("Too many people are talking at once");
    expect(chats.open(user("0"), relay)).toBe(chats.find(user("0")));
    expect(chats.size).toBe(CHATS_MAX);
  });

  it("keeps to the share of a connection, and of a network", async () => {
    chats = registry({ chatsMax: 100, chatsPerConnectionMax: 2, chatsPerNetworkMax: 4 });
    for (let i = 0; i < 3; i++) open(["relay", "1", ""], `one-${i}`);
    for (let i = 0; i < 2; i++) open(["relay", "2", ""], `two-${i}`);
    open(["other", "1", ""], "other");
    open(["other", "1", ""], "elsewhere", "foundry");
    await settle();
    expect(["one-0", "one-1", "one-2", "two-0", "two-1", "other"].map((name) => isOpen(name))).toEqual([
      false,
      false,
      true,
      true,
      true,
      true,
    ]);
    expect(isOpen("elsewhere", "foundry")).toBe(true);
    expect([chats.size, chats.networks]).toEqual([5, 2]);
  });
});
