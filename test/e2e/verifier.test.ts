/** A second reader over the wire: what it denies reaches nobody, what the rules refuse stays refused, and its faults change nothing. */
import { describe, expect, test } from "vitest";
import {
  type ChatReply,
  cutReply,
  errorReply,
  hangReply,
  searchReply,
  speechReply,
  textReply,
} from "../support/openai-replies.js";
import { VirtualClock } from "../support/virtual-clock.js";
import { told } from "./invention.js";
import { lastContent } from "./script.js";
import { World } from "./world.js";

const documents = {
  acme: {
    "cold-room.md": `---
title: Cold room rules
---
# Doors

The cold room door may stay open for at most 10 minutes. The alarm sounds at 8 degrees Celsius.

Only the shift lead may reset the alarm.
`,
    "press.md": `---
title: Press lockout
---
# Lock out the press

1. Switch the press off at the main switch.
2. Hang the red padlock on the main switch.
3. Try to start the press, which must not start.
`,
  },
};

const DOOR = "The cold room door may stay open for 10 minutes at most.";
const ALARM = "The alarm sounds at 8 degrees Celsius.";
const STEPS = [
  "Switch the press off at the main switch.",
  "Hang the red padlock on the main switch.",
  "Try to start the press, which must not start.",
];
const YES = textReply('{"says": true}');
const NO = textReply('{"says": false}');

const RULES = "What are the rules for the cold room door and alarm?";

interface Asked {
  readonly question?: string;
  readonly sentences: readonly string[];
  readonly says: (sentence: string) => ChatReply;
  readonly spoken: boolean;
}

/** One model that writes, and one that verifies. */
async function worldOf({ question = RULES, says, sentences }: Asked, clock = new VirtualClock()) {
  const verified: string[] = [];
  let isAsked = () => {};
  const asking = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const world = await World.start({
    documents,
    clock,
    config: { "llm.verifier.model": "second", "retrieval.speculate": false },
    respond: {
      chat: ({ body }) => {
        if (body.model === "second") {
          const { sentence } = JSON.parse(lastContent(body, "user"));
          verified.push(sentence);
          isAsked();
          return says(sentence);
        }
        if (body.tool_choice === "required") return searchReply(question);
        return textReply(sentences.map((sentence) => `${sentence}\n`));
      },
      speech: () => speechReply({ packets: 2 }),
    },
  });
  const ann = (await world.relay()).user("acme", "ann");
  return { ann, asking, clock, verified, world };
}

/** All that the user is told. */
async function asked(script: Asked) {
  const { ann, verified, world } = await worldOf(script);
  if (script.spoken) ann.askAloud(script.question ?? RULES);
  else ann.ask(script.question ?? RULES);
  await ann.answered();
  const { outcome } = await world.happened("answer_inspected");
  const texts = ann.frames.flatMap(({ json }) => (typeof json?.text === "string" ? [json.text] : []));
  return { world, ann, outcome, verified, heard: texts.join("\n") };
}

describe.each([
  ["as text", false],
  ["aloud", true],
])("a second reader, %s", (_, spoken) => {
  test("lets pass what it does not deny", async () => {
    const { heard, outcome, verified, world } = await asked({
      sentences: [DOOR, ALARM],
      says: () => YES,
      spoken,
    });
    expect(heard).toContain(`${DOOR} ${ALARM}`);
    expect([outcome, verified]).toEqual(["answered", [DOOR]]);
    await world.metricBecomes('readback_sentences_verified_total{result="yes"}', (count) => count === 1);
    const tokens =
      'readback_model_tokens_total{slot="verifier",model="second",network="acme",direction="input"}';
    expect(await world.metric(tokens)).toBe(100);
  });

  test("withholds what it denies", async () => {
    const { heard, outcome } = await asked({ sentences: [DOOR, ALARM], says: () => NO, spoken });
    expect(heard).not.toContain("10 minutes");
    expect(heard).toContain(ALARM);
    expect(outcome).toBe("partial");
  });

  test("withholds all steps where it denies one", async () => {
    const { heard, outcome, verified } = await asked({
      question: "How do I lock out the press?",
      sentences: STEPS.map((step, i) => `${i + 1}. ${step}`),
      says: (sentence) => (sentence.includes("padlock") ? NO : YES),
      spoken,
    });
    expect(verified).toHaveLength(3);
    expect(heard).toContain("Press lockout");
    for (const step of STEPS) expect(heard).not.toContain(step);
    expect(outcome).toBe("partial");
  });

  test("is not asked about a wrong number, and its yes would not count", async () => {
    const wrong = "The cold room door may stay open for 15 minutes at most.";
    const { ann, heard, verified, world } = await asked({
      sentences: [wrong, ALARM],
      says: () => YES,
      spoken,
    });
    expect(verified).toEqual([]);
    expect(told(world, ann)).not.toContain("15");
    expect(heard).toContain(ALARM);
  });

  test.each([
    ["writes nonsense", textReply("I would say so.")],
    ["repeats what it is asked", textReply(DOOR)],
    ["fails", errorReply(500)],
    ["hangs up", cutReply],
  ])("that %s changes nothing, and is not heard", async (_what, reply) => {
    const { heard, outcome, world } = await asked({ sentences: [DOOR, ALARM], says: () => reply, spoken });
    expect(heard).toContain(`${DOOR} ${ALARM}`);
    expect(heard).not.toContain("I would say so");
    expect(outcome).toBe("answered");
    expect(world.eventsOf("sentence_verified").map(({ result }) => result)).toEqual(["not_in_time"]);
  });
});

test("a second reader that is silent has its time and no more", async () => {
  const script = { sentences: [DOOR, ALARM], says: () => hangReply, spoken: false };
  const { ann, asking, clock, world } = await worldOf(script);
  ann.ask(RULES);
  await asking;
  await clock.advance(1_499);
  expect(world.eventsOf("turn_finished")).toEqual([]);
  await clock.advance(1);
  await ann.answered();
  expect(world.eventsOf("sentence_verified")).toMatchObject([{ result: "not_in_time", ms: 1_500 }]);
});
