import { describe, expect, it } from "vitest";
import { passage } from "../../test/support/fake-retrieval.js";
import { english } from "../../test/support/locales.js";
import { phrasesFor } from "../answer/phrases.js";
import type { DraftEnd, DraftEvent } from "../capability/draft.js";
import type { Answer } from "../domain/answer.js";
import type { Passage } from "../domain/passage.js";
import type { TurnEvent } from "../domain/turn.js";
import { Gate } from "./gate.js";

const phrases = phrasesFor("default", english);
const coldRoom = passage(
  "cold",
  "The cold room door may stay open for at most 10 minutes. The alarm sounds at 8 degrees Celsius. Only the shift lead resets the alarm.",
  { title: "Cold room rules", headings: ["Doors"] },
);
const press = passage(
  "press",
  "1. Switch the press off at the main switch.\n2. Hang the red padlock on the main switch.\n3. Try to start the press.\n\nNever remove the padlock of another person.\n",
  { title: "Press lockout", headings: ["Lock out the press"] },
);

const text = (words: string): DraftEvent => ({ type: "text", text: words });
const end = (more: Partial<DraftEnd> = {}): DraftEvent => ({
  type: "end",
  searched: "found",
  degraded: false,
  ...more,
});

interface Gated {
  readonly text: string;
  readonly answer: Answer;
  readonly events: readonly TurnEvent[];
  /** Times that the gate said that the first word has to wait. */
  readonly holds: number;
}

async function gated(
  passages: readonly Passage[],
  drafts: readonly DraftEvent[],
  question = "What are the rules for the cold room door and the alarm?",
  earlyClause = false,
): Promise<Gated> {
  let holds = 0;
  const gate = new Gate(
    {
      question,
      persona: "default",
      phrases,
      route: { route: "knowledge", layer: "default", confidence: 1 },
      earlyClause,
    },
    () => 0,
    () => {
      holds += 1;
    },
  );
  const events: TurnEvent[] = [];
  const all = async function* () {
    yield { type: "passages", passages } as const;
    yield* drafts;
  };
  for await (const event of gate.run(all())) events.push(event);
  const last = events.at(-1);
  if (last?.type !== "answer") throw new Error("there is no answer");
  const said = events.map((event) => (event.type === "text" ? event.text : "")).join("");
  return { text: said.trimEnd(), answer: last.answer, events, holds };
}

describe("sentences that hold", () => {
  it("pass one by one, as they are written", async () => {
    const gate = await gated(
      [coldRoom],
      [
        text("The door may stay open for at most 10 "),
        text("minutes. The alarm sounds at 8 degrees"),
        text(" Celsius."),
        end(),
      ],
    );
    expect(gate.events.map(({ type }) => type)).toEqual(["passages", "text", "text", "answer"]);
    expect(gate.holds).toBe(0);
    expect(gate.text).toBe(
      "The door may stay open for at most 10 minutes. The alarm sounds at 8 degrees Celsius.",
    );
    expect(gate.answer).toMatchObject({
      outcome: "answered",
      text: gate.text,
      uncertainties: [],
      claims: [
        {
          verdict: "supported",
          said: true,
          evidence: [
            { type: "passage", source: "cold", value: expect.stringContaining("at most 10 minutes") },
          ],
        },
        { verdict: "supported", said: true },
      ],
    });
    expect(gate.answer.confidence).toBeGreaterThan(0.5);
  });

  it("are read for what they say, not for their marks", async () => {
    const { answer } = await gated(
      [coldRoom],
      [text("**The alarm sounds at 8 degrees Celsius.** [1]"), end()],
    );
    expect(answer).toMatchObject({ outcome: "answered", spoken: "The alarm sounds at 8 degrees Celsius." });
  });
});

describe("sentences that do not hold", () => {
  it("are left out, and that is said", async () => {
    const { answer, text: said } = await gated(
      [coldRoom],
      [text("The alarm sounds at 8 degrees Celsius. The door may stay open for at most 30 minutes."), end()],
    );
    expect(said).toBe(`The alarm sounds at 8 degrees Celsius. ${phrases.restNotCovered}`);
    expect(answer).toMatchObject({
      outcome: "partial",
      claims: [{ said: true }, { said: false, verdict: "contradicted" }],
      uncertainties: [{ reason: "unverified_number", suggestion: "Read Cold room rules, Doors." }],
    });
  });

  it("leave nothing but the fixed phrase when there are no others", async () => {
    const { answer, text: said } = await gated([coldRoom], [text("The moon is made of cheese."), end()]);
    expect(said).toBe(phrases.notInDocuments);
    expect(answer).toMatchObject({ outcome: "not_in_documents", claims: [{ said: false }] });
    expect(answer.uncertainties[0]).toMatchObject({
      reason: "no_data",
      claim: "What are the rules for the cold room door and the alarm?",
    });
  });

  it("sound exactly like a forbidden document and like no document at all", async () => {
    const none = await gated([], [text("I can't find that in your documents."), end()]);
    const invented = await gated([], [text("The door is green."), end()]);
    expect([none.text, invented.text]).toEqual([phrases.notInDocuments, phrases.notInDocuments]);
  });
});

describe("steps and warnings", () => {
  const steps = [
    "1. Switch the press off at the main switch.",
    "2. Hang the red padlock on the main switch.",
    "3. Try to start the press.",
  ];
  const question = "How do I lock out the press?";

  it("wait for the last of them, and come with the warning that was left out", async () => {
    const {
      text: said,
      events,
      holds,
    } = await gated([press], [...steps.map((step) => text(`${step}\n`)), end()], question);
    expect(said).toBe(["Never remove the padlock of another person.", ...steps].join(" "));
    expect(events.map(({ type }) => type).slice(0, 2)).toEqual(["passages", "text"]);
    expect(holds).toBe(1);
  });

  it("are not said when the writer broke off among them", async () => {
    const { text: said, answer } = await gated(
      [press],
      [
        ...steps.slice(0, 2).map((step) => text(`${step}\n`)),
        { type: "cut" },
        { type: "phrase", text: phrases.restIsLost },
        end({ degraded: true, outcome: "partial" }),
      ],
      question,
    );
    expect(said).toBe(phrases.restIsLost);
    expect(answer.outcome).toBe("partial");
    expect(answer.claims.map((claim) => claim.said)).toEqual([false]);
  });

  it.each([
    ["one is invented", [steps[0]!, steps[1]!, "3. Drain the oil.", "4. Try to start the press."]],
    ["their order is another", [steps[1]!, steps[0]!, steps[2]!]],
    ["one is missing", [steps[0]!, steps[2]!]],
    ["a warning is wrong", [...steps, "Remove the padlock of another person."]],
  ])("are refused altogether when %s", async (_, written) => {
    const { text: said, answer } = await gated(
      [press],
      [...written.map((step) => text(`${step}\n`)), end()],
      question,
    );
    expect(said).toBe(phrases.procedureRefused("Press lockout, Lock out the press"));
    expect(answer.claims.every((claim) => !claim.said)).toBe(true);
    expect(answer.outcome).not.toBe("answered");
  });
});

describe("the other outcomes", () => {
  it("is ambiguous when all that is written is a question back", async () => {
    const { answer, text: said } = await gated(
      [coldRoom, press],
      [text("Do you mean the cold room or the press?"), end()],
      "What about the alarm of the room or the press?",
    );
    expect(said).toBe("Do you mean the cold room or the press?");
    expect(answer).toMatchObject({ outcome: "ambiguous", uncertainties: [{ reason: "ambiguous_question" }] });
  });

  it("tells a search that failed from one that found nothing", async () => {
    const { answer, text: said } = await gated(
      [],
      [text("I can't search now."), end({ searched: "unavailable" })],
    );
    expect(said).toBe(phrases.searchUnavailable);
    expect(answer).toMatchObject({ outcome: "search_unavailable", confidence: 0 });
  });

  it("says so when two documents that hold disagree", async () => {
    const other = passage("fridge", "The cold room door may stay open for at most 20 minutes.", {
      title: "Fridge manual",
    });
    const { answer, text: said } = await gated(
      [coldRoom, other],
      [text("The cold room door may stay open for at most 10 minutes."), end()],
      "How long may the cold room door stay open?",
    );
    expect(answer).toMatchObject({
      outcome: "conflicting",
      uncertainties: [{ reason: "conflicting_documents" }, {}],
    });
    expect(said).toContain("Fridge manual says: The cold room door may stay open for at most 20 minutes.");
    expect(said).toContain("at most 10 minutes");
  });

  it("is partial when the writer broke off: the sentence that is not finished is not said", async () => {
    const { text: said, answer } = await gated(
      [coldRoom],
      [
        text("The alarm sounds at 8 degrees Celsius. Only the shift lead resets the alarm, and you may"),
        { type: "cut" },
        { type: "phrase", text: phrases.restIsLost },
        end({ degraded: true, outcome: "partial" }),
      ],
    );
    expect(said).toBe(`The alarm sounds at 8 degrees Celsius. ${phrases.restIsLost}`);
    expect(answer).toMatchObject({ outcome: "partial", degraded: true });
  });

  it("is small talk when nothing is claimed", async () => {
    const { answer, text: said } = await gated(
      [],
      [text("You're welcome!"), end({ searched: "not_needed" })],
      "Thanks!",
    );
    expect(said).toBe("You're welcome!");
    expect(answer.outcome).toBe("answered");
  });
});

it("counts nothing of what was taken back", async () => {
  const gate = new Gate(
    {
      question: "?",
      persona: "default",
      phrases,
      route: { route: "knowledge", layer: "default", confidence: 1 },
    },
    () => 0,
  );
  const events: TurnEvent[] = [];
  const drafts = async function* (): AsyncGenerator<DraftEvent> {
    yield { type: "passages", passages: [coldRoom] };
    yield text("The door is green. The alarm sou");
    gate.rewind();
    yield text("The alarm sounds at 8 degrees Celsius.");
    yield end();
  };
  for await (const event of gate.run(drafts())) events.push(event);
  expect(events.at(-1)).toMatchObject({ answer: { outcome: "answered", claims: [{ said: true }] } });
});

describe("a question about a revision that does not hold any more", () => {
  const current = { ...coldRoom, revision: "3", supersedes: ["2", "1"] };

  it("is answered from the one that does, and told so first", async () => {
    const { answer, text: said } = await gated(
      [current],
      [text("The alarm sounds at 8 degrees Celsius. Only the shift lead resets the alarm."), end()],
      "When does the alarm sound in revision 2 of the rules?",
    );
    expect(said).toBe(
      "Cold room rules, revision 2 does not hold any more. This is from Cold room rules, revision 3. " +
        "The alarm sounds at 8 degrees Celsius. Only the shift lead resets the alarm.",
    );
    expect(answer).toMatchObject({
      outcome: "conflicting",
      uncertainties: [
        { reason: "superseded_revision", suggestion: "Read Cold room rules, Doors, revision 3." },
      ],
    });
  });

  it("is not in the documents when nothing of the answer holds", async () => {
    const { answer } = await gated(
      [current],
      [text("The door must be painted green."), end()],
      "Which colour had the door in revision 2?",
    );
    expect(answer).toMatchObject({ outcome: "not_in_documents", text: phrases.notInDocuments });
  });
});

describe("advice beside a refusal", () => {
  it.each([
    { searched: "found", outcome: "not_in_documents", says: phrases.notInDocuments },
    { searched: "unavailable", outcome: "search_unavailable", says: phrases.searchUnavailable },
  ] as const)("is no procedure to confirm: $outcome", async ({ searched, outcome, says }) => {
    for (const passages of [[], [press]]) {
      const draft = [text("I can't find that in your documents. Ask your shift lead."), end({ searched })];
      const { answer } = await gated(passages, draft, "How do I paint the roof?");
      expect(answer).toMatchObject({ outcome, text: says });
    }
  });
});

describe("the first clause", () => {
  const rules = passage(
    "rules",
    "If the alarm sounds twice, all people leave the cold room at once. The door may stay open for 10 minutes.",
    { title: "Cold room rules" },
  );
  const told = async (passages: readonly Passage[], drafts: readonly DraftEvent[], earlyClause = true) => {
    const { events } = await gated(passages, [...drafts, end()], "What if the alarm sounds?", earlyClause);
    return events.flatMap((event) =>
      event.type === "clause" || event.type === "text" ? [`${event.type}: ${event.text}`] : [],
    );
  };
  const written = [
    text("If the alarm "),
    text("sounds twice, all"),
    text(" people leave the cold room at once. The door, if needed by all, may stay open for 10 minutes."),
  ];
  const sentence = "text: If the alarm sounds twice, all people leave the cold room at once. ";

  it("is told before its sentence, once, and no other is", async () => {
    const [first, second, ...rest] = await told([rules], written);
    expect(first).toBe("clause: If the alarm sounds twice, ");
    expect(second).toBe(sentence);
    expect(rest.filter((one) => one.startsWith("clause"))).toEqual([]);
  });

  it("is told of a sentence that turns out not to hold, of which nothing else is told", async () => {
    const wrong = [
      text("If the alarm sounds twice, "),
      text("all people stay in the cold room for 3 hours."),
    ];
    const parts = await told([rules], wrong);
    expect(parts[0]).toBe("clause: If the alarm sounds twice, ");
    expect(parts.slice(1).join(" ")).not.toMatch(/alarm|stay/);
  });

  it("is not told where nobody can make use of it", async () => {
    expect((await told([rules], written, false))[0]).toBe(sentence);
  });

  it.each<[what: string, passages: readonly Passage[], drafts: readonly DraftEvent[]]>([
    ["a step", [rules], [text("1. Switch the press off at the main switch, and then"), text(" wait.\n")]],
    ["an item of a list", [rules], [text("- Switch the press off at the main switch, and then wait.\n")]],
    [
      "what does not hold by itself",
      [rules],
      [text("If the fire bell rings twice, all people"), text(" leave.")],
    ],
    ["what rests on a procedure", [press], [text("Switch the press off at the main switch, and then wait.")]],
    [
      "a sentence behind a fixed phrase",
      [rules],
      [{ type: "phrase", text: "The rules say otherwise." }, ...written],
    ],
    ["a sentence behind a refusal", [rules], [text("I can't find that in the documents. "), ...written]],
    ["a sentence behind words without content", [rules], [text("Sure! "), ...written]],
  ])("is not told of %s", async (_, passages, drafts) => {
    expect((await told(passages, drafts)).filter((one) => one.startsWith("clause"))).toEqual([]);
  });
});

describe("a sentence that seems to be over", () => {
  const statement = "The alarm sounds at 8 degrees Celsius.";
  const other = passage("other", "The alarm of the oven sounds at 90 degrees Celsius.", {
    title: "Oven rules",
  });
  const question = "When does the alarm sound?";

  it("is held against what comes before the next word, too", async () => {
    const found: DraftEvent = { type: "passages", passages: [coldRoom] };
    const { answer } = await gated([other], [text(statement), found, end()], question);
    expect(answer.claims).toMatchObject([{ text: statement, verdict: "supported", said: true }]);
  });

  it("is judged for what it is when it goes on", async () => {
    const goesOn = [text("The alarm sounds at 8."), text("5 degrees Celsius."), end()];
    const { answer, text: said } = await gated([coldRoom], goesOn, question);
    expect(said).toBe(phrases.notInDocuments);
    expect(answer.claims).toMatchObject([{ text: "The alarm sounds at 8.5 degrees Celsius.", said: false }]);
  });
});
