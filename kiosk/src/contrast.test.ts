/** Holds the page's colours to the contrast that WCAG 2.2 asks for at level AAA (1.4.6) and for controls (1.4.11). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const CSS = readFileSync(new URL("../page/style.css", import.meta.url), "utf8");

const TEXT = 7;
const CONTROL = 3;

/** What stands on what. */
const PAIRS: readonly [front: string, back: string, min: number][] = [
  ["ink", "paper", TEXT],
  ["ink", "card", TEXT],
  ["ink", "accent-soft", TEXT],
  ["quiet", "paper", TEXT],
  ["quiet", "card", TEXT],
  ["on-accent", "accent", TEXT],
  ["alert", "alert-soft", TEXT],
  ["accent", "paper", CONTROL],
  ["accent", "accent-soft", CONTROL],
  ["focus", "paper", CONTROL],
];

describe.each([
  ["light", coloursIn(CSS.slice(0, CSS.indexOf("prefers-color-scheme: dark")))],
  ["dark", coloursIn(CSS.slice(CSS.indexOf("prefers-color-scheme: dark")))],
])("%s", (_scheme, colours) => {
  it.each(PAIRS)("%s on %s is at least %d to 1", (front, back, min) => {
    expect(contrast(colours.get(front)!, colours.get(back)!)).toBeGreaterThanOrEqual(min);
  });
});

describe("the measure", () => {
  it("is that of WCAG", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
    expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  });
});

/** The first value of each custom property that is a colour. */
function coloursIn(css: string): ReadonlyMap<string, string> {
  const found = [...css.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(
    ([, name, value]) => [name!, value!] as const,
  );
  return new Map(found.reverse());
}

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one: string, other: string): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
