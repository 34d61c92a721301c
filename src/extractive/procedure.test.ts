/** Documents that hold a procedure and its way back, of several trades: what is asked for is read, and never the other. */
import { describe, expect, it } from "vitest";
import { passage } from "../../test/support/fake-retrieval.js";
import type { Passage } from "../domain/passage.js";
import { extractAnswer } from "./extractive.js";

type Section = readonly [heading: string, steps: string];

function document(title: string, introduction: string, sections: readonly Section[]): readonly Passage[] {
  const part = (text: string, position: number, headings: readonly string[] = []) =>
    passage(`${title} ${position}`, text, { documentId: title, title, headings, position });
  return [part(introduction, 0), ...sections.map(([heading, steps], i) => part(steps, i + 1, [heading]))];
}

const LINE = document("Lockout of the filling line", "How the filling line is made safe, and given back.", [
  [
    "Applying your lock",
    "1. Press the red stop button.\n2. Turn the main switch to zero.\n3. Put your lock on the main switch.\n4. Close the air valve.",
  ],
  [
    "Removing the lockout",
    "1. Open the air valve.\n2. Take your lock off the main switch.\n3. Turn the main switch on.\n4. Press the green button.",
  ],
]);
const BOILER = document("Steam boiler 2", "For the boiler house.", [
  [
    "Firing up",
    "1. Open the feed water valve.\n2. Switch the feed pump on.\n3. Light the burner.\n4. Open the steam valve slowly.",
  ],
  [
    "Shutting down",
    "1. Close the steam valve.\n2. Switch the burner off.\n3. Switch the feed pump off.\n4. Close the feed water valve.",
  ],
]);
const GEARBOX = document("Gearbox of the mixer", "For the workshop.", [
  [
    "Disassembly",
    "1. Drain the oil.\n2. Loosen the eight screws of the cover.\n3. Lift the cover off.\n4. Pull the shaft out with its bearings.",
  ],
  [
    "Assembly",
    "1. Push the shaft in with its bearings.\n2. Lay the cover on.\n3. Tighten the eight " +
      "screws of the cover crosswise.\n4. Fill the oil in.",
  ],
]);
const PANEL = document("Switch panel 4", "Isolation and its end.", [
  [
    "Isolating the panel",
    "1. Tell the control room.\n2. Open the breaker.\n3. Lock the breaker.\n4. Earth the bars with the earthing kit.",
  ],
  [
    "Re-energising the panel",
    "1. Take the earthing kit off the bars.\n2. Unlock the breaker.\n3. Tell the control room.\n4. Close the breaker.",
  ],
]);
const POOL = document("Opening and closing the pool", "For the pool attendants.", [
  [
    "In the morning",
    "1. Unlock the gate.\n2. Roll the cover off.\n3. Measure the chlorine.\n4. Switch the fountains on.",
  ],
  ["In the evening", "1. Switch the fountains off.\n2. Roll the cover on.\n3. Lock the gate."],
]);

/** A search brings a few passages of a document, in any order. */
const FOUND: readonly (readonly [string, (whole: readonly Passage[]) => readonly Passage[]])[] = [
  ["all of it", (whole) => whole],
  ["all of it, the last first", (whole) => [...whole].reverse()],
  ["the way back and the introduction", (whole) => [whole[2]!, whole[0]!]],
];

async function stepsOf(question: string, whole: readonly Passage[], found: readonly Passage[]) {
  const readDocument = async () => ({ passages: whole, isAll: true });
  const answer = await extractAnswer(question, undefined, found, { readDocument });
  return answer.type === "answer" ? answer.sentences.filter((one) => /^Step/.test(one)).join(" ") : "";
}

describe.each(FOUND)("of a procedure and its way back, found: %s", (_, among) => {
  it.each([
    ["What is the lockout procedure?", LINE, "Put your lock on", "Take your lock off"],
    ["What is the procedure for the filling line?", LINE, "Put your lock on", "Take your lock off"],
    ["How do I remove the lockout of the filling line?", LINE, "Take your lock off", "Put your lock on"],
    [
      "What is the shutdown procedure of the steam boiler?",
      BOILER,
      "Switch the burner off",
      "Light the burner",
    ],
    ["What is the procedure for the steam boiler?", BOILER, "Light the burner", "Switch the burner off"],
    ["How do I fire up the steam boiler?", BOILER, "Light the burner", "Switch the burner off"],
    ["What is the assembly procedure of the gearbox?", GEARBOX, "Fill the oil in", "Drain the oil"],
    ["What is the disassembly procedure of the gearbox?", GEARBOX, "Drain the oil", "Fill the oil in"],
    ["What is the isolation procedure of the panel?", PANEL, "Lock the breaker", "Unlock the breaker"],
    ["How do I re-energise the panel?", PANEL, "Unlock the breaker", "Lock the breaker"],
    ["What is the procedure for opening the pool?", POOL, "Unlock the gate", "Lock the gate"],
  ])("%s", async (question, whole, said, never) => {
    const steps = await stepsOf(question, whole, among(whole));
    expect(steps).not.toContain(never);
    // What no passage that was found speaks of is not looked for in the rest of its document.
    if (steps !== "" || among(whole).length === whole.length) expect(steps).toContain(said);
  });
});

describe("a procedure of stages", () => {
  const shift = document("Shift change at the oven", "For both shifts.", [
    ["Before", "1. Empty the tray.\n2. Wipe the window."],
    ["Together", "1. Read the counter aloud.\n2. Sign the book."],
  ]);

  it("is read as a whole, in the order of the document, each stage under its heading", async () => {
    const steps = await extractAnswer(
      "What is the procedure for the shift change?",
      undefined,
      [shift[2]!, shift[0]!],
      {
        readDocument: async () => ({ passages: shift, isAll: true }),
      },
    );
    expect(steps).toMatchObject({
      sentences: [
        "Before.",
        "Step 1: Empty the tray.",
        "Step 2: Wipe the window.",
        "Together.",
        "Step 1: Read the counter aloud.",
        "Step 2: Sign the book.",
      ],
      complete: true,
    });
  });

  it("is told to be a part only where the document is longer than what is read of it", async () => {
    const steps = await extractAnswer(
      "What is the procedure for the shift change?",
      undefined,
      shift.slice(0, 2),
      {
        readDocument: async () => ({ passages: shift.slice(0, 2), isAll: false }),
      },
    );
    expect(steps).toMatchObject({ type: "answer", complete: false });
  });
});

describe("one step of a procedure", () => {
  const kiln = document("Pottery kiln", "The kiln is electric.", [
    [
      "Firing the kiln",
      "Warning: The lid burns.\n\n1. Load the shelves.\n2. Close the lid.\n3. Set the cone.\n4. Press start.",
    ],
    ["Emptying the kiln", "1. Wait a day.\n2. Open the lid."],
  ]);

  it.each([
    ["What is step 3 of firing the kiln?", "Step 3: Set the cone."],
    ["What is the second step of firing the kiln?", "Step 2: Close the lid."],
    ["What is the last step of firing the kiln?", "Step 4: Press start."],
    ["What comes after step 1 of firing the kiln?", "Step 2: Close the lid."],
    ["What does step four of firing the kiln say?", "Step 4: Press start."],
  ])("%s", async (question, said) => {
    expect(await stepsOf(question, kiln, kiln)).toBe(said);
  });

  it.each(["What is step 5 of firing the kiln?", "What is step 2 of moving the kiln?"])(
    "%s",
    async (question) => {
      expect(await stepsOf(question, kiln, kiln)).toBe("");
    },
  );
});

describe("what stands before the steps of a section", () => {
  const sentences = async (question: string, whole: readonly Passage[]) => {
    const readDocument = async () => ({ passages: whole, isAll: true });
    const answer = await extractAnswer(question, undefined, whole, { readDocument });
    return answer.type === "answer" ? answer.sentences : undefined;
  };

  it("is said before them: who, with what, and what has to be so", async () => {
    const dryer = document("Grain dryer", "", [
      [
        "Grain dryer",
        "Never smoke here. Only trained staff, in pairs. Bring:\n\n- a torch\n- a radio\n\nCleaning the burner:\n\n" +
          "1. Shut the gas off.\n2. Brush the nozzle.",
      ],
    ]);
    expect(await sentences("How do I clean the burner of the grain dryer?", dryer)).toEqual([
      "Never smoke here.",
      "Only trained staff, in pairs.",
      "Bring:",
      "a torch.",
      "a radio.",
      "Cleaning the burner.",
      "Step 1: Shut the gas off.",
      "Step 2: Brush the nozzle.",
    ]);
  });

  it("is said before each of several procedures of the section", async () => {
    const press = document("Cider press", "", [
      [
        "Work",
        "Two people lift the lid. Filling the press:\n\n1. Lift the lid.\n2. Pour.\n\nRinsing the press:\n\n1. Drain it.\n2. Hose it.",
      ],
    ]);
    expect(await sentences("How do I do the rinsing of the cider press?", press)).toEqual([
      "Two people lift the lid.",
      "Step 1: Drain it.",
      "Step 2: Hose it.",
    ]);
  });
});
