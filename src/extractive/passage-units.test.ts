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
      ["sentence", "Use gloves"],
      ["sentence", "Call the lead"],
    ]);
  });

  it("leaves out what cannot be said", () => {
    expect(units("---\n\n***\n")).toEqual([]);
  });
});
