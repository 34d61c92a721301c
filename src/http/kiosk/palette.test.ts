import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contrast, mixed } from "../../lib/colour.js";
import { type ColourSettings, type Palette, paletteOf } from "./palette.js";
import { PAIRS } from "./palette.test-util.js";

const colour = fc.integer({ min: 0, max: 0xffffff }).map((rgb) => `#${rgb.toString(16).padStart(6, "0")}`);

function paletteIfAny(settings: ColourSettings): Palette | undefined {
  try {
    return paletteOf(settings);
  } catch {
    return undefined;
  }
}

describe("a palette", () => {
  it("can be read, whatever colours it was made from", () => {
    const settings = fc.record({ accent: colour, background: colour, text: colour }, { requiredKeys: [] });
    let made = 0;
    fc.assert(
      fc.property(settings, (chosen) => {
        const palette = paletteIfAny(chosen);
        if (palette === undefined) return;
        made++;
        for (const [front, back, min] of PAIRS)
          expect(
            contrast(palette.tones[front], palette.tones[back]),
            `${front} on ${back}`,
          ).toBeGreaterThanOrEqual(min);
      }),
      { numRuns: 400 },
    );
    expect(made).toBeGreaterThan(20);
  });

  it("keeps what it was made from, and is light or dark as its background is", () => {
    const chosen = { accent: "#a3195b", background: "#fbf7f9", text: "#221018" };
    const { scheme, tones } = paletteOf(chosen);
    expect(scheme).toBe("light");
    expect(tones).toMatchObject({ accent: chosen.accent, paper: chosen.background, ink: chosen.text });
    expect(paletteOf({ accent: "#ffcc00", background: "#101418" })).toMatchObject({
      scheme: "dark",
      tones: { "on-accent": "#000000" },
    });
  });

  it.each<[ColourSettings, RegExp]>([
    [
      { text: "#777777", background: "#ffffff" },
      /text #777777 .* 4\.4 to 1, and it takes 7 .*#595959 would do/,
    ],
    [{ accent: "#ffcc00", background: "#ffffff" }, /accent #ffcc00 .* 1\.5 to 1, and it takes 3 .* would do/],
    [{ background: "#767676", accent: "#ffffff" }, /takes 7 to be read; take another background/],
  ])("of %j is refused", (settings, why) => {
    expect(() => paletteOf(settings)).toThrow(why);
  });

  it("is made again from what a refusal says would do", () => {
    const refused = fc.record({ accent: colour, background: fc.constantFrom("#ffffff", "#000000") });
    fc.assert(
      fc.property(refused, (settings) => {
        const advice = adviceFor(settings);
        if (advice !== undefined) expect(paletteIfAny({ ...settings, accent: advice })).toBeDefined();
      }),
    );
  });
});

function adviceFor(settings: ColourSettings): string | undefined {
  try {
    paletteOf(settings);
    return undefined;
  } catch (error) {
    return /(#[0-9a-f]{6}) would do/.exec(String(error))?.[1];
  }
}

describe("the measure", () => {
  it("is that of WCAG", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
    expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  });

  it("mixes", () => {
    expect(mixed("#ffffff", "#000000", 0.5)).toBe("#808080");
    expect(mixed("#102030", "#ffffff", 1)).toBe("#102030");
  });
});
