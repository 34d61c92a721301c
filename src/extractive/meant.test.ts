/** Sentences that have the words of a question and speak of something else. */
import { describe, expect, it } from "vitest";
import { passage } from "../../test/support/fake-retrieval.js";
import type { Passage } from "../domain/passage.js";
import { extractAnswer } from "./extractive.js";

const section = (heading: string, text: string): Passage =>
  passage(heading, text, { documentId: "Mine", title: "Slate mine", headings: [heading] });

const said = async (question: string, ...passages: readonly Passage[]) => {
  const answer = await extractAnswer(question, undefined, passages, {});
  return answer.type === "answer" ? answer.sentences.join(" ") : answer.type;
};

describe("what must not be done", () => {
  const SHAFT = section(
    "Main shaft",
    "The main shaft is 90 m deep.\n\nDo:\n\n- Wear a lamp.\n- Count your team.\n\nNot allowed:\n\n- Metal ladders.\n- Open flames.",
  );

  it("is told by what forbids, as a whole", async () => {
    expect(await said("What must I not do in the main shaft?", SHAFT)).toBe(
      "Not allowed: Metal ladders. Open flames.",
    );
    expect(await said("What am I not allowed to do in the main shaft?", SHAFT)).toMatch(
      /^Not allowed: Metal/,
    );
    expect(
      await said("What mustn't I do in the main shaft?", section("Main shaft", "The main shaft is deep.")),
    ).toBe("none");
  });
});

describe("an amount that the question gives", () => {
  const WATER = section(
    "Pumping",
    "Pit water goes to the river only below 20 °C. " +
      "The dust must be below 3 mg/m3, or the pit water runs. The river is 25 m wide, and 9 m deep.",
  );

  it("is answered by the limit of what it is of", async () => {
    expect(await said("May pit water go to the river at 25 °C?", WATER)).toMatch(/^Pit water/);
    expect(await said("May pit water run at 9 mg/m3?", WATER)).not.toMatch(/dust/);
  });
});

describe("a value that the question states", () => {
  const BATHS = section(
    "Plating baths",
    "- Bath: Nickel 1; Max. temperature: 62 °C; Max. current: 40 A\n" +
      "- Bath: Nickel 2; Max. temperature: 55 °C; Max. current: 60 A\n\n" +
      "On Fridays take 10 A off.",
  );
  const HOOD = section(
    "Fume hood",
    "The hood must not run when the draught is below 0.4 m/s. Alarm at 0.3 m/s, trip at 0.2 m/s.",
  );
  const PIT = section(
    "Acid pit",
    "Nobody climbs into the pit alone. Entry into the pit needs a rope. Entry is forbidden if oxygen is below 20.5 %.",
  );

  it.each([
    ["The nickel 2 bath is showing 58 degrees, fine?", /^Bath: Nickel 2; Max. temperature: 55 °C/],
    ["The draught is 35 centimetres a second, can I start the hood?", /below 0.4 m\/s. Alarm at 0.3 m\/s/],
    ["The draught in the hood is 0.35, okay?", /below 0.4 m\/s. Alarm at 0.3 m\/s/],
    ["Draught is 0.3 metres, can I keep going?", /below 0.4 m\/s/],
    ["Oxygen in the pit reads 20.1, may I climb in?", /oxygen is below 20.5 %/],
  ])("is answered by the limit that it is held against: %s", async (question, limit) => {
    expect(await said(question, BATHS, HOOD, PIT)).toMatch(limit);
  });

  it("is held against an age where it has no unit", async () => {
    const LIFT = section("Lift", "Children under 12 years do not ride in the lift. It carries 3 t.");
    expect(await said("The child is ten, may she ride in the lift?", LIFT)).toMatch(
      /^Children under 12 years/,
    );
  });

  it("is told what else the question names and changes or forbids", async () => {
    expect(await said("The nickel 1 bath is at 35 amps on Friday, alright?", BATHS)).toMatch(
      /^Bath: Nickel 1; .* On Fridays take 10 A off\.$/,
    );
    expect(await said("Oxygen in the pit is 21 percent, may I climb in by myself?", PIT)).toMatch(
      /^Nobody climbs into the pit alone\./,
    );
  });

  it.each([
    "The nickel 3 bath is at 58 degrees, fine?",
    "The temperature in the office is 30 degrees, may I go home?",
    "The acid bottle shows 7 bar, is that okay?",
    "The bath is 80 km from here, okay?",
    "Can the hood start at seven?",
  ])("is held against no limit of something else: %s", async (question) => {
    expect(await said(question, BATHS, HOOD, PIT)).toBe("none");
  });
});

describe("a code in a heading", () => {
  const BELT = section(
    "Belt slips (code E44)",
    "Stop the belt. Look at the drum. If it is wet, dry it before you start again.",
  );

  it.each(["What does E44 mean?", "E44, what now?", "Error E44 came up", "E44"])(
    "is answered by all that stands under it: %s",
    async (question) => {
      expect(await said(question, BELT)).toBe(
        "Stop the belt. Look at the drum. If it is wet, dry it before you start again.",
      );
      expect(await said(question.replace("E44", "E45"), BELT)).toBe("none");
    },
  );
});

describe("what has happened", () => {
  const CART = section(
    "Ore cart",
    "Brake on, tip lever up. Check the wheels daily. A cart that derailed stays where it is.",
  );
  const GAS = section(
    "Gas bottle",
    "Changing the bottle:\n\n1. Close the tap.\n2. Look for a leak with soap.\n3. Fit the cap.",
  );

  it("is not answered by what is done before it", async () => {
    expect(await said("the ore cart tipped over", CART)).toBe("none");
    expect(await said("the ore cart derailed", CART)).toBe("A cart that derailed stays where it is.");
    expect(await said("gas bottle leak", GAS)).toBe("none");
    expect(await said("What do I do about a gas bottle leak?", GAS)).toBe("none");
    expect(await said("What are the steps for a gas bottle leak?", GAS)).toBe("none");
  });
});

describe("a row of a table", () => {
  const DRILLS = section(
    "Drill rods",
    "- Rock: Soft slate; Rod: long; Force: 20 kN\n- Rock: Granite vein; Rod: short; Force: 45 kN\n- Rock: Chalk; Rod: none; Force: 5 kN",
  );

  it("does not answer for another one that the question names", async () => {
    expect(await said("What force for granite with a long rod?", DRILLS)).toContain("45 kN");
  });

  it("tells that there is none of what is asked about", async () => {
    expect(await said("How long is the rod for chalk?", DRILLS)).toBe("Rock: Chalk; Rod: none.");
  });

  it("is asked about where its section tells the rest", async () => {
    const ROPES = section(
      "Ropes of the winch",
      "- Item: Grease change; A1: 200 h\n- Item: Grease type; A1: G46",
    );
    expect(await said("Which grease does winch A1 take?", ROPES)).toBe("several");
  });
});

describe("a sentence that denies all that is asked about", () => {
  const YARD = section(
    "Yard",
    "Wash the blocks on day 6 for export. Cracked blocks are not washed. Roofing is dried for 3 hours.",
  );

  it("answers when it is done, or how long", async () => {
    expect(await said("When do I wash cracked blocks?", YARD)).toBe("Cracked blocks are not washed.");
    expect(await said("How long do I wash cracked blocks?", YARD)).toBe("Cracked blocks are not washed.");
    expect(await said("On which day do I wash cracked blocks?", YARD)).toBe("Cracked blocks are not washed.");
    expect(await said("When do I wash the export blocks?", YARD)).toContain("day 6");
  });
});
