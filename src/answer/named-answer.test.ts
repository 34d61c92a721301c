/** What a heading or a label names, on documents that no yardstick has. */
import { describe, expect, it } from "vitest";
import { passage } from "../../test/support/fake-retrieval.js";
import type { Passage } from "../domain/passage.js";
import { closestAnswer } from "./closest-answer.js";

const swap = passage("swap", "1. Close the tap of the bottle.\n2. Undo the clamp.\n3. Fit the full bottle.", {
  title: "Bar",
  headings: ["Replacing the gas bottle"],
});
const dray = passage("dray", "1. Open the hatch.\n2. Roll the barrels down the skid.\n3. Sign the note.", {
  title: "Bar",
  headings: ["When the dray comes"],
});
const mishaps = passage(
  "mishaps",
  "Broken glass in the ice: melt all of it and scrub the well. Never scoop it. Tell the manager. Power cut: candles off the tables.",
  { title: "Bar", headings: ["Mishaps"] },
);

async function said(question: string, ...found: readonly Passage[]): Promise<string> {
  const answer = await closestAnswer(question, undefined, found, { isMeant: false });
  return answer.type === "answer" ? answer.sentences.join(" ") : "";
}

describe("steps that their heading names in other words", () => {
  it("are read whole", async () => {
    expect(await said("how do we swap the gas bottle", dray, swap)).toMatch(
      /Step 1: Close the tap.*Step 3: Fit/,
    );
  });

  it("are not read for another thing", async () => {
    expect(await said("how do we swap the beer filter", dray, swap)).not.toContain("Step");
  });
});

describe("what stands behind a label that names what happened", () => {
  it("is said to the end of its paragraph, a warning too, and no further than the next label", async () => {
    const text = await said("there's a smashed glass in the ice, what do I do", mishaps);
    expect(text).toMatch(/melt all of it.*Never scoop it.*Tell the manager\.$/);
  });
});
