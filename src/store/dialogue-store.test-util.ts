/** What every store of dialogues has to do; run it against each implementation. */
import { describe, expect, it } from "vitest";
import type { PendingQuestion } from "../domain/dialogue.js";
import type { DialogueStore } from "./dialogue-store.js";

export const kept: PendingQuestion = {
  ...{ type: "question", turn: "t", untilMs: 5_000, durable: true },
  sources: [
    { type: "document", id: "d" },
    { type: "resource", id: "valve-3" },
  ],
  ...{ asked: "Open valve 3", route: "operate", words: "Valve 3 of the boiler?" },
  options: [{ words: "", means: { type: "question", question: "Open valve 3 of the boiler" } }],
};

/** `open` gives a new view of the same place: as after a restart, where the store outlives one. */
export function keepsDialogues(name: string, open: () => Promise<DialogueStore>): void {
  describe(`${name} keeps dialogues`, () => {
    const ann = { network: "plant", username: "ann" };

    it("as they were saved last, by user, network and session", async () => {
      const store = await open();
      await store.save(ann, "", [kept]);
      await store.save(ann, "", [{ ...kept, turn: "u" }]);
      expect(await (await open()).load(ann, "")).toEqual([{ ...kept, turn: "u" }]);
      const others = [
        [{ ...ann, network: "rival" }, ""],
        [{ ...ann, username: "bob" }, ""],
        [ann, "other"],
      ] as const;
      for (const [user, session] of others) expect(await store.load(user, session)).toEqual([]);
    });

    it("and nothing that is not open any more", async () => {
      const store = await open();
      await store.save(ann, "", [kept]);
      await store.save(ann, "", []);
      expect(await store.load(ann, "")).toEqual([]);
    });

    it("as values: what was given can change", async () => {
      const store = await open();
      const options = [...kept.options];
      await store.save(ann, "", [{ ...kept, options }]);
      options.pop();
      expect(await store.load(ann, "")).toEqual([kept]);
    });
  });
}
