import { describe, expect, it } from "vitest";
import type { Passage } from "../domain/passage.js";
import { passageUnits } from "./passage-units.js";

const units = (text: string) =>
  passageUnits({ text } as Passage).map((unit) =>
    unit.role === "step" ? [unit.role, unit.text, unit.number] : [unit.role, unit.text],
  );

describe("passageUnits", () => {
  it("keeps the sentences of a step together, and ends a list at a blank line", () => {
    expect(
      units(
        "Before you start, ask.\n1. Close the valve. Wait.\n2) **Hang** the tag\n\nThen call. Never hurry.",
      ),
    ).toEqual([
      ["sentence", "Before you start, ask."],
      ["step", "Close the valve. Wait.", 1],
      ["step", "Hang the tag", 2],
      ["sentence", "Then call."],
      ["warning", "Never hurry."],
    ]);
  });

  it("reads steps that stand in one line", () => {
    expect(units("1. Close the valve. 2. Hang the tag.")).toEqual([
      ["step", "Close the valve.", 1],
      ["step", "Hang the tag.", 2],
    ]);
  });

  it("keeps the sentences of a notice together, to the end of its paragraph", () => {
    expect(units("Stop it. **Danger: it is hot. Keep off.**\n\nNever hurry. Then call.")).toEqual([
      ["sentence", "Stop it."],
      ["notice", "Danger: it is hot. Keep off."],
      ["warning", "Never hurry."],
      ["sentence", "Then call."],
    ]);
  });

  it("takes off the marks of the layout", () => {
    expect(units("## Spills\n> **Warning:** acid burns.\n- Use `gloves`\n- Call\n  the lead")).toEqual([
      ["heading", "Spills"],
      ["notice", "Warning: acid burns."],
      ["item", "Use gloves"],
      ["item", "Call the lead"],
    ]);
  });

  it("reads lettered steps in one line, and a letter alone as text", () => {
    expect(units("a. Stop the vehicle. b. Call extension 4410. c. Fill in form 5988.\n\nThen wait.")).toEqual(
      [
        ["step", "Stop the vehicle.", 1],
        ["step", "Call extension 4410.", 2],
        ["step", "Fill in form 5988.", 3],
        ["sentence", "Then wait."],
      ],
    );
    expect(units("Plan b. Wait here.").map(([role]) => role)).toEqual(["sentence", "sentence"]);
  });

  it("knows the list of an item with its lead-in, and the step that an item stands below", () => {
    const text =
      "Ask ahead. The request must state:\n\n- the driver\n- the time\n\nThen:\n\n1. Load.\n- Dry only\n2. Close.";
    const found = passageUnits({ text } as Passage);
    const [item, step, below] = ["the driver", "Load.", "Dry only"].map((one) =>
      found.find((unit) => unit.text === one),
    );
    expect(item?.list?.lead).toBe("The request must state");
    expect(item?.list?.units.map((unit) => unit.text)).toEqual(["the driver", "the time"]);
    expect(step?.list).toMatchObject({ isOrdered: true, lead: "Then" });
    expect(below?.under).toBe(step);
    for (const { start, end, text: words } of found) expect(text.slice(start, end)).toContain(words);
  });

  it("tells a row of a table from an item", () => {
    expect(units("- Vehicle: Truck; Oil (L): 6.5\n- Vehicle: Bus; Oil (L): 28")).toEqual([
      ["row", "Vehicle: Truck; Oil (L): 6.5"],
      ["row", "Vehicle: Bus; Oil (L): 28"],
    ]);
  });

  it("leaves out what is not settled", () => {
    expect(units("Call TBD. Note: this might need updating. TBA: the number. Wear gloves.")).toEqual([
      ["sentence", "Wear gloves."],
    ]);
  });

  it("leaves out what cannot be said", () => {
    expect(units("---\n\n***\n")).toEqual([]);
  });
});
