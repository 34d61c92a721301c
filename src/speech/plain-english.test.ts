import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FAMILIES } from "../../test/support/doubling.js";
import { plainEnglish, WORD_CHARS_MAX } from "./plain-english.js";

describe("plainEnglish", () => {
  it.each([
    ["Keep it at 5 °C ± 2 – not more…", "Keep it at 5 degrees Celsius plus or minus 2, not more."],
    ["Wait 10–15 minutes", "Wait 10 to 15 minutes"],
    ["“Don’t” — naïve café, straße, Łódź", '"Don\'t", naive cafe, strasse, lodz'],
    ["It costs €5.50 or £3", "It costs 5.50 euros or 3 pounds"],
    ["A 10 µm filter, ½ full", "A 10 microm filter, and a half full"],
    ["Press\nstart\tnow ✅", "Press start now"],
    ["42", "42"],
    ["", ""],
  ])("turns %j into %j", (text, plain) => {
    expect(plainEnglish(text)).toBe(plain);
  });

  it("says when it cannot", () => {
    expect(plainEnglish("关闭阀门")).toBeUndefined();
    expect(plainEnglish("Закройте клапан V")).toBeUndefined();
    expect(plainEnglish("Close valve 阀")).toBe("Close valve");
  });

  it("cuts endless words", () => {
    const longest = (text: string) =>
      Math.max(...(plainEnglish(text) ?? "").split(" ").map((word) => word.length));
    expect(longest("x".repeat(3_000))).toBe(WORD_CHARS_MAX);
    for (const { text } of FAMILIES) expect(longest(text(3_000))).toBeLessThanOrEqual(WORD_CHARS_MAX);
  });

  it("says what was made speakable as it stands", () => {
    const cases = JSON.parse(
      readFileSync(new URL("spoken/cases/en.json", import.meta.url), "utf8"),
    ) as string[][];
    for (const [, spoken = ""] of cases) expect(plainEnglish(spoken)).toBe(spoken);
  });
});
