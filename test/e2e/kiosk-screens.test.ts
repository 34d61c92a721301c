/** The kiosk's page on screens of five sizes, as they are and at 200 %: what is read is on the screen, and can be hit. */

import { describe, expect, test, vi } from "vitest";
import { patience } from "../support/patience.js";
import {
  BRANDED,
  closeBrowserAtTheEnd,
  hasChromium,
  KIOSK_TEST_MS_MAX,
  KioskPage,
  SCREENS,
} from "./kiosk-page.js";

/** A finger in a glove. */
const TOUCH_PX_MIN = 64;
/** A key of the keyboard on a screen of any size: WCAG 2.2, 2.5.8. */
const KEY_PX_MIN = 24;

/** WCAG 2.2, 1.4.10: nothing narrower has to do. */
const WIDTH_MIN = 320;

const CASES = SCREENS.flatMap(([name, { width, height }]) =>
  [1, 2].map((zoom) => [name, zoom, Math.max(WIDTH_MIN, width / zoom), height / zoom] as const),
);

vi.setConfig({ testTimeout: KIOSK_TEST_MS_MAX });
closeBrowserAtTheEnd();

/** Runs in the page: whether the first and the last line of the answer can be seen, and nothing is before them. */
const SEES_ANSWER = `(() => {
  const range = document.createRange();
  range.selectNodeContents(document.querySelector("#answer"));
  const lines = [...range.getClientRects()];
  return [lines[0], lines.at(-1)].map(({ left, top, height }) => {
    const there = document.elementFromPoint(left + 2, top + height / 2);
    return there !== null && there.closest("#answer") !== null;
  });
})()`;

/** Until the page stands still. */
const LAYOUT_MS_MAX = 5_000;

/** What is pressed, but for the keys of the keyboard. */
const CONTROLS = "button:visible:not(#keyboard *), input:visible";

describe.skipIf(!hasChromium).each(CASES)("on a %s at %d00 %", (_name, zoom, width, height) => {
  const open = () =>
    KioskPage.open({ kiosk: BRANDED, context: { viewport: { width, height }, deviceScaleFactor: zoom } });
  const fits = async ({ page }: KioskPage) =>
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
  const canBeHit = async (kiosk: KioskPage, targets: string, min: number) => {
    for (const target of await kiosk.page.locator(targets).all()) {
      const box = (await target.boundingBox())!;
      expect(Math.min(box.width, box.height), await target.innerText()).toBeGreaterThanOrEqual(min);
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
    }
  };

  test("six languages leave the top one row, and the answer is on the screen", async () => {
    const kiosk = await open();
    await kiosk.becomes("ready");
    const middles = new Set<number>();
    for (const part of await kiosk.page.locator("#brand, #tools button:visible").all()) {
      const { height, y } = (await part.boundingBox())!;
      middles.add(Math.round(y + height / 2));
    }
    expect([...middles]).toHaveLength(1);
    await canBeHit(kiosk, CONTROLS, TOUCH_PX_MIN);
    await kiosk.type("Where is the canteen?");
    await kiosk.becomes("speaking");
    await kiosk.page.locator("#stop").click();
    await kiosk.becomes("answered");
    // The page may lay itself out once more for the buttons that come back.
    await expect
      .poll(() => kiosk.page.evaluate(SEES_ANSWER), { timeout: patience(LAYOUT_MS_MAX) })
      .toEqual([true, true]);
    await fits(kiosk);
    await canBeHit(kiosk, CONTROLS, TOUCH_PX_MIN);
    await kiosk.page.getByRole("textbox").click();
    await canBeHit(kiosk, "#keyboard button", KEY_PX_MIN);
    await fits(kiosk);
  });
});
