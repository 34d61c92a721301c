/** A chat knows that something was said since a readback, also where a turn came to nothing. */
import { expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { FakeOutlet } from "../../test/support/fake-outlet.js";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { afterTurn, type Dialogue, type Pending } from "../domain/dialogue.js";
import { seededRandom } from "../lib/random.js";
import { admissionOf, announce, ROOMY } from "./limits.test-util.js";
import { ChatRegistry } from "./registry.js";

const PROPOSAL: Pending = {
  ...{ type: "proposal", operation: "op-1", turn: "turn", untilMs: Infinity, sources: [] },
};

it("has a plain yes count for nothing after an error", async () => {
  const [clock, telemetry] = [new VirtualClock(), new RecordedEvents()];
  const seen: Dialogue["pending"][] = [];
  const runTurn = async (_: unknown, dialogue: Dialogue) => {
    seen.push(dialogue.pending);
    if (seen.length === 2) throw new Error("a fault");
    return afterTurn(dialogue, { lines: [], opened: PROPOSAL, isNewSubject: false }, 0);
  };
  const limits = { turnsRunningMax: 9, turnsWaitingMax: 9 };
  const admission = admissionOf({ clock, telemetry }, limits);
  const chats = new ChatRegistry(
    { clock, random: seededRandom(1), telemetry, admission, runTurn, announce },
    { ...ROOMY, inactivityMsMax: 600_000 },
  );
  const user = { network: "plant", username: "ann" };
  for (const text of ["order", "question", "yes"]) {
    const asked = { id: text, user, text, responseType: "text", features: [], groups: [] } as const;
    chats.accept(asked, new FakeOutlet());
    await settle();
  }
  expect(seen).toEqual([[], [PROPOSAL], [{ ...PROPOSAL, isOvertaken: true }]]);
});
