import { describe, expect, it } from "vitest";
import { passage } from "../../test/support/fake-retrieval.js";
import { respelled } from "./spelling.js";

const FIRE = passage("fire", "The fire extinguisher hangs beside the green door.", { title: "Fire" });
const GIFTS = passage("gifts", "Gift cards are not taken back. The store opens at nine.", {
  title: "Refunds",
});
const DATEN = passage("ofen", "Der Feuerlöscher hängt neben der Backstube.", { title: "Brandschutz" });
const PASSAGES = [FIRE, GIFTS, DATEN];

describe("respelled", () => {
  it.each([
    ["Where is the fire extingusher?", "Where is the fire extinguisher?"],
    ["Where is the exitnguisher?", "Where is the extinguisher?"],
    ["Do you take back gift crads?", "Do you take back gift cards?"],
    ["Wo ist der Feuerlöscer?", "Wo ist der feuerlöscher?"],
  ])("%s: %s", (question, meant) => expect(respelled(question, PASSAGES)).toBe(meant));

  it.each([
    "Where is the fire extinguisher?",
    // A short word is another word, unless it stands where its like does.
    "Where do I keep the crads?",
    "Where do I open the oven?",
    // Nobody mistypes a number for another one.
    "Where is the gift card 417?",
    // A word of English.
    "What happens to stolen goods?",
    "",
  ])("%j is left as it is", (question) => expect(respelled(question, PASSAGES)).toBe(question));

  it("looks at nothing but what was found", () => {
    expect(respelled("Where is the fire extingusher?", [GIFTS])).toBe("Where is the fire extingusher?");
    expect(respelled("Where is the fire extingusher?", [])).toBe("Where is the fire extingusher?");
  });
});
