import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DATA_VALUES_MAX, dataSentences } from "./data-sentences.js";

describe("data as sentences", () => {
  it("names each value by where it stands", () => {
    const data = {
      projectUsage_percentage: 40,
      plan: { name: "Team", seats: [3, 5] },
      invoices: [{ id: "A1", paid: true }],
      note: null,
      empty: "",
    };
    expect(dataSentences(JSON.stringify(data))).toEqual([
      "Project usage percentage is 40.",
      "Plan name is Team.",
      "Plan seats is 3, 5.",
      "Invoices 1 id is A1.",
      "Invoices 1 paid is true.",
    ]);
  });

  it.each(["Usage is 40 percent.", "40", '"text"', "{broken", ""])("is none in %s", (text) =>
    expect(dataSentences(text)).toBeUndefined(),
  );

  it("stays within its bound, whatever the data", () => {
    fc.assert(
      fc.property(fc.oneof(fc.object(), fc.array(fc.jsonValue())), (data) => {
        const sentences = dataSentences(JSON.stringify(data));
        expect(sentences?.length ?? 0).toBeLessThanOrEqual(DATA_VALUES_MAX);
      }),
    );
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`key${i}`, i]));
    expect(dataSentences(JSON.stringify(many))).toHaveLength(DATA_VALUES_MAX);
  });
});
