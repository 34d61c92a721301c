/** Questions whose answer is one cell of a table: which row is meant, which column, and when neither is told. */
import { describe, expect, it } from "vitest";
import { passage } from "../../test/support/fake-retrieval.js";
import type { Passage } from "../domain/passage.js";
import { extractAnswer } from "./extractive.js";
import { withNumbers } from "./named-numbers.js";
import { unitsIn } from "./passage-units.js";

const section = (heading: string, text: string): Passage =>
  passage(heading, text, { documentId: "Dairy", title: "Cheese dairy", headings: [heading] });

const said = async (question: string, ...passages: readonly Passage[]) => {
  const answer = await extractAnswer(withNumbers(question, passages), undefined, passages, {});
  if (answer.type === "several") return answer.names.join(" | ");
  return answer.type === "answer" ? answer.sentences.join(" ") : answer.type;
};

describe("a table with its things in the columns", () => {
  const VATS = section(
    "Vats",
    "- Stirring speed, rpm; Vat 1: 12; Vat 2: 18; Vat 3: 9\n" +
      "- Gasket change, after hours run; Vat 1: 300; Vat 2: 250; Vat 3: 500\n" +
      "- Milk at the start, l; Vat 1: 800; Vat 2: 1200; Vat 3: 400",
  );

  it("is told by the cell of the row and of the column that are asked for", async () => {
    expect(await said("What is the stirring speed of vat two?", VATS)).toBe(
      "Stirring speed, rpm; Vat 2: 18.",
    );
  });

  it("counts in what the row is of", async () => {
    expect(await said("How many hours does the gasket of vat 3 run?", VATS)).toBe(
      "Gasket change, after hours run; Vat 3: 500.",
    );
    expect(await said("How many days does the gasket of vat 3 run?", VATS)).toBe("none");
  });
});

it("reads a row to its end, however many sentences its cells have", () => {
  const rows = [
    "Code: P4; Meaning: Lid; What to do: Press stop. Wait for the bell. Do not reach in.",
    "Code: P5; Meaning: Hose; What to do: Call the fitter.",
  ];
  const units = unitsIn(`- ${rows.join("\n- ")}\n\nKeep it dry.`);
  expect(units.map(({ text }) => text)).toEqual([...rows, "Keep it dry."]);
});

describe("rows that are ranges", () => {
  const RESTS = section(
    "Rests in the ripening room",
    "- Temperature: up to 12 °C; Rest: 10 min\n- Temperature: 13–18 °C; Rest: 20 min\n- Temperature: over 18 °C; Rest: 45 min",
  );
  const WHEELS = section(
    "Turning the wheels",
    "- Job: Turning, age to 30 days; Humidity: 95 %\n- Job: Turning, age 31–90 days; Humidity: 88 %\n" +
      "- Job: Brushing off the rind; Humidity: 80 %",
  );

  it.each([
    ["What rest do I get at 16 °C?", "Temperature: 13–18 °C; Rest: 20 min."],
    ["What rest do I get at 30 degrees?", "Temperature: over 18 °C; Rest: 45 min."],
    ["What rest do I get at minus 2 °C?", "Temperature: up to 12 °C; Rest: 10 min."],
  ])("are chosen in %j by the number", async (question, answer) => {
    expect(await said(question, RESTS)).toBe(answer);
  });

  it("are held against a bare number where its clause speaks of the same", async () => {
    expect(await said("Humidity for turning, age forty?", WHEELS)).toBe(
      "Job: Turning, age 31–90 days; Humidity: 88 %.",
    );
    expect(await said("Humidity for turning, age 120 days?", WHEELS)).toBe("none");
  });
});

it("takes no row for another of which the question has more", async () => {
  const LIMITS = section(
    "May I work? Limits by job",
    "- Job: Washing the floor; Dry side: 30 °C; Wet side: 26 °C\n" +
      "- Job: Salting wheels, by hand; Dry side: 14 °C; Wet side: 12 °C",
  );
  expect(await said("Floor is at 20 on the dry side, salting by hand, may I?", LIMITS)).toMatch(
    /^Job: Salting/,
  );
});

it("knows a thing by the number that its name begins with", async () => {
  const MOULDS = section(
    "Pressing",
    "- Mould: 40G; Pressing time: 3 h\n- Mould: 55G; Pressing time: 5 h\n- Mould: 55G, tall; Pressing time: 8 h",
  );
  expect(await said("How long does a 40 mould take in pressing time?", MOULDS)).toBe(
    "Mould: 40G; Pressing time: 3 h.",
  );
  expect(await said("How long is the pressing time of a 55 mould?", MOULDS)).toBe("55G | 55G, tall");
});
