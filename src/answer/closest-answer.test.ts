import { describe, expect, it } from "vitest";
import { passage } from "../../test/support/fake-retrieval.js";
import { closestAnswer } from "./closest-answer.js";

const clamps = passage(
  "clamps",
  "- Clamp: Frame, steel foot; Screw: S12; Grip force: 110 N\n- Clamp: Door, brass foot; Screw: S14; Grip force: 140 N\n" +
    "- Clamp: Vitrine; Screw: S16; Grip force: 180 N",
  { title: "Clamps", headings: ["Grip forces"] },
);

const read = async (question: string) => {
  const answer = await closestAnswer(question, undefined, [clamps], { isMeant: true });
  return answer.type === "answer" ? answer.sentences.join(" ") : answer.type;
};

describe("what is read to who agreed to hear a section", () => {
  it("is each row that may be meant where none alone has a word of the question", async () => {
    expect(await read("grip force for a harp foot")).toMatch(/Frame.*110 N.*Door.*140 N/);
  });

  it("is the whole row where only that has a word of the question", async () => {
    const row = "Grip forces: Clamp: Vitrine; Screw: S16; Grip force: 180 N.";
    expect(await read("how tight do I do the screw on a vitrine")).toBe(row);
  });
});
