/** A model that says a right value of the wrong thing, a condition that only the question has, or a yes beyond a limit. */
import { describe, expect, test } from "vitest";
import { post } from "./doors/ask.js";
import { asked, type Invention, told } from "./invention.js";
import { packetsOf } from "./relay.js";
import type { World } from "./world.js";

const WASTE = `---
title: Laboratory waste
---
# Autoclaving

Dry waste is autoclaved for 2 hours at 121 degrees Celsius. Liquid waste is autoclaved for 1 hour at 121 degrees Celsius.

Bags are closed loosely.
`;

const TANK = `---
title: Tank entry
---
# Before entering

Oxygen is measured at the bottom of the tank. Do not enter below 19.5 percent of oxygen.
`;

const documents = { acme: { "waste.md": WASTE, "tank.md": TANK } };

const BAGS = { text: "Bags are closed loosely.", of: "Laboratory waste", quote: "Bags are closed loosely." };
const MEASURE = {
  text: "Oxygen is measured at the bottom of the tank.",
  of: "Tank entry",
  quote: "Oxygen is measured at the bottom of the tank.",
};

const INVENTIONS: readonly Invention[] = [
  {
    name: "the time of another kind of waste",
    question: "How are bags of dry waste autoclaved and closed?",
    claims: [
      BAGS,
      {
        text: "Dry waste is autoclaved for 1 hour.",
        of: BAGS.of,
        quote: "Liquid waste is autoclaved for 1 hour at 121 degrees Celsius.",
      },
    ],
    honest: ["closed loosely"],
    invented: ["1 hour", "one hour"],
  },
  {
    name: "a condition that only the question has",
    question: "How are bags autoclaved and closed in the summer?",
    claims: [
      BAGS,
      {
        text: "In the summer dry waste is autoclaved for 2 hours.",
        of: BAGS.of,
        quote: "Dry waste is autoclaved for 2 hours at 121 degrees Celsius.",
      },
    ],
    honest: ["closed loosely"],
    invented: ["summer dry"],
  },
  {
    name: "a yes beyond the limit",
    question: "The oxygen at the bottom of the tank is 18 percent. May I enter the tank?",
    claims: [
      MEASURE,
      {
        text: "Yes, you may enter the tank.",
        of: MEASURE.of,
        quote: "Do not enter below 19.5 percent of oxygen.",
      },
    ],
    honest: ["Oxygen is measured"],
    invented: ["Yes", "may enter"],
  },
];

/** Why the last claim was not said, as QA is told. */
async function reasonsFor({ question, claims }: Invention, world: World): Promise<readonly string[]> {
  const response = await post(world, "/api/v1/answers", { network: "acme", username: "bob", text: question });
  const body = (await response.json()) as { claims: readonly ToldClaim[] };
  const withheld = body.claims.find(({ text }) => text === claims.at(-1)!.text);
  expect(withheld).toMatchObject({ said: false });
  return withheld?.reasons.map(({ text }) => text) ?? [];
}

interface ToldClaim {
  readonly text: string;
  readonly said: boolean;
  readonly reasons: readonly { readonly text: string }[];
}

describe.each(["aligned", "quoted"] as const)("in %s mode", (mode) => {
  test.each(INVENTIONS)("$name is not said, and the reason is told", async (invention) => {
    for (const spoken of [false, true]) {
      const { world, ann } = await asked(invention, documents, mode, spoken);
      const words = told(world, ann);
      for (const honest of invention.honest) expect(words).toContain(honest);
      for (const invented of invention.invented) expect(words).not.toContain(invented);
      if (spoken) expect(packetsOf(ann.frames).length).toBeGreaterThan(0);
      else expect(await reasonsFor(invention, world)).toContainEqual(expect.stringMatching(/\w+ \w+ \w+/));
      await world.stop();
    }
  });
});
