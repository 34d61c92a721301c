import { describe, expect, it } from "vitest";
import { holdsDoubling } from "../../../test/support/doubling.js";
import { passage } from "../../../test/support/fake-retrieval.js";
import { passageUnits } from "../../extractive/passage-units.js";
import { closestUnit, isAmongClosest } from "./closest.js";

const alarm = passage(
  "alarm",
  "The alarm comes back after 20 minutes if the room is still too warm. Call maintenance on 210 then.",
  { title: "Cold room alarm" },
);
const parking = passage("parking", "Where do visitors park? Visitors leave their cars behind building B.", {
  title: "Parking",
});

const unitOf = async (question: string, prior?: string) => {
  const found = await closestUnit(question, prior, [alarm, parking]);
  return found && { text: found.units[found.index]!.text, probability: found.probability };
};

describe("closestUnit", () => {
  it.each([
    ["somebody came by car, where can they leave it", "Visitors leave their cars behind building B."],
    ["which number is it for maintenance", "Call maintenance on 210 then."],
  ])("finds in %j what is said in other words", async (question, text) => {
    expect((await unitOf(question))?.text).toBe(text);
  });

  it("finds nothing about another one of its name", async () => {
    expect(await unitOf("who maintains room 3")).toBeUndefined();
  });

  it("takes a question of a document for no answer", async () => {
    expect((await unitOf("Where do visitors park?"))?.text).toBe(
      "Visitors leave their cars behind building B.",
    );
  });

  it("knows less of what nothing is about", async () => {
    const [about, other] = [
      await unitOf("where do visitors leave their cars"),
      await unitOf("who won the cup"),
    ];
    expect(about!.probability).toBeGreaterThan(0.5);
    expect(other!.probability).toBeLessThan(0.2);
  });

  it("counts what was asked before", async () => {
    expect((await unitOf("and the cars?", "where do visitors go"))?.text).toContain("behind building B");
  });

  it.each(["", "?!", "is it"])("finds nothing in %j", async (question) => {
    expect(await unitOf(question)).toBeUndefined();
  });

  it("finds nothing where there is nothing to read", async () => {
    expect(await closestUnit("where do visitors park", undefined, [])).toBeUndefined();
  });
});

holdsDoubling("closestUnit by a question", (text) => closestUnit(text, undefined, [alarm, parking]), {
  charsMax: 4_000,
});
holdsDoubling(
  "closestUnit by a passage",
  (text) => closestUnit("where do cars park", undefined, [passage("one", text)]),
  {
    charsMax: 16_000,
  },
);

describe("isAmongClosest", () => {
  const crane = passage(
    "crane",
    "Keep 10 m away from a crane that moves. The danger zone is within 3 m of the hook.",
    { title: "Crane" },
  );
  const near = "how close to the hook counts as the danger zone";

  it.each([
    ["Keep 10 m away from a crane that moves.", false],
    ["The danger zone is within 3 m of the hook.", true],
  ])("of %j: %j", async (text, isAmong) => {
    const unit = passageUnits(crane).find((one) => one.text === text)!;
    expect(await isAmongClosest(unit, near, undefined, [crane])).toBe(isAmong);
  });

  it("counts no lead over nothing", async () => {
    const shop = passage("shop", "The shop is open from 7:00 to 18:00.", { title: "Shop" });
    const { probability } = (await closestUnit("how many dollars are in the safe", undefined, [shop]))!;
    expect(probability).toBeLessThan(0.35);
  });
});
