/** Holds the page's colours to the contrast that WCAG 2.2 asks for at level AAA (1.4.6) and for controls (1.4.11). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { LARGE_TEXT, TEXT, type Tone } from "../../src/http/kiosk/palette.js";
import { PAIRS } from "../../src/http/kiosk/palette.test-util.js";
import { contrast } from "../../src/lib/colour.js";

const CSS = readFileSync(new URL("../page/style.css", import.meta.url), "utf8");

describe.each([
  ["light", coloursIn(CSS.slice(0, CSS.indexOf("prefers-color-scheme: dark")))],
  ["dark", coloursIn(CSS.slice(CSS.indexOf("prefers-color-scheme: dark")))],
])("%s", (_scheme, colours) => {
  it.each(PAIRS)("%s on %s is at least %d to 1", (front, back, min) => {
    // On the page's own button small words could be read, too.
    const wanted = min === LARGE_TEXT ? TEXT : min;
    expect(contrast(colours.get(front)!, colours.get(back)!)).toBeGreaterThanOrEqual(wanted);
  });
});

/** The first value of each custom property that is a colour. */
function coloursIn(css: string): ReadonlyMap<Tone, string> {
  const found = [...css.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(
    ([, name, value]) => [name as Tone, value!] as const,
  );
  return new Map(found.reverse());
}
