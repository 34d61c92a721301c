import { describe, expect, it } from "vitest";
import { passage as anyPassage } from "../../test/support/fake-retrieval.js";
import type { Passage } from "../domain/passage.js";
import { PROCEDURE_CHARS_MAX, unitsAloud } from "./answer-text.js";
import { extractAnswer } from "./extractive.js";
import { passageUnits } from "./passage-units.js";

function passage(title: string, text: string, more: Partial<Passage> = {}): Passage {
  return anyPassage(`${title}#${text.length}`, text, { documentId: title, title, ...more });
}

const COMPRESSOR = passage(
  "Compressor shutdown",
  "Warning: compressed air can injure. Wear eye protection.\n\n" +
    "1. Press the red stop button and wait for the motor to stand still.\n" +
    "2. Close the outlet valve V-102.\n" +
    "3. Bleed the tank for two minutes. Watch the gauge.\n" +
    "4. Lock the main switch.",
  { headings: ["Shutting down"] },
);
const FORKLIFT = passage(
  "Forklift checks",
  "Charge the forklift battery at the end of each shift. It takes about eight hours. " +
    "Never charge a battery that is cracked or leaking. Tyre pressure is 6.5 bar.",
);
const REFUNDS = passage(
  "Refund policy",
  "Customers may return unopened goods within 30 days. Opened food cannot be returned. A refund is paid the way the customer paid.",
);
const ALL = [COMPRESSOR, FORKLIFT, REFUNDS];

const answer = async (
  question: string,
  passages: readonly Passage[] = ALL,
  sentencesMax?: number,
  prior?: string,
) => {
  const result = await extractAnswer(
    question,
    prior,
    passages,
    sentencesMax === undefined ? {} : { sentencesMax },
  );
  return result.type === "answer" ? result.sentences : undefined;
};

describe("extractAnswer", () => {
  it("answers in the document's own words", async () => {
    expect(await answer("What is the tyre pressure of the forklift?")).toEqual(["Tyre pressure is 6.5 bar."]);
    expect(await answer("Can opened food be returned?")).toContain("Opened food cannot be returned.");
  });

  it("names the passage that it used", async () => {
    const result = await extractAnswer("What is the tyre pressure?", undefined, ALL, {});
    expect(result).toMatchObject({ type: "answer", passages: [FORKLIFT], complete: true });
  });

  it("takes the unit for the word that asks for it, of what the sentence itself is about", async () => {
    const crane = passage(
      "Overhead crane",
      "The hook travels at 40 metres per minute. The hook is checked daily.",
    );
    expect(await answer("How fast does the hook travel?", [crane])).toEqual([
      "The hook travels at 40 metres per minute.",
    ]);
    expect(await answer("How fast does the trolley travel?", [crane])).toBeUndefined();
    expect(await answer("How heavy is the crane?", [crane])).toBeUndefined();
  });

  it("leaves to the passage when or where something is done, not whether one may", async () => {
    const swabs = passage("Release", "After wet cleaning the hall is checked. Take one swab at the outlet.");
    expect(await answer("Where do I take a swab after wet cleaning?", [swabs])).toEqual([
      "Take one swab at the outlet.",
    ]);
    expect(await answer("May I take a swab before wet cleaning?", [swabs])).toBeUndefined();
  });

  it("says what follows from a failure instead of the steps that found it, its warning first", async () => {
    const check = passage(
      "Crane check",
      "Never lift with a cracked hook. A crane with a cracked hook is locked and reported.\n\n1. Look at the hook.\n2. Test the stop.",
    );
    expect(await answer("What do I do with a crane that has a cracked hook?", [check])).toEqual([
      "Never lift with a cracked hook.",
      "A crane with a cracked hook is locked and reported.",
    ]);
  });

  it("tells the 3 of room 3 from other threes", async () => {
    const rooms = passage("Cold rooms", "Room: Cold room 1; Set point: 3 °C; Door: left");
    expect(await answer("What is the set point of cold room 1?", [rooms])).toHaveLength(1);
    expect(await answer("What is the set point of cold room 3?", [rooms])).toBeUndefined();
  });

  it("asks which document is meant by a question that says nothing about the thing it names", async () => {
    const documents = [
      passage("Cold room alarm", "Call the service on extension 415."),
      passage("First aid", "The first aider answers extension 222."),
    ];
    expect(await extractAnswer("Which extension do I call?", undefined, documents, {})).toEqual({
      type: "several",
      names: ["Cold room alarm", "First aid"],
      of: documents,
    });
    expect(
      (await extractAnswer("Which extension do I call?", undefined, documents.slice(0, 1), {})).type,
    ).toBe("none");
  });

  it.each([
    "What is the wifi password?",
    "Who won the world cup?",
    "How long is the warranty of the forklift?",
    "What is the pressure of valve V-305?",
    "How do I shut down the boiler?",
    "Hello there",
    "What do I do?",
    "",
  ])("refuses %j", async (question) => {
    expect(await answer(question)).toBeUndefined();
    expect(await answer(question, [])).toBeUndefined();
  });

  it("reads a procedure from its first step to its last, with its warning first", async () => {
    expect(await answer("How do I shut down the compressor and bleed the tank?")).toEqual([
      "Warning: compressed air can injure. Wear eye protection.",
      "Step 1: Press the red stop button and wait for the motor to stand still.",
      "Step 2: Close the outlet valve V-102.",
      "Step 3: Bleed the tank for two minutes. Watch the gauge.",
      "Step 4: Lock the main switch.",
    ]);
  });

  it("puts a procedure together from the passages that it is spread over", async () => {
    const [first, second] = COMPRESSOR.text.split("\n2. ") as [string, string];
    const parts = [
      { ...COMPRESSOR, chunkId: "b", text: `2. ${second}` },
      FORKLIFT,
      { ...COMPRESSOR, chunkId: "a", text: first },
    ];
    const question = "What are the steps to shut down the compressor and bleed the tank?";
    expect(await answer(question, parts)).toEqual(await answer(question));
    const result = await extractAnswer(question, undefined, [parts[0]!, FORKLIFT], {});
    expect(result).toMatchObject({ type: "answer", complete: false });
  });

  const line = (text: string, headings: readonly string[] = []) =>
    passage("Packing line", text, { headings });
  const INTRODUCTION = line(
    "This sheet is for lockout. It has two parts.\n\n**Warning: The bars stay hot.** Keep off.",
  );
  const STOPPING = line("1. Press stop.\n2. Hang the tag.", ["Stopping the line"]);
  const STARTING = line("1. Take the tag off.\n2. Press start.\n\nNever hurry.", ["Starting the line"]);

  it("says the warnings of the document before those of the section, and these before the steps", async () => {
    expect(await answer("How do I start the packing line?", [STARTING, STOPPING, INTRODUCTION])).toEqual([
      "Warning: The bars stay hot. Keep off.",
      "Never hurry.",
      "Step 1: Take the tag off.",
      "Step 2: Press start.",
    ]);
  });

  it("reads all sections that fit alike, each under its heading, and tells whether there may be more", async () => {
    const cleaning = line("1. Scrape the belt.\n2. Wipe the rollers.\n\nNever hurry.", ["Cleaning the line"]);
    const passages = [STOPPING, cleaning, INTRODUCTION];
    const question = "What do I do at the packing line?";
    const sentences = [
      "Warning: The bars stay hot. Keep off.",
      "Stopping the line.",
      "Step 1: Press stop.",
      "Step 2: Hang the tag.",
      "Cleaning the line.",
      "Never hurry.",
      "Step 1: Scrape the belt.",
      "Step 2: Wipe the rollers.",
    ];
    expect(await extractAnswer(question, undefined, passages, {})).toMatchObject({
      sentences,
      complete: false,
    });
    expect(await extractAnswer(question, undefined, [...passages, REFUNDS], {})).toMatchObject({
      sentences,
      complete: true,
    });
  });

  it("refuses where the steps of two documents fit alike", async () => {
    const other = { ...STOPPING, documentId: "another", chunkId: "another" };
    expect(await answer("How do I stop the packing line?", [STOPPING])).toHaveLength(2);
    expect(await answer("How do I stop the packing line?", [STOPPING, other])).toBeUndefined();
  });

  it("takes no step that mentions a thing for the way to do it", async () => {
    expect(await answer("How do I press the packing line?", [STARTING, INTRODUCTION])).toBeUndefined();
    expect(await answer("How do I hang the packing line?", [STOPPING, INTRODUCTION])).toBeUndefined();
  });

  it("takes no sentence that tells of a thing for the way to do it, though it begins with that", async () => {
    const kegs = passage("kegs", "Kegs are returned by the drayman alone. Empty kegs stand in the yard.", {
      title: "Yard",
    });
    expect(await answer("how do I return kegs", [kegs])).toBeUndefined();
    const order = passage("kegs", "Return kegs by the side gate. Empty kegs stand in the yard.", {
      title: "Yard",
    });
    expect(await answer("how do I return kegs", [order])).toContain("Return kegs by the side gate.");
  });

  it("reads what stands under the heading that was asked for", async () => {
    const leaks = line("Close the valve behind you. Call the control room.", ["Leak of oil"]);
    expect(await answer("There is an oil leak, what now?", [INTRODUCTION, leaks])).toEqual([
      "Close the valve behind you.",
      "Call the control room.",
    ]);
    const blame = line("Nobody is blamed.", ["Leak of water"]);
    expect(
      await answer("There is a leak at the packing line, what now?", [INTRODUCTION, leaks, blame]),
    ).toEqual(["Warning: The bars stay hot. Keep off.", "This sheet is for lockout.", "It has two parts."]);
  });

  it("reads a procedure in prose to its end, or goes on when it is asked to", async () => {
    const text = (count: number) => Array.from({ length: count }, (_, i) => `Turn the crank to mark ${i}.`);
    const capsize = (count: number) => line(`${text(count).join(" ")} Never dive.`, ["Capsized raft"]);
    const question = "The raft has capsized, what now?";
    expect(await answer(question, [capsize(5)])).toEqual(["Never dive.", ...text(5)]);
    expect(await answer(question, [capsize(5)], 1)).toEqual(["Never dive."]);
    const first = await extractAnswer(question, undefined, [capsize(40)], {});
    if (first.type !== "answer") throw new Error("there is no answer");
    expect(first.left).toBe(41 - first.sentences.length);
    const rest = { from: first.sentences.length };
    const next = await extractAnswer(question, undefined, [capsize(40)], rest);
    expect(next.type === "answer" && next.sentences[0]).toBe(text(40)[first.sentences.length - 1]);
  });

  it("understands a prohibition that leans on the sentence before", async () => {
    const bars = line("The sealing bars stay hot. Never touch them with bare hands. Tea is at noon.");
    const question = "Is it okay to touch the sealing bars with bare hands?";
    expect(await answer(question, [bars, FORKLIFT])).toEqual([
      "Never touch them with bare hands.",
      "The sealing bars stay hot.",
    ]);
  });

  it("does not take having a thing for lacking it", async () => {
    const withIt = passage("Till", "Scan the receipt. Pay the customer.", { headings: ["With a receipt"] });
    const without = passage("Till", "Look the customer up.", { headings: ["Without a receipt"] });
    const question = "A customer has no receipt, what do I do?";
    expect(await answer(question, [withIt, without])).toEqual(["Look the customer up."]);
    expect(await answer(question, [withIt])).toBeUndefined();
  });

  it("says an item of a list behind what the list is about", async () => {
    const list = passage("Refunds", "- Opened packs of food\n- Gift cards", { headings: ["Not taken back"] });
    expect(await answer("What about gift cards and refunds?", [list])).toEqual([
      "Not taken back: Gift cards.",
    ]);
  });

  const REQUEST = passage(
    "Motor pool",
    "Ask a day ahead. The request at minimum must state:\n\n- the driver\n- the destination\n- the time of return\n\n" +
      "Buses are another matter.",
    { headings: ["Vehicle request"] },
  );

  it("says a list whole, behind what leads in to it", async () => {
    expect(await answer("What must a vehicle request state?", [REQUEST])).toEqual([
      "The request at minimum must state: the driver.",
      "The destination.",
      "The time of return.",
    ]);
  });

  it("says as much of a long list as is heard at once, and goes on from there", async () => {
    const items = Array.from({ length: 30 }, (_, i) => `- part number ${i + 1} of the vehicle in its box`);
    const long = passage("Spares", `The kit must hold:\n\n${items.join("\n")}`);
    const question = "What must the kit hold?";
    const first = await extractAnswer(question, undefined, [long], {});
    if (first.type !== "answer") throw new Error("there is no answer");
    expect(first).toMatchObject({ complete: false, items: 30, left: 30 - first.sentences.length });
    const next = await extractAnswer(question, undefined, [long], { from: first.sentences.length });
    expect(next.type === "answer" && next.sentences[0]).toContain(`number ${first.sentences.length + 1} `);
  });

  it("reads a step with what stands below it, of the procedure whose lead-in is meant", async () => {
    const pool = passage(
      "Pool service",
      "Pool opening:\n\n1. Remove the cover.\n2. Start the pump.\n\nPool closing:\n\n1. Balance the water.\n" +
        "- Lower the chlorine\n2. Install the plugs.",
    );
    expect(await answer("How do I do the pool closing?", [pool])).toEqual([
      "Step 1: Balance the water. Lower the chlorine.",
      "Step 2: Install the plugs.",
    ]);
  });

  it("takes a heading without a value and what is not settled for no answer", async () => {
    const rota = passage("On call", "- Incident commander:\n- Pager: TBD", { headings: ["Escalation"] });
    expect(await answer("Who is the incident commander on call?", [rota])).toBeUndefined();
    expect(await answer("What is the pager on call?", [rota])).toBeUndefined();
  });

  it("tells when a procedure is too long to be read whole", async () => {
    const steps = Array.from(
      { length: 40 },
      (_, i) => `${i + 1}. Turn the compressor valve number ${i + 1} to the left.`,
    );
    const long = passage("Compressor valves", steps.join("\n"));
    const result = await extractAnswer("How do I turn the compressor valves?", undefined, [long], {});
    expect(result).toMatchObject({ type: "answer", complete: false });
    const sentences = result.type === "answer" ? result.sentences : [];
    const spoken = steps.map((step) => step.replace(/^(\d+)\./, "Step $1:"));
    expect(sentences).toEqual(spoken.slice(0, sentences.length));
    expect(sentences.join(" ").length).toBeLessThanOrEqual(PROCEDURE_CHARS_MAX);
  });

  it("says with an order or a permission what its paragraph decides behind it, and with a case what to do", async () => {
    const fault = line(
      "Stop. Read the number on the panel. Look at it twice. If it is above 9, do not start the press.",
    );
    expect(await answer("What do I do with the number on the panel?", [fault, FORKLIFT])).toEqual([
      "Stop.",
      "Read the number on the panel.",
      "Look at it twice.",
      "If it is above 9, do not start the press.",
    ]);
    const gusts = line(
      "After a storm the crane may start when gusts stay low. The manager decides, not the crew.",
    );
    expect(await answer("When may the crane start after a storm?", [gusts, FORKLIFT])).toHaveLength(2);
    const carts = line("Two carts are too close. Call the fitter. Carts are blue.");
    expect(await answer("The carts are too close", [carts, FORKLIFT])).toEqual([
      "Two carts are too close.",
      "Call the fitter.",
    ]);
  });

  it("says with a row what is said beside it of a condition that the question names", async () => {
    const text =
      "- Cart: C1; Speed limit: 30 km/h\n- Cart: C2; Speed limit: 20 km/h\n\nIn rain take 10 km/h off.";
    const carts = passage("Carts", text);
    const asked = async (question: string) => (await answer(question, [carts, FORKLIFT]))?.join(" ");
    expect(await asked("What is the speed limit for C2 in the rain?")).toMatch(/20 km\/h.* In rain take/);
    expect(await asked("What is the speed limit for C2?")).not.toContain("rain");
  });

  it("says a warning that stands beside the answer before it", async () => {
    expect((await answer("How long does it take to charge the forklift battery?"))?.[0]).toMatch(
      /^Never charge a battery/,
    );
  });

  it("says the sentence before one that leans on it, wherever the word for it stands", async () => {
    const policy = passage(
      "Refund policy",
      "Look the purchase up by card number. If you find it, treat it as a purchase with a receipt. Vouchers are valid for 2 years.",
      { headings: ["Without a receipt"] },
    );
    expect(await answer("Can I give a refund without a receipt?", [policy])).toEqual([
      "Look the purchase up by card number.",
      "If you find it, treat it as a purchase with a receipt.",
    ]);
  });

  it("gives a kiosk one sentence, and no step of a procedure for all of it", async () => {
    expect(await answer("How do I shut down the compressor and bleed the tank?", ALL, 1)).toBeUndefined();
    expect(await answer("Can opened food be returned?", ALL, 1)).toEqual(["Opened food cannot be returned."]);
  });

  it("understands a question that leans on the one before", async () => {
    expect(await answer("And how long does that take?")).toBeUndefined();
    expect(
      await answer("And how long does it take?", ALL, 3, "When do I charge the forklift battery?"),
    ).toContain("It takes about eight hours.");
  });
});

describe("unitsAloud", () => {
  it("reads the passage as it stands, in whole sentences", async () => {
    expect(unitsAloud(passageUnits(REFUNDS))).toBe(REFUNDS.text);
    const long = passage("Long", "This sentence has a few words. ".repeat(100));
    const aloud = unitsAloud(passageUnits(long));
    expect(aloud.length).toBeLessThanOrEqual(PROCEDURE_CHARS_MAX);
    expect(aloud.endsWith("words.")).toBe(true);
  });
});
