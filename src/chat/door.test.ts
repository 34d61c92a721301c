import { expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { NOTHING_OPEN } from "../domain/dialogue.js";
import type { TurnRequest } from "../domain/turn.js";
import { seededRandom } from "../lib/random.js";
import { type CallerEvent, hear } from "./door.js";
import { admissionOf, announce, ROOMY } from "./limits.test-util.js";
import { ChatRegistry } from "./registry.js";

const user = { network: "plant", username: "ann" };
const NEVER = new AbortController().signal;

function question(id: string): TurnRequest {
  return { id, user, text: "How do I lock it?", responseType: "text", features: [], groups: [] };
}

it("tells a caller of a session that a message is refused, also while its chat is ending", async () => {
  const clock = new VirtualClock();
  const telemetry = new RecordedEvents();
  const chats = new ChatRegistry(
    {
      ...{ clock, telemetry, random: seededRandom(1) },
      admission: admissionOf({ clock, telemetry }),
      announce,
      runTurn: async (_request, _history, _line, stop) => {
        await new Promise((resolve) => stop.addEventListener("abort", resolve, { once: true }));
        return NOTHING_OPEN;
      },
    },
    ROOMY,
  );
  const first = hear(chats, question("a"), "s", NEVER);
  void first.next();
  await settle();
  const down = chats.shutdown(5_000);
  const told: CallerEvent[] = [];
  const second = (async () => {
    for await (const heard of hear(chats, question("b"), "s", NEVER)) told.push(heard);
  })();
  await clock.advance(10_000);
  await down;
  expect(told).toMatchObject([
    { type: "frame", frame: { type: "error", code: "shutting_down" } },
    { type: "event", event: { type: "finished", report: { failure: { code: "shutting_down" } } } },
  ]);
  await second;
});
