import { expect, it } from "vitest";
import { RecordedEvents } from "../../test/support/events.js";
import { settle, VirtualClock } from "../../test/support/virtual-clock.js";
import { watch } from "../../test/support/watch.js";
import { NOTHING_OPEN } from "../domain/dialogue.js";
import { type DialogueStore, MemoryDialogueStore } from "../store/dialogue-store.js";
import { kept } from "../store/dialogue-store.test-util.js";
import { KeptDialogue, STORE_MS_MAX } from "./kept-dialogue.js";

const ann = { network: "plant", username: "ann" };

function keeper(dialogues: DialogueStore, user = ann) {
  const deps = { clock: new VirtualClock(), telemetry: new RecordedEvents(), dialogues };
  return { ...deps, dialogue: new KeptDialogue(user, "", deps) };
}

it("brings back what is durable, and nothing else, to the same user of the same network", async () => {
  const store = new MemoryDialogueStore();
  const before = keeper(store).dialogue;
  await before.restored();
  const line = { role: "user", text: "Open valve 3", sources: [] } as const;
  await before.keep({ history: [line], pending: [{ ...kept, turn: "passing", durable: false }, kept] });
  expect(await keeper(store).dialogue.restored()).toEqual({ history: [], pending: [kept] });
  expect(await keeper(store, { ...ann, network: "rival" }).dialogue.restored()).toEqual(NOTHING_OPEN);
  await before.keep(NOTHING_OPEN);
  expect(await keeper(store).dialogue.restored()).toEqual(NOTHING_OPEN);
});

it("asks the store only where something durable changes", async () => {
  const asked: string[] = [];
  const { dialogue } = keeper({
    load: async () => {
      asked.push("load");
      return [];
    },
    save: async () => void asked.push("save"),
  });
  await dialogue.restored();
  const open = await dialogue.restored();
  await dialogue.keep({ ...open, pending: [{ ...kept, durable: false }] });
  await dialogue.keep({ ...open, pending: [kept] });
  await dialogue.keep({ ...open, pending: [kept] });
  expect(asked).toEqual(["load", "save"]);
});

it.each([
  ["fails", () => Promise.reject(new Error("down"))],
  ["hangs", () => new Promise<never>(() => {})],
])("costs what was open, and not the chat, when the store %s", async (_, broken) => {
  const { clock, dialogue, telemetry } = keeper({ load: broken, save: broken });
  const restored = watch(dialogue.restored());
  await clock.advance(STORE_MS_MAX);
  expect(restored.now).toEqual({ type: "resolved", value: NOTHING_OPEN });
  const saved = watch(dialogue.keep({ history: [], pending: [kept] }));
  await clock.advance(STORE_MS_MAX);
  await settle();
  expect(saved.now.type).toBe("resolved");
  expect(dialogue.value.pending).toEqual([kept]);
  expect(telemetry.of("service_fault")).toHaveLength(2);
});
