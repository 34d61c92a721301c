/** The kiosk's page as people use it, in Chromium. */
import { describe, expect, test } from "vitest";
import { hasChromium, KioskPage } from "./kiosk-page.js";

const QUESTION = "Where is the canteen?";

describe.skipIf(!hasChromium)("somebody at the kiosk (Chromium, from the Debian package)", () => {
  test("types a question, reads the answer with its source, and hears it to the end", async () => {
    const kiosk = await KioskPage.open();
    await kiosk.becomes("ready");
    await kiosk.type(QUESTION);
    await kiosk.becomes("answered");
    expect(await kiosk.answer.textContent()).toContain("second floor of building C");
  });
});
