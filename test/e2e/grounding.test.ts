/** A model that invents: none of it reaches the relay, and the honest part of its answer does. */
import { describe, expect, test } from "vitest";
import { asked as askedOf, type Invention, told } from "./invention.js";
import { packetsOf } from "./relay.js";

const COLD_ROOM = `---
title: Cold room rules
---
# Doors

The cold room door may stay open for at most 10 minutes. Never block the fan. The alarm sounds at 8 degrees Celsius.

Only the shift lead may reset the alarm.
`;

const PRESS = `---
title: Press lockout
revision: 2026-03
---
# Lock out the press

1. Switch the press off at the main switch.
2. Hang the red padlock on the main switch.
3. Try to start the press, which must not start.

Never remove the padlock of another person.
`;

const documents = { acme: { "cold-room.md": COLD_ROOM, "press.md": PRESS } };

const asked = (invention: Invention, mode: "aligned" | "quoted", spoken: boolean) =>
  askedOf(invention, documents, mode, spoken);

const OPEN = {
  text: "The cold room door may stay open for at most 10 minutes.",
  of: "Cold room rules",
  quote: "The cold room door may stay open for at most 10 minutes.",
};
const STEPS = [
  "Switch the press off at the main switch.",
  "Hang the red padlock on the main switch.",
  "Try to start the press, which must not start.",
];
const step = (text: string, i: number) => ({ text: `${i + 1}. ${text}`, of: "Press lockout", quote: text });

const INVENTIONS: readonly Invention[] = [
  {
    name: "a wrong number",
    question: "What are the rules for the cold room door and alarm?",
    claims: [
      OPEN,
      {
        text: "The alarm sounds at 18 degrees Celsius.",
        of: OPEN.of,
        quote: "The alarm sounds at 18 degrees Celsius.",
      },
    ],
    honest: ["at most 10 minutes"],
    invented: ["18"],
  },
  {
    name: "a number whose quote is right",
    question: "What are the rules for the cold room door and alarm?",
    claims: [
      OPEN,
      {
        text: "The alarm sounds at 80 degrees Celsius.",
        of: OPEN.of,
        quote: "The alarm sounds at 8 degrees Celsius.",
      },
    ],
    honest: ["at most 10 minutes"],
    invented: ["80"],
  },
  {
    name: "a dropped not",
    question: "What are the rules for the cold room door and fan?",
    claims: [OPEN, { text: "You can block the fan.", of: OPEN.of, quote: "block the fan" }],
    honest: ["at most 10 minutes"],
    invented: ["block the fan"],
  },
  {
    name: "another person in charge",
    question: "What are the rules for the cold room door, and who may reset the alarm?",
    claims: [
      OPEN,
      {
        text: "Anybody may reset the alarm.",
        of: OPEN.of,
        quote: "Only the shift lead may reset the alarm.",
      },
    ],
    honest: ["at most 10 minutes"],
    invented: ["Anybody"],
  },
  {
    name: "an invented source",
    question: "What are the rules for the cold room door?",
    claims: [
      OPEN,
      {
        text: "According to the Miller report of 2019 the door must be painted green.",
        of: OPEN.of,
        quote: "the door must be painted green",
      },
    ],
    honest: ["at most 10 minutes"],
    invented: ["Miller", "green"],
  },
  {
    name: "an invented step",
    question: "How do I lock out the press?",
    claims: [...STEPS.slice(0, 2), "Drain the hydraulic oil into a bucket.", STEPS[2]!].map(step),
    // With one step that nobody wrote, none is read out; what is said names the document.
    honest: ["Press lockout"],
    invented: ["Drain", "oil", "bucket", "red padlock"],
  },
  {
    name: "steps in another order",
    question: "How do I lock out the press?",
    claims: [STEPS[1]!, STEPS[0]!, STEPS[2]!].map(step),
    honest: ["Press lockout"],
    invented: ["red padlock"],
  },
  {
    name: "a step left out",
    question: "How do I lock out the press?",
    claims: [step(STEPS[0]!, 0), step(STEPS[2]!, 2)],
    honest: ["Press lockout"],
    invented: ["Try to start"],
  },
];

describe.each(["aligned", "quoted"] as const)("in %s mode", (mode) => {
  test.each(INVENTIONS)("$name is not said", async (invention) => {
    for (const spoken of [false, true]) {
      const { world, ann } = await asked(invention, mode, spoken);
      const words = told(world, ann);
      for (const honest of invention.honest) expect(words).toContain(honest);
      for (const invented of invention.invented) expect(words).not.toContain(invented);
      if (spoken) expect(packetsOf(ann.frames).length).toBeGreaterThan(0);
      await world.stop();
    }
  });
});

test("what holds is said whole, warning first", async () => {
  const whole = {
    name: "",
    question: "How do I lock out the press?",
    claims: STEPS.map(step),
    honest: [],
    invented: [],
  };
  const { world, ann } = await asked(whole, "aligned", false);
  expect(told(world, ann)).toBe(
    `Never remove the padlock of another person. ${STEPS.map((text, i) => `${i + 1}. ${text}`).join(" ")}`,
  );
});
