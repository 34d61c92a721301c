import { expect, it } from "vitest";
import { MemoryDialogueStore, SESSIONS_MAX } from "./dialogue-store.js";
import { keepsDialogues, kept } from "./dialogue-store.test-util.js";

const memory = new MemoryDialogueStore();
keepsDialogues("the memory", async () => memory);

it("keeps no more sessions than it has room for", async () => {
  const store = new MemoryDialogueStore();
  const user = { network: "plant", username: "ann" };
  for (let i = 0; i <= SESSIONS_MAX; i++) await store.save(user, String(i), [kept]);
  expect(await store.load(user, "0")).toEqual([]);
  expect(await store.load(user, String(SESSIONS_MAX))).toEqual([kept]);
});
