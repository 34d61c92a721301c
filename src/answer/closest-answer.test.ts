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

  it("is the one column of a row that the question names where the others have the like", async () => {
    const presses = passage(
      "presses",
      "- Force; Press 1: 40 kN; Press 2: 65 kN\n- Heat; Press 1: 90 °C; Press 2: 70 °C",
      {
        title: "Bookbinding",
        headings: ["Presses"],
      },
    );
    const answer = await closestAnswer("how hard may press 2 squeeze, its force", undefined, [presses], {
      isMeant: true,
    });
    expect(answer.type === "answer" && answer.sentences.join(" ")).toMatch(/Force; Press 2: 65 kN\.$/);
  });

  it("is no row of another thing than a value was measured of", async () => {
    const vats = passage(
      "vats",
      "- Vessel: Mash vat 1; Max. steam: 2.0 bar; Valve: 2.3 bar\n- Vessel: Mash vat 2; Max. steam: 2.5 bar; Valve: 2.8 bar",
      { title: "Brewhouse", headings: ["The vessels"] },
    );
    const of = async (question: string) => {
      const answer = await closestAnswer(question, undefined, [vats], { isMeant: true });
      return answer.type === "answer" ? answer.sentences.join(" ") : answer.type;
    };
    expect(await of("The mash vat is at 2 bar, okay?")).toMatch(/Mash vat \d/);
    expect(await of("The lauter vat is at 2 bar, okay?")).not.toMatch(/Mash vat \d/);
  });
});
