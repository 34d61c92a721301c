/**
 * Takes the pictures of docs/kiosk.md, when it is told where to: `SCREENSHOTS=docs/kiosk npx vitest run
 * test/e2e/kiosk-screenshots.test.ts`.
 */
import { join } from "node:path";
import { describe, test, vi } from "vitest";
import {
  closeBrowserAtTheEnd,
  hasChromium,
  KIOSK_TEST_MS_MAX,
  type KioskOptions,
  KioskPage,
} from "./kiosk-page.js";

const FOLDER = process.env.SCREENSHOTS;

const TALL = { width: 720, height: 1280 };
const WIDE = { width: 1280, height: 720 };
const PHONE = { width: 390, height: 844 };

/** Sizes as on a screen of twice as many points, in pictures half as large. */
function open(viewport: { width: number; height: number }, options: KioskOptions = {}) {
  return KioskPage.open({ ...options, context: { viewport, ...options.context } });
}

vi.setConfig({ testTimeout: KIOSK_TEST_MS_MAX });
closeBrowserAtTheEnd();

describe.skipIf(!hasChromium || FOLDER === undefined)("a picture", () => {
  const shoot = (kiosk: KioskPage, name: string) =>
    kiosk.page.screenshot({ path: join(FOLDER!, `${name}.png`) });

  test("of the page that waits", async () => {
    const kiosk = await open(TALL);
    await kiosk.becomes("ready");
    await kiosk.suggestions.first().waitFor();
    await shoot(kiosk, "ready");
  });

  test("of the page that listens", async () => {
    const kiosk = await open(PHONE, { context: { colorScheme: "dark" } });
    await kiosk.becomes("ready");
    await kiosk.press();
    await kiosk.becomes("listening");
    await kiosk.page.waitForTimeout(700);
    await shoot(kiosk, "listening");
  });

  test("of an answer", async () => {
    const kiosk = await open(WIDE);
    await kiosk.type("Where is the canteen?");
    await kiosk.becomes("speaking");
    await kiosk.page.locator("#sources figure").waitFor();
    await shoot(kiosk, "speaking");
  });

  test("of no answer", async () => {
    const kiosk = await open(TALL);
    await kiosk.type("Who won the chess championship of 1972?");
    await kiosk.becomes("unanswered");
    await shoot(kiosk, "unanswered");
  });

  test("of no connection", async () => {
    const kiosk = await open(PHONE, { complaints: /DISCONNECTED/ });
    await kiosk.becomes("ready");
    await kiosk.context.setOffline(true);
    await kiosk.becomes("offline");
    await shoot(kiosk, "offline");
  });
});
