/** What a newcomer asks of the handbook of the examples, without a model: badly spelt, or for one of two procedures. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OfflineAnswerer, offlineAnswerer } from "../../test/support/offline-answerer.js";

describe("answering offline from the handbook", () => {
  let handbook: OfflineAnswerer;
  beforeAll(async () => {
    handbook = await offlineAnswerer(fileURLToPath(new URL("../../examples/handbook", import.meta.url)));
  });
  afterAll(() => handbook.close());

  it.each([
    "What is the lockout procedure?",
    "How do I do the lockout?",
    "How do I lock out the packing line?",
  ])("%s reads how to lock out, as a whole, and not how to take the locks off", async (question) => {
    const { events, text } = await handbook.ask(question);
    expect(text).toContain("Step 4: Put your personal lock on the main switch.");
    expect(text).toContain("Step 9: Press start once");
    expect(text).not.toContain("Take off your own locks");
    const passages = events.findLast(({ type }) => type === "passages");
    expect(JSON.stringify(passages)).toContain("Put your personal lock on the main switch.");
    expect(events.at(-1)).toEqual({ type: "end", searched: "found", degraded: false });
  });

  it("reads how to give the line back to whoever asks for that", async () => {
    const { text } = await handbook.ask("How do I give the packing line back?");
    expect(text).toContain("Step 4: Take off your own locks and tags.");
    expect(text).not.toContain("Put your personal lock on");
  });

  it.each([
    ["Which extingusher do I use on the fryer?", "Which extinguisher do I use on the fryer?"],
    ["What is the heavyest load for the big truck?", "What is the heaviest load for the big truck?"],
    [
      "What do I do with a forklfit that fails the check?",
      "What do I do with a forklift that fails the check?",
    ],
    [
      "Can I mix the foam cleanre with the acid descalar?",
      "Can I mix the foam cleaner with the acid descaler?",
    ],
  ])("answers %s as %s", async (question, meant) => {
    const { events, text } = await handbook.ask(question);
    expect(text).not.toBe("");
    expect(text).toBe((await handbook.ask(meant)).text);
    expect(events).toContainEqual({ type: "about", question: expect.not.stringMatching(question) });
  });

  it.each([
    "How do I lock out the oven?",
    "How do I tow a forklift?",
    "What happens to stolen goods?",
    "How much does a hot work permit cost?",
  ])("does not take %s for another question", async (question) => {
    expect((await handbook.ask(question)).text).toBe("");
  });
});
