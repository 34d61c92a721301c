import { expect, it } from "vitest";
import { rowAloud, rowName } from "./table-row.js";

it("names a row by its first cell", () => {
  expect(rowName("Room: Cold room 1, dairy; Set point: 3 °C; Alarm above: 5 °C")).toBe("Cold room 1, dairy");
  expect(rowName("Sling: B; Capacity: 2 t")).toBe("B");
});

it("says of a row what it is a row of, and what was asked for", () => {
  const row = "Vehicle: Light truck; Oil (L): 6.5; Coolant (L): 9";
  const asked = (name: string) => new Set(name.startsWith("Coolant") ? ["coolant"] : []);
  expect(rowAloud(row, asked)).toBe("Vehicle: Light truck; Coolant (L): 9");
  expect(rowAloud(row, () => new Set())).toBe(row);
});

it.each([
  "Night shift, from 22:00 to 6:00: 25 percent",
  "Channels: 1 is for emergencies.",
  "No colon; none here",
  "",
])("takes %j for no row", (text) => {
  expect(rowName(text)).toBeUndefined();
});
