/**
 * What a kiosk shows besides the answer, in Chromium: of the systems that were asked each value with its age, which grows
 * on the screen, and of a guide its step.
 */
import { describe, expect, test, vi } from "vitest";
import { systemClock } from "../../src/lib/clock.js";
import { guideFolder } from "./guide-folder.js";
import {
  closeBrowserAtTheEnd,
  hasChromium,
  KIOSK_TEST_MS_MAX,
  type KioskOptions,
  KioskPage,
  LANGUAGES,
} from "./kiosk-page.js";
import { examplePlant } from "./plant.js";

vi.setConfig({ testTimeout: KIOSK_TEST_MS_MAX });
closeBrowserAtTheEnd();

/** A kiosk that stays as it is for ten minutes. */
async function begin(options: Partial<KioskOptions> = {}) {
  const plant = examplePlant({ settings: { call_ms_max: 2_000 } });
  const kiosk = await KioskPage.open({
    world: { clock: systemClock, config: { sites: [plant.site] } },
    stillClock: true,
    ...options,
    kiosk: { languages: LANGUAGES, idle_ms: 600_000, ...options.kiosk },
  });
  await kiosk.becomes("ready");
  return { kiosk, plant, readings: kiosk.page.locator("#readings") };
}

const TEMPERATURE = "What is the temperature of freezer two?";

describe.skipIf(!hasChromium)("what was read for an answer", () => {
  test("stands beside it with its age, and is gone with the next question", async () => {
    const { kiosk, plant, readings } = await begin();
    await kiosk.type(TEMPERATURE);
    await readings.locator("time").waitFor();
    expect(await readings.locator("li span").allTextContents()).toEqual([
      "Freezer two, temperature: -11 °C.",
    ]);
    expect(await readings.locator("time").textContent()).toBe("now");
    // What was read is shown before the answer, for which the page does not wait two minutes.
    await kiosk.answer.getByText(/-11 °C/).waitFor();
    await kiosk.page.clock.runFor(125_000);
    expect(await readings.locator("time").textContent()).toBe("2 minutes ago");
    expect(await kiosk.outline()).toMatch(
      /region "Checked":\n.*heading "Checked" \[level=2\]\n.*list:\n.*listitem:/,
    );
    plant.fault("stale f2 temperature");
    await kiosk.type(TEMPERATURE);
    await readings.getByText("1 hour ago").waitFor();
    await kiosk.type("Where is the canteen?");
    await readings.waitFor({ state: "hidden" });
  });

  test("says of what there is no reading", async () => {
    const { kiosk, plant, readings } = await begin();
    plant.fault("crash read_status");
    await kiosk.type("Is pump two running?");
    await readings.getByText("no reading").waitFor();
    expect(await readings.locator("li span").allTextContents()).toEqual(["pump two", "no reading"]);
  });

  test("says how many more there are than fit", async () => {
    const { kiosk, readings } = await begin();
    await kiosk.type("Is everything in hall two running?");
    await readings.getByText("+ 5").waitFor();
    expect(await readings.locator("time").count()).toBe(4);
  });

  test("is in the language of the page, and fits a telephone", async () => {
    const context = { viewport: { width: 390, height: 844 } };
    const { kiosk, readings } = await begin({ context, kiosk: { language: "de" } });
    await kiosk.type("Läuft Pumpe zwei?");
    await readings.locator("time").waitFor();
    expect(await readings.locator("h2").textContent()).toBe("Geprüft");
    expect(await readings.locator("li").textContent()).toBe("Pump two, Zustand: läuft.jetzt");
    expect(await kiosk.page.evaluate("document.documentElement.scrollWidth")).toBe(390);
  });

  test("is not shown where the kiosk shows no source", async () => {
    const { kiosk, readings } = await begin({ kiosk: { show_source: false } });
    await kiosk.type(TEMPERATURE);
    await kiosk.answer.getByText(/-11 °C/).waitFor();
    expect(await readings.isVisible()).toBe(false);
  });
});

describe.skipIf(!hasChromium)("a guide that leads somebody", () => {
  test("stands below each answer with its step, how far it is and what can be said, until it ends", async () => {
    const kiosk = await KioskPage.open({ world: { config: { "guides.dir": guideFolder() } } });
    await kiosk.becomes("ready");
    const shown = kiosk.page.locator("#guide");
    await kiosk.type("walk me through clearing a jam");
    await shown.getByText("Step 1 of 2. Tell the crew.").waitFor();
    expect(await shown.getByRole("heading", { level: 2 }).textContent()).toBe("Clear a jam");
    expect(await shown.locator("p").last().textContent()).toMatch(/^You can say: done, /);
    // A step counts as done once it was heard to its end.
    await kiosk.becomes("answered");
    // An answer from the documents does not hide where the guide is.
    await kiosk.type("Where is the canteen?");
    await kiosk.answer.getByText(/building C/).waitFor();
    await shown.getByText("Step 1 of 2.").waitFor();
    await kiosk.type("done");
    await shown.getByText("Step 2 of 2. Stop the belt.").waitFor();
    await kiosk.becomes("answered");
    await kiosk.type("done");
    await kiosk.becomes("answered");
    expect(await shown.isVisible()).toBe(false);
  });
});
