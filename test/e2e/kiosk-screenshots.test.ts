/**
 * Takes pictures of the kiosk's page in every state on screens of five sizes, when it is told where to:
 * `SCREENSHOTS=/tmp/kiosk npx vitest run test/e2e/kiosk-screenshots.test.ts`. Those of docs/kiosk.md are among them, by
 * the same names; large screens are taken at half their size.
 */
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import {
  BRANDED,
  closeBrowserAtTheEnd,
  hasChromium,
  KIOSK_TEST_MS_MAX,
  KioskPage,
  SCREENS,
} from "./kiosk-page.js";
import { examplePlant } from "./plant.js";

const FOLDER = process.env.SCREENSHOTS;

/** From this width on, a picture has half as many points in each direction. */
const LARGE_PX = 1_000;

/** Where a PNG has its width and height: https://www.w3.org/TR/png-3/#11IHDR. */
const PNG_SIZE_AT = 16;

vi.setConfig({ testTimeout: KIOSK_TEST_MS_MAX });
closeBrowserAtTheEnd();

describe.skipIf(!hasChromium || FOLDER === undefined).each(SCREENS)("%s", (name, viewport) => {
  const deviceScaleFactor = viewport.width >= LARGE_PX ? 0.5 : 1;
  const taken = new Map<string, string>();
  /** Each picture fills the screen, shows nothing cut off at its sides, and is no other one. */
  const shooting = (kiosk: KioskPage, kind: string) => async (state: string) => {
    const path = join(FOLDER!, `${name}-${kind}${state}.png`);
    const picture = await kiosk.page.screenshot({ path });
    const size = { width: picture.readUInt32BE(PNG_SIZE_AT), height: picture.readUInt32BE(PNG_SIZE_AT + 4) };
    const { height, width } = viewport;
    expect(size).toEqual({ width: width * deviceScaleFactor, height: height * deviceScaleFactor });
    const wide = await kiosk.page.evaluate("document.documentElement.scrollWidth");
    expect(wide).toBeLessThanOrEqual(width);
    const same = taken.get(picture.toString("base64"));
    expect(same, `the picture of ${kind}${state}`).toBeUndefined();
    taken.set(picture.toString("base64"), `${kind}${state}`);
  };

  test("the page as it comes", async () => {
    const kiosk = await KioskPage.open({
      context: { viewport, deviceScaleFactor },
      complaints: /DISCONNECTED|503/,
      world: { config: { "transcription.provider": "none" } },
    });
    const shoot = shooting(kiosk, "");
    await kiosk.becomes("ready");
    await kiosk.suggestions.first().waitFor();
    await shoot("ready");
    await kiosk.press();
    await kiosk.becomes("listening");
    await kiosk.page.waitForTimeout(700);
    await shoot("listening");
    await kiosk.page.mouse.move(0, 0);
    await kiosk.release();
    await kiosk.becomes("failed");
    await shoot("failed");
    await kiosk.type("Where is the canteen?");
    await kiosk.becomes("speaking");
    await kiosk.page.locator("#sources figure").waitFor();
    await shoot("speaking");
    await kiosk.becomes("answered");
    await shoot("answered");
    await kiosk.page.getByRole("textbox").click();
    await shoot("keyboard");
    await kiosk.context.setOffline(true);
    await kiosk.becomes("offline");
    await shoot("offline");
  });

  test("the page of a brand", async () => {
    const kiosk = await KioskPage.open({ kiosk: BRANDED, context: { viewport, deviceScaleFactor } });
    const shoot = shooting(kiosk, "brand-");
    await kiosk.becomes("ready");
    await kiosk.suggestions.first().waitFor();
    await shoot("ready");
    await kiosk.page.locator("#language").click();
    await shoot("languages");
    await kiosk.page.getByRole("button", { name: "Українська" }).click();
    await kiosk.type("Who won the chess championship of 1972?");
    await kiosk.becomes("unanswered");
    await shoot("unanswered");
    await kiosk.page.locator(".call:visible").click();
    await shoot("colleague");
    await kiosk.page.keyboard.press("Escape");
    await kiosk.page.getByRole("textbox").click();
    await shoot("keyboard");
  });

  test("what was read of a site", async () => {
    const { site } = examplePlant({ settings: { call_ms_max: 2_000 } });
    const kiosk = await KioskPage.open({
      context: { viewport, deviceScaleFactor },
      world: { clock: systemClock, config: { sites: [site] } },
    });
    const shoot = shooting(kiosk, "");
    await kiosk.becomes("ready");
    await kiosk.type("Is everything in hall two running?");
    await kiosk.page.locator("#readings time").first().waitFor();
    await shoot("checked");
  });

  test("the page in the dark", async () => {
    const kiosk = await KioskPage.open({ context: { viewport, deviceScaleFactor, colorScheme: "dark" } });
    const shoot = shooting(kiosk, "dark-");
    await kiosk.type("Where is the canteen?");
    await kiosk.becomes("answered");
    await shoot("answered");
  });
});
