import { describe, expect, it } from "vitest";
import { holdsDoubling } from "../../test/support/doubling.js";
import { passage } from "../../test/support/fake-retrieval.js";
import type { Passage } from "../domain/passage.js";
import { extractAnswer } from "./extractive.js";
import { withNumbers } from "./named-numbers.js";

const section = (heading: string, text: string): Passage =>
  passage(heading, text, { documentId: "Mine", title: "Pottery", headings: [heading] });

const HOISTS = section(
  "Hoists",
  "- Hoist 1 carries 3.2 t\n- Hoist 2 carries 4.0 t\n- Hoist 3 carries 1.5 t\n\n" +
    "Glazed ware goes on hoist 1 or hoist 3 only. Take 10 kg off in frost.",
);
const KILNS = section(
  "Kilns",
  "- Oven: KN1; Highest heat: 900 °C; Door seal: rope\n- Oven: KN2; Highest heat: 1,100 °C; Door seal: felt",
);
const CARTS = section(
  "Carts and trolleys",
  "- Machine: Cart T1 (Bull); Load: 90 kg\n- Machine: Cart T2 (Ox); Load: 140 kg\n- Machine: Trolley R5; Load: 60 kg\n\n" +
    "Pumps P1 and P2 drain the pit. Racks 1 and 2 hold 40 kg, rack 3 holds 25 kg.",
);
const ALL = [HOISTS, KILNS, CARTS];

const said = async (question: string) => {
  const answer = await extractAnswer(withNumbers(question, ALL), undefined, ALL, {});
  return answer.type === "answer" ? answer.sentences.join(" ") : answer.type;
};

describe("a number behind the word for a thing", () => {
  it.each([
    ["What may hoist three carry?", "What may hoist 3 carry?"],
    ["What may hoist number two carry?", "What may hoist 2 carry?"],
    ["Which heat may kiln two have?", "Which heat may kiln KN2 have?"],
    ["Which heat may oven 2 have?", "Which heat may oven KN2 have?"],
    ["Which heat may KN two have?", "Which heat may KN2 have?"],
    ["Load of cart two?", "Load of cart T2?"],
    ["Load of trolley five?", "Load of trolley R5?"],
    ["When does pump two drain?", "When does pump 2 drain?"],
  ])("is read in %j as the documents write it", (question, meant) => {
    expect(withNumbers(question, ALL)).toBe(meant);
  });

  it.each([
    ["Load of cart three?", "Load of cart 3?"],
    ["Load of trolley two?", "Load of trolley 2?"],
    ["Load of cart two hundred?", "Load of cart 200?"],
    ["Load of cart twenty-two?", "Load of cart 22?"],
    ["Which heat may kiln nine have?", "Which heat may kiln 9 have?"],
  ])("stays another one in %j, which nothing is called", (question, meant) => {
    expect(withNumbers(question, ALL)).toBe(meant);
  });

  it.each([
    "Can a hoist two metres wide pass?",
    "Do we take two people?",
    "Do I call one one two?",
    "Is the lamp on for three hours?",
    "Who looks after bench four?",
  ])("is none in %j", (question) => {
    expect(withNumbers(question, ALL)).toBe(question);
  });
});

describe("things of one kind", () => {
  it("are none of what is so many degrees below zero", async () => {
    const GLAZES = section("Glazes", "Drying time at minus 3 °C: 75 minutes in frost, 35 minutes in snow.");
    const answer = await extractAnswer("How long does it dry in snow at minus 3?", undefined, [GLAZES], {});
    expect(answer).toMatchObject({ type: "answer" });
  });

  it("are answered for by the one that is asked about", async () => {
    expect(await said("What may hoist three carry?")).toContain("Hoist 3 carries 1.5 t");
    expect(await said("Highest heat of kiln two?")).toBe("Oven: KN2; Highest heat: 1,100 °C.");
    expect(await said("Load of cart two?")).toBe("Machine: Cart T2 (Ox); Load: 140 kg.");
    expect(await said("What does rack two hold?")).toContain("Racks 1 and 2 hold 40 kg");
  });

  it("do not answer for one that there is not", async () => {
    for (const question of [
      "What may hoist six carry?",
      "Highest heat of kiln three?",
      "Load of cart five?",
      "What does rack four hold?",
    ])
      expect(await said(question)).toBe("none");
  });

  it("answer for one that they exclude", async () => {
    expect(await said("Can I put glazed ware on hoist two?")).toContain("hoist 1 or hoist 3 only");
  });
});

holdsDoubling("withNumbers by a question", (text) => withNumbers(text, ALL), { charsMax: 4_000 });
holdsDoubling("withNumbers by a passage", (text) => withNumbers("Load of cart two?", [section("A", text)]), {
  charsMax: 16_000,
});
