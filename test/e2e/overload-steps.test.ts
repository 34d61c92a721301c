/** More and more is asked, on a real socket and by the machine's clock: first all are spoken to, then written to, then some refused. */
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { type ChatReply, speechReply, textReply } from "../support/openai-replies.js";
import type { ChatBody } from "../support/openai-requests.js";
import type { ReceivedRequest } from "../support/openai-server.js";
import { LOCKOUT } from "./documents.js";
import type { TestUser } from "./relay.js";
import { librarian } from "./script.js";
import { World } from "./world.js";

const QUESTION = "What is the colour of the padlock?";
const ANSWER = "The padlock is red.";
const CALL = "Help, he is not breathing!";

/** How long the model takes for an answer, and how long it is when it is spoken. */
const MODEL_MS = 300;
const SPOKEN_MS = 3_000;
const PACKET_MS = 20;

/** Of four places one relay gets three; turns wait as long as they do unless it is set. */
const PLACES = 4;
const OF_ONE_RELAY = 3;
const WAIT_MS_MAX = 10_000;

/** More than can have a text each in that time. */
const CROWD = 80;

async function* slowly(text: string): AsyncGenerator<string> {
  await delay(MODEL_MS);
  yield text;
}

const respond = {
  chat: (request: ReceivedRequest<ChatBody>): ChatReply =>
    request.body.tool_choice === "required" ? librarian.chat(request) : textReply(slowly(ANSWER)),
  speech: () => speechReply({ packets: SPOKEN_MS / PACKET_MS }),
};

/** How the user was answered: by voice, by text alone, or not at all. */
async function outcome(user: TestUser): Promise<"voice" | "text" | "refusal"> {
  const end = await user.answered(user.username);
  if (end.command === "ai_message_error") {
    expect(end).toMatchObject({ code: "assistant_unavailable", error: expect.stringContaining("Too many") });
    return "refusal";
  }
  return end.command === "text_message" ? "text" : "voice";
}

function counted(outcomes: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = { voice: 0, text: 0, refusal: 0 };
  for (const one of outcomes) counts[one]! += 1;
  return counts;
}

test("a crowd is answered by voice, then by text, and the rest are refused at once; then voices come back", async () => {
  const world = await World.start({
    clock: systemClock,
    documents: { acme: { "lockout.md": LOCKOUT } },
    config: { "chat.turns_running_max": PLACES },
    respond,
  });
  const relay = await world.relay();
  const user = (name: string) => relay.user("acme", name);
  const aloud = (name: string) => {
    user(name).askAloud(QUESTION, { request_id: name });
    return user(name);
  };

  // By themselves. From these it is known how long a voice, and how long a text, holds a place.
  expect(await outcome(aloud("alone"))).toBe("voice");
  user("writer").ask(QUESTION, { request_id: "writer" });
  expect(await outcome(user("writer"))).toBe("text");

  const crowd = Array.from({ length: CROWD }, (_, n) => aloud(`crowd-${n}`));
  user("caller").ask(CALL, { request_id: "caller" });
  expect((await user("caller").answered("caller")).text).toContain("Call the emergency number now");
  const outcomes = await Promise.all(crowd.map(outcome));
  expect(outcomes.slice(0, OF_ONE_RELAY)).toEqual(Array(OF_ONE_RELAY).fill("voice"));
  const { text, refusal } = counted(outcomes);
  expect(text).toBeGreaterThan(0);
  expect(refusal).toBeGreaterThan(0);
  const degraded = world.eventsOf("turn_degraded").map(({ to }) => (to === "text" ? "text" : "refusal"));
  expect(counted(degraded)).toEqual({ voice: 0, text, refusal });

  // Some were refused as they came, and nobody was begun after their time.
  const atOnce = world.eventsOf("turn_degraded").filter(({ reason }) => reason === "late");
  expect(atOnce.length).toBeGreaterThan(0);
  for (const { waitedMs } of world.eventsOf("turn_started")) expect(waitedMs).toBeLessThan(WAIT_MS_MAX);

  expect(await outcome(aloud("afterwards"))).toBe("voice");
});
